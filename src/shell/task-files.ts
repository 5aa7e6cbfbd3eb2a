import { posix } from 'node:path';
import { quoteWord } from '../quote.ts';
import type { Call, ProgramReader, Shell } from './call.ts';
import { isRecord, parsedJson, valueAt } from './json-values.ts';
import { justProgram } from './justfile.ts';
import { nearestFile } from './nearest-file.ts';
import { resolvePath } from './path-resolution.ts';
import { readRunnerWords } from './runner-words.ts';
import { doubtful, either } from './shell-state.ts';
import { beginningOf, knownWord } from './simple-command.ts';
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
  /** The task as a shell script; null: there is none of that name. With `tasks`, '' stands for all of them. */
  readonly script: (text: string, task: string) => string | null;
}

/** `[tasks.NAME]` with a command below it, or `NAME = "command"` in a section of tasks. */
function inToml(section: string, keys: string): TaskRunner['script'] {
  return (text, task) => {
    const name = `["']?${escaped(task)}["']?`;
    const own = new RegExp(`^\\[${section}\\.${name}\\]\\s*\\n([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(text)?.[1];
    const shared = new RegExp(`^\\[${section}\\]\\s*\\n([\\s\\S]*?)(?=^\\[|$(?![\\s\\S]))`, 'm').exec(text)?.[1];
    const ofOwn = own === undefined ? undefined : valueIn(own, keys);
    const line = shared === undefined ? undefined : valueIn(shared, name);
    return ofOwn ?? line ?? null;
  };
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
    const entry = isRecord(found) ? found.command : found;
    const parts = Array.isArray(entry) ? entry : [entry];
    const commands = parts.filter((part): part is string => typeof part === 'string');
    return commands.length === 0 ? null : commands.join('\n');
  };
}

/** Every process that it starts. */
const inProcfile: TaskRunner['script'] = (text) =>
  Array.from(text.matchAll(/^[\w-]+:\s*(.+)$/gm), ([, command = '']) => command).join('\n');

/** The body of a task or a function, up to the next one, and in it the commands that a call hands to a shell. */
function inSource(header: (task: string) => string, next: RegExp, call: RegExp): TaskRunner['script'] {
  return (text, task) => {
    const start = new RegExp(header(escaped(task)), 'm').exec(text);
    const rest = start === null ? '' : text.slice(start.index + start[0].length);
    const end = rest.search(next);
    const commands = Array.from((end < 0 ? rest : rest.slice(0, end)).matchAll(call), ([, , command = '']) => command);
    return start === null ? null : commands.join('\n');
  };
}

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

const pythonTask = inSource(
  (task) => `^def ${task.replaceAll('-', '_')}\\b`,
  /^(?:@|def )/m,
  /\.\s*(?:run|local|sudo)\(\s*f?(["'])(.*?)\1/g,
);
const invoked: Omit<TaskRunner, 'files'> = {
  valued: /^(?:-[crfTHi]|--(?:collection|search-root|config|hosts|identity))$/,
  shows: /^(?:-[lhVR]|--(?:list|help|version|dry))$/,
  several: 'all',
  script: pythonTask,
};
const inPyproject =
  (...tools: readonly string[]): TaskRunner['script'] =>
  (text, task) =>
    tools
      .map((tool) => inToml(`tool\\.${tool}`, 'cmd|shell|composite|chain')(text, task))
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

/** By program, a row each: the manuals of these programs. */
const runners: Readonly<Record<string, TaskRunner>> = {
  mise: {
    files: ['mise.toml', '.mise.toml', '.config/mise.toml'],
    verbs: ['run', 'r'],
    valued: /^(?:-[CjE]|--(?:cd|jobs|env|output))$/,
    shows: /^(?:-n|--dry-run|--help)$/,
    several: ':::',
    script: inToml('tasks', 'run|script'),
  },
  'cargo-make': { files: ['Makefile.toml'], script: inToml('tasks', 'script') },
  makers: { files: ['Makefile.toml'], script: inToml('tasks', 'script') },
  cargo: { files: ['Makefile.toml'], verbs: ['make'], script: inToml('tasks', 'script') },
  /** A script's name is a command as well; events of composer's own commands are none that anybody calls. */
  composer: { files: ['composer.json'], verbs: ['run', 'run-script', 'exec'], byName: true, script: inJson('scripts') },
  deno: { files: ['deno.json', 'deno.jsonc', 'package.json'], verbs: ['task'], script: inJson('tasks', 'scripts') },
  nx: { files: ['project.json'], tasks: targetOfNx, script: inTargets },
  tox: { files: ['tox.ini', 'setup.cfg'], tasks: afterOption('-e'), script: inSections },
  nox: { files: ['noxfile.py'], tasks: afterOption('-[se]|--sessions?'), script: inSessions },
  poe: {
    files: ['pyproject.toml'],
    valued: /^(?:-[Ce]|--(?:directory|root|executor))$/,
    shows: /^(?:-[dh]|--(?:dry-run|help|version))$/,
    script: inPyproject('poe\\.tasks'),
  },
  pdm: { files: ['pyproject.toml'], verbs: ['run'], script: inPyproject('pdm\\.scripts') },
  rye: { files: ['pyproject.toml'], verbs: ['run'], script: inPyproject('rye\\.scripts') },
  hatch: { files: ['pyproject.toml'], verbs: ['run'], script: inPyproject('hatch\\.envs\\.\\w+\\.scripts') },
  rake: {
    files: ['Rakefile', 'rakefile', 'Rakefile.rb'],
    valued: /^(?:-[fCjIr]|--(?:rakefile|directory|jobs|libdir|require))$/,
    shows: /^(?:-[nTPWADHh]|--(?:dry-run|tasks|prereqs|where|all|describe|help|version))$/,
    several: 'all',
    script: inSource(
      (task) => `^\\s*task\\s*\\(?\\s*(?::|["'])?${task}\\b`,
      /^\s*(?:task|namespace|desc)\b/m,
      /\b(?:sh|system|exec)\s*\(?\s*(["'])(.*?)\1/g,
    ),
  },
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
  const found = nearestFile(runner.files, call.state.cwd, shell);
  const scripts = (tasks.length === 0 ? [''] : tasks).flatMap((name) =>
    found === null ? [] : (runner.script(found.text, name) ?? []),
  );
  return found === null || scripts.length === 0 ? null : runScript(scripts.join('\n'), found.directory, call, shell);
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
