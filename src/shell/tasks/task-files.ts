import { posix } from 'node:path';
import { type Call, type ProgramReader, type Shell, through } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { resolvePath } from '../path-resolution.ts';
import { doubtful, either } from '../shell-state.ts';
import { beginningOf, knownWord, programName, type Word } from '../simple-command.ts';
import { justProgram } from './justfile.ts';
import { nearestFile, type ProjectFile } from './nearest-file.ts';
import { readRunnerWords } from './runner-words.ts';
import { inDirectory, movedTo } from './task-directory.ts';
import { taskfiles } from './task-file-names.ts';
import { type TaskRunner, taskTable } from './task-table.ts';
import { readTaskfileCall } from './taskfile.ts';

function runTask(runner: TaskRunner, call: Call, shell: Shell): ReturnType<ProgramReader> {
  const { own: ownWords, handed } = partedWords(runner, call.argv.slice(1));
  const words = ownWords.map(beginningOf);
  const { operands: given, onlyShows } = readRunnerWords(words, runner.valued ?? never, runner.shows ?? never);
  const operands = given.filter((word) => !/^\w+=/.test(word));
  const [first = ''] = operands;
  const isVerb = runner.verbs?.includes(first) === true;
  const lists = runner.lists?.test(first) === true;
  if (onlyShows || lists || (runner.verbs !== undefined && !isVerb && runner.byName !== true)) {
    return null;
  }
  const tasks = runner.tasks?.(words) ?? tasksOf(operands.slice(isVerb ? 1 : 0), runner, isVerb ? '' : 'default');
  const own = runner.scripts === undefined ? null : ownScript(tasks, runner.scripts, call, shell);
  if (own !== null) {
    return own;
  }
  const found = fileOf(runner, words, call, shell);
  if (found === null) {
    return null;
  }
  if (runner.program !== undefined) {
    const argv = runner.program(found.text, operands, words);
    return argv === null ? null : runProgram(argv, given, found.directory, call, shell);
  }
  const named = tasks.length > 0 ? tasks : usualTasks(runner, found.text, words, call, shell);
  const scripts = named.flatMap((name) => {
    const text = scriptFor(name, found.text, runner);
    return text === null ? [] : [{ text, directory: runner.directory?.(found.text, name) ?? null }];
  });
  const [only, ...others] = scripts;
  if (only === undefined) {
    return null;
  }
  const script =
    others.length === 0
      ? movedTo(only.text, only.directory)
      : scripts.map(({ text, directory }) => inDirectory(text, directory)).join('\n');
  return runScript(withHanded(script, runner, handed), found.directory, call, shell, handed);
}

/** What a runner runs that is told of no task; '' stands for all of them. */
function usualTasks(
  { usual, chosenBy }: TaskRunner,
  text: string,
  words: readonly string[],
  { state }: Call,
  { environment }: Shell,
): readonly string[] {
  const isChosen = chosenBy !== undefined && (state.variables.has(chosenBy) || Object.hasOwn(environment, chosenBy));
  return (isChosen ? null : usual?.(text, words)) ?? [''];
}

/** What the runner reads itself, with the task's name, and what it hands to the task's command. */
function partedWords(
  { hands, verbs, valued = never }: TaskRunner,
  words: readonly Word[],
): { readonly own: readonly Word[]; readonly handed: readonly Word[] } {
  const texts = words.map(beginningOf);
  const operandFrom = (start: number): number => {
    let at = start;
    while (texts[at]?.startsWith('-') === true) {
      at += valued.test(texts[at] ?? '') ? 2 : 1;
    }
    return at;
  };
  const first = operandFrom(0);
  const name = verbs?.includes(texts[first] ?? '') === true ? operandFrom(first + 1) : first;
  const separator = texts.indexOf('--', name);
  if (hands === undefined || texts.includes(':::')) {
    return { own: words, handed: [] };
  }
  if (hands === 'rest') {
    const end = separator < 0 ? words.length : separator;
    const operands = words.slice(name + 1, end).filter((_, index) => !texts[name + 1 + index]?.startsWith('-'));
    return { own: words.slice(0, end), handed: [...operands, ...words.slice(end + 1)] };
  }
  return {
    own: words.slice(0, name + 1),
    handed: words.slice(name + 1).filter((_, at) => at + name + 1 !== separator),
  };
}

/** A task's script that takes the words it is handed: where it has a place for them, or else behind its last command. */
function withHanded(script: string, { hands }: TaskRunner, handed: readonly Word[]): string {
  const placed = script.replace(/\{args(?::([^}]*))?\}/g, (_, preset = '') => (handed.length > 0 ? '"$@"' : preset));
  return hands === undefined
    ? script
    : hands === 'asked' || placed !== script || handed.length === 0
      ? placed
      : `${script} "$@"`;
}

/** A task that is a script of its own, in one of these directories. */
function ownScript(
  tasks: readonly string[],
  directories: readonly string[],
  call: Call,
  shell: Shell,
): ReturnType<ProgramReader> {
  const paths = tasks
    .filter((task) => task !== '')
    .flatMap((task) => directories.map((directory) => resolvePath(knownWord(`${directory}/${task}`), call.state.cwd)));
  const path = paths.find((one) => one !== null && shell.overlay.tasks(one) !== null) ?? null;
  return path === null ? null : runProgram([path], [], posix.dirname(path), call, shell);
}

