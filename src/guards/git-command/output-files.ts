import type { Word } from '../../shell/simple-command.ts';
import type { Intent } from '../intent.ts';
import { normalizedKey, type Setting } from './invocation.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, parseOptions } from './parse-options.ts';
import { shown, textOf } from './words.ts';

/** How a command of git is told what file or directory to write. */
interface Output {
  /** For `optionTable`, which a call costs less than those of all rows. */
  readonly options: string;
  readonly files: (args: Arguments) => readonly Word[];
}

const named = (options: string, ...names: readonly string[]): Output => ({
  options,
  files: (args) => names.flatMap((name) => args.values(name)),
});
const diffs = named('output=', 'output');
const report = named('o|output-directory= s|suffix= diagnose=?', 'output-directory');
const marks = named('export-marks= import-marks=', 'export-marks');

/** A row for each command: git's manual pages, "--output" and its kin. */
const rows: Readonly<Record<string, Output>> = {
  ...Object.fromEntries(
    ['diff', 'diff-tree', 'diff-index', 'diff-files', 'log', 'show', 'whatchanged', 'reflog', 'stash', 'shortlog'].map(
      (name) => [name, diffs],
    ),
  ),
  'format-patch': named('output= o|output-directory=', 'output', 'output-directory'),
  archive: named('o|output= prefix= remote= exec= format=', 'output'),
  bugreport: report,
  diagnose: report,
  'fast-export': marks,
  'fast-import': marks,
  'checkout-index': named('prefix= stage=', 'prefix'),
  'credential-store': named('file=', 'file'),
  'index-pack': named('o= rev-index threads=', 'o'),
  mailsplit: named('o= f= d=', 'o'),
  'read-tree': named('index-output= prefix=', 'index-output'),
  bundle: {
    options: 'q|quiet progress all-progress version=',
    files: ({ operands: [verb, file] }) => (textOf(verb) === 'create' && file !== undefined ? [file] : []),
  },
  mailinfo: { options: 'k b m encoding=', files: ({ operands }) => operands.slice(0, 2) },
  'merge-file': {
    options: 'p|stdout L= q|quiet diff3 zdiff3 ours theirs union marker-size= object-id',
    files: (args) => (args.has('stdout') ? [] : args.operands.slice(0, 1)),
  },
  'interpret-trailers': {
    options: 'in-place trailer= where= if-exists= if-missing=+',
    files: (args) => (args.has('in-place') ? args.operands : []),
  },
};

/** Files that a command writes besides its proper work; most write none. */
export function outputIntents(name: string, words: readonly Word[]): readonly Intent[] {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined || words.length === 0) {
    return [];
  }
  const args = parseOptions(optionTable(row.options), words);
  const paths = 'refused' in args ? [] : row.files(args);
  return paths.length === 0 ? [] : [{ kind: 'write-files', paths, means: `git ${name}` }];
}

/** Variables and settings that name a file which any call writes to: git(1) "GIT_TRACE", "GIT_INDEX_FILE". */
const outputVariables = /^GIT_(?:TRACE\w*|INDEX_FILE)$/;
const outputSettings = /^trace2\.\w*target$/;

/** The files that a call's environment and settings name; git's own index is none. */
export function namedOutputs(env: ReadonlyMap<string, Word | null>, settings: readonly Setting[]): readonly Word[] {
  if (env.size === 0 && settings.length === 0) {
    return [];
  }
  const ofSettings = settings.flatMap(({ key, value }) =>
    value !== null && outputSettings.test(normalizedKey(textOf(key) ?? '')) ? [value] : [],
  );
  const ofVariables = [...env].flatMap(([name, value]) =>
    value !== null && outputVariables.test(name) && /\//.test(shown(value)) ? [value] : [],
  );
  return [...ofSettings, ...ofVariables].filter((word) => !/(?:^|\/)index$/.test(shown(word)));
}
