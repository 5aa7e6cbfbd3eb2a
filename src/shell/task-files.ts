import { posix } from 'node:path';
import { quoteWord } from '../quote.ts';
import { type Call, type ProgramReader, type Shell, through } from './call.ts';
import { withAssignments } from './environment.ts';
import { invokeProgram } from './invoke-tasks.ts';
import { isRecord, parsedJson, valueAt } from './json-values.ts';
import { justProgram } from './justfile.ts';
import { nearestFile, type ProjectFile } from './nearest-file.ts';
import { resolvePath } from './path-resolution.ts';
import { rakeProgram } from './rakefile.ts';
import { readRunnerWords } from './runner-words.ts';
import { doubtful, either } from './shell-state.ts';
import { beginningOf, knownWord } from './simple-command.ts';
import type { TaskProgram } from './task-program.ts';
import { readTaskfileCall } from './taskfile.ts';

/** A program that runs tasks from a file of the project. */
interface TaskRunner {
  readonly files: readonly string[];
  /** Words before the task's name (`run`); none: the name is the first operand. */
  readonly verbs?: readonly string[];
  /** Without one of those words, the first operand is the name. */
  readonly byName?: true;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** Options with which nothing runs. */
  readonly shows?: RegExp;
  /** Each operand is a task: all of them, or those behind this word. */
  readonly several?: 'all' | ':::';
  /** The tasks' names by what follows the program's name; none: all of them. */
  readonly tasks?: (words: readonly string[]) => readonly string[];
  /** Directories with a script for each task. */
  readonly scripts?: readonly string[];
  /** Options that name the file. */
  readonly file?: RegExp;
  /** Directories whose files are read with it, by the ending of their names. */
  readonly parts?: readonly (readonly [directory: string, ending: string])[];
  /** Tasks that are functions of a language; in the place of `script`. */
  readonly program?: TaskProgram;
  /** A line of a script that names another task: the first group is the name. */
  readonly refers?: RegExp;
  /** The task as a shell script; null: there is none of that name. With `tasks`, '' stands for all of them. */
  readonly script: (text: string, task: string) => string | null;
}