/** The file that is named, or the nearest one, with its parts. */
function fileOf(runner: TaskRunner, words: readonly string[], call: Call, shell: Shell): ProjectFile | null {
  const at = runner.file === undefined ? -1 : words.findIndex((word) => runner.file?.test(word));
  const attached = runner.file?.exec(words[at] ?? '')?.[1] ?? '';
  const name = attached === '' ? words[at + 1] : attached;
  const { cwd } = call.state;
  const path = at < 0 || name === undefined ? null : resolvePath(knownWord(name), cwd);
  const named = path === null ? null : shell.overlay.tasks(path);
  const found =
    named === null
      ? nearestFile(runner.files, cwd, shell)
      : cwd.kind === 'known'
        ? { directory: cwd.path, text: named }
        : null;
  const parts = (runner.parts ?? []).flatMap(([below, ending]) => {
    const directory = `${found?.directory ?? ''}/${below}`;
    const names = found === null ? [] : (shell.overlay.list(directory) ?? []).filter((one) => one.endsWith(ending));
    return names.map((one) => shell.overlay.tasks(`${directory}/${one}`) ?? '');
  });
  return found === null ? null : { ...found, text: [found.text, ...parts].join('\n') };
}

/** A task's script, with the scripts of those that it names in the place of their names. */
function scriptFor(name: string, text: string, runner: TaskRunner, seen: readonly string[] = []): string | null {
  const script = runner.script(text, name);
  const { refers } = runner;
  if (script === null || refers === undefined) {
    return script;
  }
  const lines = script.split('\n').map((line) => {
    const other = refers.exec(line)?.[1];
    const isOther = other !== undefined && other !== name && !seen.includes(other);
    const referred = isOther ? scriptFor(other, text, runner, [...seen, name]) : null;
    return referred === null ? line : inDirectory(referred, runner.directory?.(text, other ?? ''));
  });
  return lines.join('\n');
}

/** A program of the language that the tasks are written in; `NAME=VALUE` among its words is in its environment. */
function runProgram(
  argv: readonly string[],
  given: readonly string[],
  directory: string,
  call: Call,
  shell: Shell,
): ReturnType<ProgramReader> {
  shell.emitCommand(call);
  const values = given.flatMap((word) => {
    const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(word) ?? [];
    return name === undefined ? [] : [[name, knownWord(value)] as const];
  });
  const placed = { ...doubtful(call.state), cwd: { ...call.state.cwd, kind: 'known', path: directory } as const };
  const frame = through(call.frame, programName(call.argv[0]) ?? 'task');
  shell.run({
    ...call,
    argv: argv.map(knownWord),
    state: withAssignments(placed, new Map(values)),
    frame,
    lookup: 'programs',
  });
  return either(call.state);
}

const never = /^(?!)/;

/** `rake build ship[main]`, `mise run build ::: ship`, `nx:build` */
function tasksOf(operands: readonly string[], { several }: TaskRunner, otherwise: string): readonly string[] {
  const tasks = operands.filter((_, index) => index === 0 || several === 'all' || operands[index - 1] === several);
  const named = tasks.length === 0 ? [otherwise] : tasks;
  return named.map((task) => task.replace(/\[.*$/, '').split(':').at(-1) ?? task);
}

/** A task's commands, in the directory of its file. */
function runScript(
  script: string,
  directory: string,
  call: Call,
  shell: Shell,
  positional: readonly Word[] = [],
): ReturnType<ProgramReader> {
  shell.emitCommand(call);
  const state = { ...doubtful(call.state), cwd: { ...call.state.cwd, kind: 'known', path: directory } as const };
  const process = {
    label: programName(call.argv[0]) ?? 'task',
    name: knownWord('sh'),
    positional,
    input: null,
  };
  shell.runProcess({ ...call, state }, script, process);
  return either(call.state);
}

/** Task's own file. */
const runTaskfile: ProgramReader = (call, shell) => {
  const { file, directory, script } = readTaskfileCall(call.argv.slice(1).map(beginningOf));
  const { cwd } = call.state;
  if (cwd.kind !== 'known') {
    return null;
  }
  const start = resolvePath(knownWord(directory ?? '.'), cwd) ?? cwd.path;
  const path = resolvePath(knownWord(file ?? '.'), { ...cwd, path: start }) ?? start;
  const text = file === null ? null : shell.overlay.tasks(path);
  const found =
    file === null
      ? nearestFile(taskfiles, { ...cwd, path: start }, shell)
      : text && { directory: directory === null ? posix.dirname(path) : start, text };
  const commands = found ? script(found.text) : null;
  return found && commands !== null ? runScript(commands, found.directory, call, shell) : null;
};

/** Rows for the table of carriers. */
export const taskRunners: readonly (readonly [string, ProgramReader])[] = [
  justProgram,
  ['task', runTaskfile],
  ['go-task', runTaskfile],
  ...Object.entries(taskTable).map(([name, runner]): [string, ProgramReader] => [
    name,
    (call, shell) => runTask(runner, call, shell),
  ]),
];
