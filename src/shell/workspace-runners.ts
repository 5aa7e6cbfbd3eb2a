import type { Call, ProgramReader, Shell } from './call.ts';
import { runScripts, type ScriptPlace, scriptsAround } from './package-scripts.ts';
import { beginningOf } from './simple-command.ts';

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

/** By program, a row each: their manuals. What is no script of a package runs nothing here. */
const runners: Readonly<Record<string, Named>> = {
  turbo: (words) => afterRun(operandsOf(words)),
  lerna: (words) => {
    const [verb, scripts = ''] = operandsOf(words);
    return verb === 'run' ? scripts.split(',') : [];
  },
  nx: (words) => {
    const [verb = '', target = ''] = operandsOf(words);
    const names = verb === 'run' ? [target] : verb === 'run-many' || verb === 'affected' ? targetsIn(words) : [verb];
    return names.map((name) => name.split(':')[1] ?? name);
  },
};

function runIn(named: Named, call: Call, shell: Shell): ReturnType<ProgramReader> {
  const { cwd } = call.state;
  const words = call.argv.slice(1).map(beginningOf);
  const label = beginningOf(call.argv[0]);
  const places: readonly ScriptPlace[] =
    cwd.kind === 'known' ? scriptsAround(cwd.path, true, shell).map((scripts) => ({ call, scripts, label })) : [];
  return runScripts(named(words), [], places, shell);
}

/** Rows for the table of carriers. */
export const workspaceRunners: readonly (readonly [string, ProgramReader])[] = Object.entries(runners).map(
  ([name, named]): [string, ProgramReader] => [name, (call, shell) => runIn(named, call, shell)],
);