/** `[tasks.NAME]` with a command below it, or `NAME = "command"` in a section of tasks. */
function inToml(section: string, keys: string): TaskRunner['script'] {
  return (text, task) => {
    const name = `["']?${escaped(task)}["']?`;
    const own = new RegExp(`^\\[${section}\\.${name}\\]\\s*\\n([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(text)?.[1];
    const shared = new RegExp(`^\\[${section}\\]\\s*\\n([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(text)?.[1];
    const ofOwn = own === undefined ? undefined : valuesIn(own, keys);
    const line = shared === undefined ? undefined : valueIn(shared, name);
    return ofOwn ?? line ?? null;
  };
}

/** Those of each of the keys, in their order. */
function valuesIn(text: string, keys: string): string | undefined {
  const values = keys.split('|').flatMap((key) => valueIn(text, key) ?? []);
  return values.length === 0 ? undefined : values.join('\n');
}

/** The strings of a value, however they are put together: a text, a list, a table with a command. */
function valueIn(text: string, keys: string): string | undefined {
  const value = new RegExp(
    `^\\s*(?:${keys})\\s*=\\s*("""[\\s\\S]*?"""|'''[\\s\\S]*?'''|\\[[\\s\\S]*?\\]|[^\\n]*)`,
    'm',
  ).exec(text)?.[1];
  return value === undefined ? undefined : stringsOf(value);
}

function stringsOf(text: string): string {
  const whole = /^(?:"""|''')\n?([\s\S]*?)(?:"""|''')$/.exec(text)?.[1];
  return (
    whole ??
    Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g), ([, a, b]) => a?.replace(/\\(.)/g, '$1') ?? b).join(
      '\n',
    )
  );
}

/** `"scripts": { NAME: "command" | [commands] }` */
function inJson(...keys: readonly string[]): TaskRunner['script'] {
  return (text, task) => {
    const value = parsedJson(text);
    const found = keys.map((key) => valueAt(value, key, task)).find((entry) => entry !== undefined);
    const entry = isRecord(found) && !Array.isArray(found) ? found.command : found;
    const parts = Array.isArray(entry) ? entry : [entry];
    const commands = parts.filter((part): part is string => typeof part === 'string');
    return commands.length === 0 ? null : commands.join('\n');
  };
}

/** Every process that it starts. */
const inProcfile: TaskRunner['script'] = (text) =>
  Array.from(text.matchAll(/^[\w-]+:\s*(.+)$/gm), ([, command = '']) => command).join('\n');

/** `tox -e lint,test`, `nox -s lint test` */
function afterOption(option: string): NonNullable<TaskRunner['tasks']> {
  const pattern = new RegExp(`^(?:${option})(?:=(.*))?$`);
  return (words) => {
    const at = words.findIndex((word) => pattern.test(word));
    const following = words.slice(at + 1);
    const end = following.findIndex((word) => word.startsWith('-'));
    const attached = pattern.exec(words[at] ?? '')?.[1];
    const named = attached === undefined ? following.slice(0, end < 0 ? undefined : end) : [attached];
    return at < 0 ? [] : named.flatMap((word) => word.split(','));
  };
}

/** `[testenv:NAME]` with `commands =`, as `[testenv]` and those that come before and after: tox's manual. */
const inSections: TaskRunner['script'] = (text, task) => {
  const sections = Array.from(text.matchAll(/^\[testenv(?::([^\]]+))?\]\s*\n([\s\S]*?)(?=^\[|$(?![\s\S]))/gm));
  const meant = sections.filter(([, name]) => task === '' || name === undefined || name === task);
  const commands = meant.flatMap(([, , body = '']) =>
    Array.from(body.matchAll(/^commands(?:_pre|_post)?[ \t]*=(.*(?:\n[ \t]+.*)*)/gm), ([, lines = '']) => lines),
  );
  return commands.length === 0 ? null : commands.join('\n').replace(/^[ \t]*-?[ \t]*/gm, '');
};

/** `session.run("git", "push")` in the function of a session: nox's manual. */
const inSessions: TaskRunner['script'] = (text, task) => {
  const start = task === '' ? null : new RegExp(`^def ${escaped(task.replace(/-[\d.]+$/, ''))}\\b`, 'm').exec(text);
  if (task !== '' && start === null) {
    return null;
  }
  const rest = start === null ? text : text.slice(start.index + start[0].length);
  const end = start === null ? -1 : rest.search(/^(?:@|def )/m);
  const calls = (end < 0 ? rest : rest.slice(0, end)).matchAll(/\bsession\.run(?:_always|_install)?\(([^)]*)\)/g);
  return Array.from(calls, ([, words = '']) =>
    Array.from(words.matchAll(/(?<![=\w]\s*)(["'])(.*?)\1/g), ([, , word = '']) => quoteWord(word)).join(' '),
  ).join('\n');
};

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const invoked: Omit<TaskRunner, 'files'> = {
  valued: /^(?:-[crfTHi]|--(?:collection|search-root|config|hosts|identity))$/,
  shows: /^(?:-[lhVR]|--(?:list|help|version|dry))$/,
  several: 'all',
  program: invokeProgram,
  script: () => null,
};
const inPyproject =
  (...tools: readonly string[]): TaskRunner['script'] =>
  (text, task) =>
    tools
      .map((tool) => inToml(`tool\\.${tool}`, 'deps|depends-on|cmd|shell|composite|chain|sequence|ref')(text, task))
      .find((script) => script !== null) ?? null;

/** `nx run app:build`, `nx build app`: Nx's manual. */
function targetOfNx(words: readonly string[]): readonly string[] {
  const [verb = '', name = ''] = words.filter((word) => !word.startsWith('-'));
  const target = verb === 'run' ? (name.split(':')[1] ?? name) : verb;
  return target === '' ? [] : [target];
}

/** `"targets": { NAME: { "command": … } | { "options": { "command": …, "commands": […] } } }` */
const inTargets: TaskRunner['script'] = (text, task) => {
  const target = valueAt(parsedJson(text), 'targets', task);
  const options = valueAt(target, 'options');
  const several = valueAt(options, 'commands');
  const commands = [valueAt(target, 'command'), valueAt(options, 'command'), ...(Array.isArray(several) ? several : [])]
    .map((command) => (isRecord(command) ? command.command : command))
    .filter((command): command is string => typeof command === 'string');
  return commands.length === 0 ? null : commands.join('\n');
};

/** A line that is a name and nothing else may be another task's. */
const plainName = /^([\w:.-]+)$/;

/** The events of composer's commands, and scripts by their names (its manual, "Scripts"). */
function scriptsOfComposer(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words.filter((word) => word !== '' && !word.startsWith('-'));
  if (/^(?:run|run-script|exec)$/.test(first)) {
    return [second];
  }
  const event = /^(?:i|install)$/.test(first)
    ? 'install'
    : /^(?:u|update|upgrade|require|remove)$/.test(first)
      ? 'update'
      : null;
  const dumped = ['pre-autoload-dump', 'post-autoload-dump'];
  if (words.includes('--no-scripts')) {
    return [];
  }
  const events = event === null ? dumped : [`pre-${event}-cmd`, ...dumped, `post-${event}-cmd`];
  return event !== null || /^dump-?autoload$/.test(first) ? events : [first];
}

const rake: TaskRunner = {
  files: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  valued: /^(?:-[fCjIr]|--(?:rakefile|directory|jobs|libdir|require))$/,
  shows: /^(?:-[nTPWADHh]|--(?:dry-run|tasks|prereqs|where|all|describe|help|version))$/,
  several: 'all',
  file: /^(?:-f|--rakefile=?)(.*)$/,
  parts: [
    ['rakelib', '.rake'],
    ['lib/tasks', '.rake'],
  ],
  program: rakeProgram,
  script: () => null,
};

/** By program, a row each: the manuals of these programs. */
const runners: Readonly<Record<string, TaskRunner>> = {
  mise: {
    files: ['mise.toml', '.mise.toml', '.config/mise.toml'],
    verbs: ['run', 'r'],
    valued: /^(?:-[CjE]|--(?:cd|jobs|env|output))$/,
    shows: /^(?:-n|--dry-run|--help)$/,
    several: ':::',
    byName: true,
    refers: plainName,
    scripts: ['mise-tasks', '.mise-tasks', 'mise/tasks', '.mise/tasks', '.config/mise/tasks'],
    script: inToml('tasks', 'depends|run|script|depends_post'),
  },
  pipenv: { files: ['Pipfile'], verbs: ['run'], script: inToml('scripts', 'cmd') },
  pixi: {
    files: ['pixi.toml', 'pyproject.toml'],
    verbs: ['run', 'r'],
    valued: /^(?:-[ex]|--(?:manifest-path|environment))$/,
    refers: plainName,
    script: (text, task) =>
      inToml('(?:feature\\.\\w+\\.)?tasks', 'depends-on|depends_on|cmd')(text, task) ??
      inPyproject('pixi\\.tasks')(text, task),
  },
  'cargo-make': { files: ['Makefile.toml'], script: inToml('tasks', 'script') },
  makers: { files: ['Makefile.toml'], script: inToml('tasks', 'script') },
  cargo: { files: ['Makefile.toml'], verbs: ['make'], script: inToml('tasks', 'script') },
  /** A script's name is a command as well; events of composer's own commands are none that anybody calls. */
  composer: {
    files: ['composer.json'],
    verbs: ['run', 'run-script', 'exec'],
    byName: true,
    tasks: scriptsOfComposer,
    refers: /^@(.+)$/,
    script: inJson('scripts'),
  },
  deno: { files: ['deno.json', 'deno.jsonc', 'package.json'], verbs: ['task'], script: inJson('tasks', 'scripts') },
  nx: { files: ['project.json'], tasks: targetOfNx, script: inTargets },
  tox: { files: ['tox.ini', 'setup.cfg'], tasks: afterOption('-e'), script: inSections },
  nox: { files: ['noxfile.py'], tasks: afterOption('-[se]|--sessions?'), script: inSessions },
  poe: {
    files: ['pyproject.toml'],
    valued: /^(?:-[Ce]|--(?:directory|root|executor))$/,
    shows: /^(?:-[dh]|--(?:dry-run|help|version))$/,
    refers: plainName,
    script: inPyproject('poe\\.tasks'),
  },
  pdm: { files: ['pyproject.toml'], verbs: ['run'], script: inPyproject('pdm\\.scripts') },
  rye: { files: ['pyproject.toml'], verbs: ['run'], script: inPyproject('rye\\.scripts') },
  hatch: { files: ['pyproject.toml'], verbs: ['run'], script: inPyproject('hatch\\.envs\\.\\w+\\.scripts') },
  rake,
  rails: rake,
  ...Object.fromEntries(
    ['foreman', 'honcho', 'overmind', 'hivemind'].map((name) => [
      name,
      { files: ['Procfile', 'Procfile.dev'], script: inProcfile },
    ]),
  ),
  invoke: { files: ['tasks.py'], ...invoked },
  inv: { files: ['tasks.py'], ...invoked },
  fab: { files: ['fabfile.py'], ...invoked },
};

const taskfiles = ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml'];

function runTask(runner: TaskRunner, call: Call, shell: Shell): ReturnType<ProgramReader> {
  const words = call.argv.slice(1).map(beginningOf);
  const { operands: given, onlyShows } = readRunnerWords(words, runner.valued ?? never, runner.shows ?? never);
  const operands = given.filter((word) => !/^\w+=/.test(word));
  const [first = ''] = operands;
  const isVerb = runner.verbs?.includes(first) === true;
  if (onlyShows || (runner.verbs !== undefined && !isVerb && runner.byName !== true)) {
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
  const scripts = (tasks.length === 0 ? [''] : tasks).flatMap((name) => scriptFor(name, found.text, runner) ?? []);
  return scripts.length === 0 ? null : runScript(scripts.join('\n'), found.directory, call, shell);
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
    return (isOther ? scriptFor(other, text, runner, [...seen, name]) : null) ?? line;
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
  const frame = through(call.frame, call.source.split(/\s/, 1)[0] ?? 'task');
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
function runScript(script: string, directory: string, call: Call, shell: Shell): ReturnType<ProgramReader> {
  shell.emitCommand(call);
  const state = { ...doubtful(call.state), cwd: { ...call.state.cwd, kind: 'known', path: directory } as const };
  const process = {
    label: call.source.split(/\s/, 1)[0] ?? 'task',
    name: knownWord('sh'),
    positional: [],
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
  ...Object.entries(runners).map(([name, runner]): [string, ProgramReader] => [
    name,
    (call, shell) => runTask(runner, call, shell),
  ]),
];
