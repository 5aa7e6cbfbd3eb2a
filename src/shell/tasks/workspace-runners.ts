import type { Call, ProgramReader, Shell } from '../call.ts';
import { beginningOf } from '../simple-command.ts';
import { runScripts, type ScriptPlace, scriptsAround } from './package-scripts.ts';

/** The names of the scripts that a call runs in the packages of a workspace, by what follows the program's name. */
type Named = (words: readonly string[]) => readonly string[];

const operandsOf = (words: readonly string[]) => words.filter((word) => word !== '' && !word.startsWith('-'));
const afterRun = (words: readonly string[]) => (words[0] === 'run' ? words.slice(1) : words);

/** `-t build test`, `--targets=build,test` */
function targetsIn(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /^(?:-t|--targets?)(?:=|$)/.test(word));
  const attached = /=(.*)$/.exec(words[at] ?? '')?.[1];
  const following = words.slice(at + 1);
  const end = following.findIndex((word) => word.startsWith('-'));
  const listed = attached === undefined ? following.slice(0, end < 0 ? undefined : end) : [attached];
  return at < 0 ? [] : listed.flatMap((word) => word.split(','));
}

/** Options of `lerna run` with a value that may be a word of its own. */
const valuedOfLerna =
  /^--(?:loglevel|concurrency|scope|ignore|since|npm-client|registry|max-buffer|ignore-changes|profile-location)$/;

/** Options of turbo with which nothing runs, but what would run is shown. */
const onlyShows = /^--(?:dry(?:-run)?|graph)(?:=|$)/;

/** By program, a row each: their manuals. What is no script of a package runs nothing here. */
const runners: Readonly<Record<string, Named>> = {
  turbo: (words) => (words.some((word) => onlyShows.test(word)) ? [] : afterRun(operandsOf(words))),
  lerna: (words) => {
    const [verb, scripts = ''] = operandsOf(words.filter((_, at) => !valuedOfLerna.test(words[at - 1] ?? '')));
    return verb === 'run' ? scripts.split(',') : [];
  },
  nx: (words) => {
    const [verb = '', target = ''] = operandsOf(words);
    const names = verb === 'run' ? [target] : verb === 'run-many' || verb === 'affected' ? targetsIn(words) : [verb];
    // `nx release` is a command of its own.
    return verb === 'release' || words.includes('--graph') ? [] : names.map((name) => name.split(':')[1] ?? name);
  },
};

/** `run-s lint 'test:* -- --watch'`: every operand names scripts of the nearest package. */
const scriptsOf: Named = (words) => operandsOf(words).map((word) => word.split(/\s/, 1)[0] ?? '');
const scriptRunners: Readonly<Record<string, Named>> = {
  'npm-run-all': scriptsOf,
  'run-s': scriptsOf,
  'run-p': scriptsOf,
  'better-npm-run': scriptsOf,
};
/** Everything behind the script's name goes to it; of the others, what stands behind `--`. */
const handingRunners: Readonly<Record<string, Named>> = { nr: (words) => operandsOf(words).slice(0, 1) };

interface Manner {
  /** It runs the scripts of all packages of a workspace. */
  readonly isForAll?: boolean;
  readonly handsAll?: boolean;
}

function runIn(
  named: Named,
  { isForAll = false, handsAll = false }: Manner,
  call: Call,
  shell: Shell,
): ReturnType<ProgramReader> {
  const { cwd } = call.state;
  const texts = call.argv.map(beginningOf);
  const label = texts[0] ?? '';
  const end = texts.indexOf('--');
  const words = texts.slice(1, end < 0 ? undefined : end);
  const args = handsAll
    ? call.argv.slice(2).filter((word) => beginningOf(word) !== '--')
    : end < 0
      ? []
      : call.argv.slice(end + 1);
  const places: readonly ScriptPlace[] =
    cwd.kind === 'known' ? scriptsAround(cwd.path, isForAll, shell).map((scripts) => ({ call, scripts, label })) : [];
  return runScripts(named(words), args, places, shell);
}

const readers = (table: Readonly<Record<string, Named>>, manner: Manner) =>
  Object.entries(table).map(([name, named]): [string, ProgramReader] => [
    name,
    (call, shell) => runIn(named, manner, call, shell),
  ]);

/** Rows for the table of carriers. */
export const workspaceRunners: readonly (readonly [string, ProgramReader])[] = [
  ...readers(runners, { isForAll: true }),
  ...readers(scriptRunners, {}),
  ...readers(handingRunners, { handsAll: true }),
];
