import { quoteWord } from '../../quote.ts';
import { invokeProgram } from './invoke-tasks.ts';
import { isRecord, parsedJson, valueAt } from './json-values.ts';
import { rakeProgram } from './rakefile.ts';
import { inDirectory } from './task-directory.ts';
import type { TaskProgram } from './task-program.ts';
import { environmentsOf, factorsIn } from './tox-environments.ts';

/** A program that runs tasks from a file of the project. */
export interface TaskRunner {
  readonly files: readonly string[];
  /** Words before the task's name (`run`); none: the name is the first operand. */
  readonly verbs?: readonly string[];
  /** Without one of those words, the first operand is the name. */
  readonly byName?: true;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** Options with which nothing runs. */
  readonly shows?: RegExp;
  /** Words in a verb's place with which nothing runs. */
  readonly lists?: RegExp;
  /** Each operand is a task: all of them, or those behind this word. */
  readonly several?: 'all' | ':::';
  /**
   * What follows a task's name goes to its command: all words (`all`), those where it asks for them (`{args}`), or
   * operands and what stands behind `--` (`rest`).
   */
  readonly hands?: 'all' | 'asked' | 'rest';
  /** The tasks' names by what follows the program's name; none: all of them. */
  readonly tasks?: (words: readonly string[]) => readonly string[];
  /** Those that it runs where it is told of none; null: that is not known. */
  readonly usual?: (text: string, words: readonly string[]) => readonly string[] | null;
  /** A variable of the environment that names tasks. */
  readonly chosenBy?: string;
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
  /** The directory of its own in which a task runs, from that of the file; null: it has none, or it is not known. */
  readonly directory?: (text: string, task: string) => string | null;
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

/** `KEY = "directory"` beside a task's command. */
function directoryInToml(section: string, key: string): NonNullable<TaskRunner['directory']> {
  return (text, task) => {
    const name = `["']?${escaped(task)}["']?`;
    const value = `(?:"([^"\\n{$]+)"|'([^'\\n{$]+)')`;
    const own = new RegExp(
      `^\\[${section}\\.${name}\\]\\s*\\n(?:(?!\\[)[^\\n]*\\n)*?[ \\t]*${key}[ \\t]*=[ \\t]*${value}`,
      'm',
    );
    const inline = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*\\{[^\\n]*[{,\\s]${key}[ \\t]*=[ \\t]*${value}`, 'm');
    const [, double, single] = own.exec(text) ?? inline.exec(text) ?? [];
    return double ?? single ?? null;
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

/** Is it the section of an environment, or of one that the name stands for among others: `py{310,311}`? */
const isOfEnvironment = (name: string | undefined, task: string): boolean =>
  name === undefined || name === task || task === 'ALL' || factorsIn(name)?.includes(task) !== false;

/** `[testenv]`, and `[testenv:NAME]` with its name. */
function toxSections(text: string): readonly { readonly name: string | undefined; readonly body: string }[] {
  const sections = text.matchAll(/^\[testenv(?::([^\]]+))?\]\s*\n([\s\S]*?)(?=^\[|$(?![\s\S]))/gm);
  return Array.from(sections, ([, name, body = '']) => ({ name, body }));
}

/** `[testenv:NAME]` with `commands =`, as `[testenv]` and those that come before and after: tox's manual. */
const inSections: TaskRunner['script'] = (text, task) => {
  const meant = toxSections(text).filter(({ name }) => task === '' || isOfEnvironment(name, task));
  const commands = meant.flatMap(({ body }) =>
    Array.from(body.matchAll(/^commands(?:_pre|_post)?[ \t]*=(.*(?:\n[ \t]+.*)*)/gm), ([, lines = '']) => lines),
  );
  return commands.length === 0 ? null : commands.join('\n').replace(/^[ \t]*-?[ \t]*/gm, '');
};

/** `change_dir = src` of a section, or of `[testenv]`: tox's manual. */
const directoryOfSection: NonNullable<TaskRunner['directory']> = (text, task) => {
  const sections = toxSections(text).toReversed();
  const [found = ''] = [task, undefined].flatMap((name) =>
    sections
      .filter((section) => section.name === name)
      .flatMap(({ body }) => /^change_?dir[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(body)?.[1] ?? []),
  );
  const directory = found.replace(/^\{tox_?(?:ini_?dir|root)\}\/?/, './');
  return directory === '' || /[{}$]/.test(directory) ? null : directory;
};

/** `session.run("git", "push")` in the function of a session: nox's manual. */
const inSessions: TaskRunner['script'] = (text, task) => {
  const start = task === '' ? null : new RegExp(`^def ${escaped(task.replace(/-[\d.]+$/, ''))}\\b`, 'm').exec(text);
  if (task !== '' && start === null) {
    return null;
  }
  const rest = start === null ? text : text.slice(start.index + start[0].length);
  const end = start === null ? -1 : rest.search(/^(?:@|def )/m);
  const body = end < 0 ? rest : rest.slice(0, end);
  const calls = body.matchAll(/\bsession\.run(?:_always|_install)?\(([^)]*)\)/g);
  return Array.from(calls, ({ index, 1: words = '' }) => {
    const texts = words.matchAll(/(?<![=\w]\s*)(["'])(.*?)\1/g);
    const command = Array.from(texts, ([, , word = '']) => quoteWord(word)).join(' ');
    return changesBefore(body, index).reduceRight((script, directory) => inDirectory(script, directory), command);
  }).join('\n');
};

/** The directories to which a session goes before a call, one from the other: `session.chdir("src")`, with a block or without. */
function changesBefore(body: string, index: number): readonly string[] {
  const changes = body
    .slice(0, index)
    .matchAll(/^([ \t]*)(with )?[^\n]*?\bsession\.(?:chdir|cd)\(\s*(["'])([^"'\n]*)\3/gm);
  return Array.from(changes).flatMap(({ index: at, 1: indent = '', 2: block, 4: directory = '' }) => {
    const between = body.slice(at, index).split('\n').slice(1);
    const hasEnded = between.some(
      (line) => /\S/.test(line) && (/^[ \t]*/.exec(line)?.[0].length ?? 0) <= indent.length,
    );
    const isLast = (/^[ \t]*/.exec(between.at(-1) ?? '')?.[0].length ?? 0) <= indent.length && between.length > 0;
    return block !== undefined && (hasEnded || isLast) ? [] : [directory];
  });
}

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
export const taskTable: Readonly<Record<string, TaskRunner>> = {
  mise: {
    files: ['mise.toml', '.mise.toml', '.config/mise.toml'],
    verbs: ['run', 'r'],
    valued: /^(?:-[CjE]|--(?:cd|jobs|env|output))$/,
    shows: /^(?:-n|--dry-run|--help)$/,
    several: ':::',
    hands: 'all',
    byName: true,
    refers: plainName,
    scripts: ['mise-tasks', '.mise-tasks', 'mise/tasks', '.mise/tasks', '.config/mise/tasks'],
    script: inToml('tasks', 'depends|run|script|depends_post'),
    directory: directoryInToml('tasks', 'dir'),
  },
  pipenv: { files: ['Pipfile'], verbs: ['run'], hands: 'all', script: inToml('scripts', 'cmd') },
  pixi: {
    files: ['pixi.toml', 'pyproject.toml'],
    verbs: ['run', 'r'],
    hands: 'all',
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
    hands: 'rest',
    tasks: scriptsOfComposer,
    refers: /^@(.+)$/,
    script: inJson('scripts'),
  },
  deno: {
    files: ['deno.json', 'deno.jsonc', 'package.json'],
    verbs: ['task'],
    hands: 'all',
    valued: /^(?:-c|--(?:config|cwd))$/,
    script: inJson('tasks', 'scripts'),
  },
  nx: { files: ['project.json'], tasks: targetOfNx, script: inTargets },
  tox: {
    files: ['tox.ini', 'setup.cfg'],
    valued: /^(?:-[cefx]|--(?:conf|root|workdir|runner|override|discover|result-json|hashseed|skip-env))$/,
    shows: /^(?:-[lahn]|--(?:listenvs(?:-all)?|showconfig|notest|help|version))$/,
    lists: /^(?:l|list|c|config)$/,
    tasks: afterOption('-e'),
    usual: environmentsOf,
    chosenBy: 'TOXENV',
    script: inSections,
    directory: directoryOfSection,
  },
  nox: {
    files: ['noxfile.py'],
    shows: /^(?:-[lh]|--(?:list(?:-sessions)?|install-only|help|version))$/,
    tasks: afterOption('-[se]|--sessions?'),
    script: inSessions,
  },
  poe: {
    files: ['pyproject.toml'],
    valued: /^(?:-[Ce]|--(?:directory|root|executor))$/,
    shows: /^(?:-[dh]|--(?:dry-run|help|version))$/,
    hands: 'all',
    refers: plainName,
    script: inPyproject('poe\\.tasks'),
    directory: directoryInToml('tool\\.poe\\.tasks', 'cwd'),
  },
  /** Taskipy; Task's own file comes before. */
  task: { files: ['pyproject.toml'], hands: 'all', script: inPyproject('taskipy\\.tasks') },
  pdm: {
    files: ['pyproject.toml'],
    verbs: ['run'],
    hands: 'all',
    valued: /^(?:-p|--project)$/,
    script: inPyproject('pdm\\.scripts'),
  },
  rye: { files: ['pyproject.toml'], verbs: ['run'], hands: 'all', script: inPyproject('rye\\.scripts') },
  hatch: {
    files: ['pyproject.toml'],
    verbs: ['run'],
    hands: 'asked',
    valued: /^(?:-[ep]|--(?:env|project))$/,
    script: inPyproject('hatch\\.envs\\.\\w+\\.scripts'),
  },
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
