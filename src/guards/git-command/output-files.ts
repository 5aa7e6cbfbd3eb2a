import type { Word } from '../../shell/simple-command.ts';
import type { Intent } from '../intent.ts';
import { normalizedKey, type Setting } from './invocation.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, parseOptions } from './parse-options.ts';
import { shown, textOf } from './words.ts';

/** How a command of git is told what file or directory to write. */
interface Output {
  /** For `optionTable`. */
  readonly options: string;
  readonly files: (args: Arguments) => readonly Word[];
}

const named = (options: string, ...names: readonly string[]): Output => ({
  options,
  files: (args) => names.flatMap((name) => args.values(name)),
});

/** What a command may write besides: git's manual pages, "--output" and its kin. No table, of which a call makes all rows. */
function outputOf(name: string): Output | null {
  switch (name) {
    case 'diff':
    case 'diff-tree':
    case 'diff-index':
    case 'diff-files':
    case 'log':
    case 'show':
    case 'whatchanged':
    case 'reflog':
    case 'stash':
    case 'shortlog':
      return named('output=', 'output');
    case 'format-patch':
      return named('output= o|output-directory=', 'output', 'output-directory');
    case 'archive':
      return named('o|output= prefix= remote= exec= format=', 'output');
    case 'bugreport':
    case 'diagnose':
      return named('o|output-directory= s|suffix= diagnose=?', 'output-directory');
    case 'fast-export':
    case 'fast-import':
      return named('export-marks= import-marks=', 'export-marks');
    case 'checkout-index':
      return named('prefix= stage=', 'prefix');
    case 'credential-store':
      return named('file=', 'file');
    case 'index-pack':
      return named('o= rev-index threads=', 'o');
    case 'mailsplit':
      return named('o= f= d=', 'o');
    case 'read-tree':
      return named('index-output= prefix=', 'index-output');
    case 'bundle':
      return {
        options: 'q|quiet progress all-progress version=',
        files: ({ operands: [verb, file] }) => (textOf(verb) === 'create' && file !== undefined ? [file] : []),
      };
    case 'mailinfo':
      return { options: 'k b m encoding=', files: ({ operands }) => operands.slice(0, 2) };
    case 'merge-file':
      return {
        options: 'p|stdout L= q|quiet diff3 zdiff3 ours theirs union marker-size= object-id',
        files: (args) => (args.has('stdout') ? [] : args.operands.slice(0, 1)),
      };
    case 'interpret-trailers':
      return {
        options: 'in-place trailer= where= if-exists= if-missing=+',
        files: (args) => (args.has('in-place') ? args.operands : []),
      };
    default:
      return null;
  }
}

/** Files that a command writes besides its proper work; most write none. */
export function outputIntents(name: string, words: readonly Word[]): readonly Intent[] {
  const output = outputOf(name);
  if (output === null || words.length === 0) {
    return [];
  }
  const args = parseOptions(optionTable(output.options), words);
  const paths = 'refused' in args ? [] : output.files(args);
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
