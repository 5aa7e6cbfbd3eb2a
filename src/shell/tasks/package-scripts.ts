import { type Call, type ProgramReader, type Shell, through, throughPassing } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { changed, doubtful, either, type Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { isRecord, parsedJson } from './json-values.ts';
import { isOwnCommand } from './manager-commands.ts';
import { directoryIn, operandAt, scriptWords } from './manager-words.ts';
import { versionCommit } from './release-tools.ts';
import { workspaceDirectories } from './workspaces.ts';

/** Scripts that npm runs under a name of their own (npm-run-script(1)). */
export const lifecycle: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};
/** Scripts that other commands of npm run, in order: npm-scripts(7) "LIFE CYCLE OPERATION ORDER". */
const installation = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
/** In the place of a script: the commit that `npm version` makes itself. */
const ownCommit = ' commit';
const operations: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    (
      'install i in ins inst insta instal isnt isnta isntal isntall add ci clean-install ic install-clean isntall-clean ' +
      'install-test it install-ci-test cit clean-install-test sit link ln'
    )
      .split(' ')
      .map((name) => [name, installation]),
  ),
  version: ['preversion', 'version', ownCommit, 'postversion'],
  pack: ['prepack', 'prepare', 'postpack'],
  publish: ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish'],
};
/** Commands whose operands are packages, whatever scripts there are of their names. */
const aboutPackages =
  /^(?:remove|rm|uninstall|un|update|up|upgrade|outdated|why|explain|ls|list|ll|view|info|show|search|link|unlink|patch|create|init|config|pkg|exec|dlx|x)$/;
/** `npm run`, and its other names: npm-run(1). */
export const packageRunners: readonly string[] = ['run', 'run-script', 'rum', 'urn'];
const runners = new Set(packageRunners);
export const packageManagers: readonly string[] = ['npm', 'yarn', 'pnpm', 'bun'];

/** `npm run x`, `npm test`, `yarn x`, `pnpm x`, `bun run x`: the script of a readable package.json, with its pre and post scripts. */
function readPackageScript(call: Call, shell: Shell): Outcome | null {
  const [program, ...given] = call.argv;
  const manager = program?.kind === 'known' ? program.value.replace(/^.*\//, '') : '';
  const said = given.filter((word) => !isMostlyNothing(word));
  const words = manager === 'yarn' ? withoutWorkspace(said) : said;
  const directory = directoryIn(manager, words);
  const { cwd } = call.state;
  if (cwd.kind !== 'known' || directory === null) {
    return null;
  }
  const base = directory.startsWith('/') ? directory : directory === '' ? cwd.path : `${cwd.path}/${directory}`;
  const scripts = findScripts(base, shell);
  const { at, subcommand, isRun, nameAt } = readManagerWords(manager, words, scripts);
  // Without a word, yarn installs what the project needs.
  const isInstall =
    manager === 'yarn' && words[at] === undefined && !given.some((word) => /^-[hv-]/.test(beginningOf(word)));
  const name = isInstall ? knownWord('install') : words[nameAt];
  if (name?.kind !== 'known') {
    return null;
  }
  if (subcommand === 'pkg' && beginningOf(words[at + 1]) === 'set') {
    setScripts(words.slice(at + 2), packagesMeant(given, base, shell), shell);
    return null;
  }
  const operation = isInstall ? 'install' : subcommand;
  // `npm link PACKAGE` takes that one into this; without a word this one is installed for all, as `npm install -g .` does.
  const isOther = /^(?:link|ln)$/.test(subcommand) && (manager !== 'npm' || words.length > nameAt + 1);
  if (!isRun && !isOther && Object.hasOwn(operations, operation)) {
    return runOperation(operations[operation] ?? [], call, scripts, shell);
  }
  const script = scriptName(manager, isRun, name.value);
  const isForAll = words.length < said.length || given.some((word) => workspaceOption.test(beginningOf(word)));
  const around = script === null ? [] : scriptsAround(base, isForAll, shell);
  const { args, variables } = scriptWords(manager, words.slice(nameAt + 1));
  const inner = { ...call, state: withAssignments(call.state, variables) };
  // npm-run(1): without a script of that name, it is the program.
  if (manager === 'npm' && script === 'env' && scripts !== null && scripts.texts.env === undefined) {
    const frame = through(call.frame, 'npm run env');
    return shell.run({ ...inner, frame, argv: [knownWord('env'), ...args], lookup: 'programs' });
  }
  const places = around.map((there) => ({ call: inner, scripts: there, label: `${manager} run ${script}` }));
  const there = { ...inner, state: changed(inner.state, { cwd: { ...cwd, path: base } }) };
  return (
    runScripts(script === null ? [] : [script], args, places, shell) ??
    (startsPrograms(manager, isRun, name.value) ? runProgram(manager, words.slice(nameAt), there, shell) : null)
  );
}

/**
 * Without a script of that name it is a program: `pnpm help`, "pnpm [command]"; `yarn run --help`; `bun run --help`.
 */
function startsPrograms(manager: string, isRun: boolean, name: string): boolean {
  return manager === 'bun' ? isRun && /^[\w-]+$/.test(name) : manager !== 'npm' && (isRun || !isOwnCommand(name));
}

/** Null for bun, which may run a file of that name. */
function runProgram(manager: string, argv: readonly Word[], call: Call, shell: Shell): Outcome | null {
  const outcome = shell.run({ ...call, argv, frame: throughPassing(call.frame, manager), lookup: 'programs' });
  return manager === 'bun' ? null : outcome;
}

/** `npm $FLAGS run x`: a variable that the line doesn't set. */
function isMostlyNothing(word: Word): boolean {
  return (
    word.kind === 'unknown' &&
    word.mayExpandToSeveral &&
    word.ownValueOf !== undefined &&
    word.mayBe === undefined &&
    word.prefix + word.suffix === ''
  );
}

/** Where a manager's words have its command, and the name of a script: the same word, where no `run` stands before it. */
function readManagerWords(
  manager: string,
  words: readonly Word[],
  scripts: Scripts | null,
): { readonly at: number; readonly subcommand: string; readonly isRun: boolean; readonly nameAt: number } {
  const isScript = (text: string) => scripts !== null && namesIn(scripts.texts, text).length > 0;
  const isCommand = (text: string) =>
    runners.has(text) || Object.hasOwn(lifecycle, text) || Object.hasOwn(operations, text) || aboutPackages.test(text);
  const at = operandAt(manager, words, 0, (text) => isCommand(text) || (manager !== 'npm' && isScript(text)));
  const subcommand = beginningOf(words[at]);
  const isRun = runners.has(subcommand);
  return { at, subcommand, isRun, nameAt: isRun ? operandAt(manager, words, at + 1, isScript) : at };
}

const workspaceOption = /^(?:-r|--recursive|-ws|--workspaces|(?:-w|--workspace|-F|--filter)(?:=|$))/;

/** `yarn workspaces foreach -A run x`, `yarn workspace NAME x`: what it runs there. */
function withoutWorkspace(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => /^workspaces?$/.test(beginningOf(word)));
  if (at !== 0) {
    return words;
  }
  const isOne = beginningOf(words[0]) === 'workspace';
  const rest = words.slice(isOne ? 2 : 1);
  const verb = rest.findIndex((word) => runners.has(beginningOf(word)));
  return isOne ? rest : rest.slice(verb < 0 ? rest.length : verb);
}

/** The scripts of the nearest package.json, and those of the packages of its workspace. */
export function scriptsAround(start: string, withPackages: boolean, shell: Shell): readonly Scripts[] {
  const nearest = findScripts(start, shell);
  const packages = nearest === null || !withPackages ? [] : workspaceDirectories(nearest.directory, shell);
  const others = packages.flatMap((directory) => {
    const text = shell.overlay.tasks(`${directory}/package.json`);
    return text === null ? [] : [{ directory, texts: parseScripts(text) }];
  });
  return nearest === null ? [] : [nearest, ...others];
}

/** Runs scripts with their pre and post scripts wherever they are; null: nowhere. */
export function runScripts(
  names: readonly string[],
  args: readonly Word[],
  places: readonly ScriptPlace[],
  shell: Shell,
): Outcome | null {
  const found = names.flatMap((name) =>
    places.flatMap((place) => scriptsNamed(place.scripts.texts, name).map((one) => [one, place] as const)),
  );
  const [first] = found;
  if (first === undefined) {
    return null;
  }
  const [, { call }] = first;
  shell.emitCommand(call);
  for (const [name, place] of found) {
    for (const part of ignoresScripts(call) ? [name] : [`pre${name}`, name, `post${name}`]) {
      runScript(part, part === name ? args : [], place, shell);
    }
  }
  return either(call.state);
}

/** npm-restart(1): without a script of its own, stop and start. */
function scriptsNamed(texts: Scripts['texts'], name: string): readonly string[] {
  const isOwn = name !== 'restart' || Object.hasOwn(texts, name);
  return (isOwn ? [name] : ['prerestart', 'stop', 'start', 'postrestart']).flatMap((one) => namesIn(texts, one));
}

/** `--ignore-scripts`: what is asked for by its name runs, nothing beside it (npm-run-script(1)). */
function ignoresScripts({ argv }: Call): boolean {
  const end = argv.findIndex((word) => beginningOf(word) === '--');
  return argv
    .slice(0, end < 0 ? undefined : end)
    .some((word) => /^--ignore-scripts(?:=true)?$/.test(beginningOf(word)));
}

/** The scripts that a name stands for: `npm-run-all 'build:*'`, `pnpm run '/^build:/'`. */
function namesIn(texts: Scripts['texts'], name: string): readonly string[] {
  if (Object.hasOwn(texts, name)) {
    return [name];
  }
  const start = name.split('*', 1)[0] ?? '';
  const end = name.slice(name.lastIndexOf('*') + 1);
  const [, fixed] = /^\/\^?([\w:.-]+)\$?\/$/.exec(name) ?? [];
  const fits = (script: string) =>
    fixed === undefined ? start !== name && script.startsWith(start) && script.endsWith(end) : script.includes(fixed);
  return Object.keys(texts).filter(fits);
}

/** `node --run x -- …` (Node 22): one script of the nearest package.json, without its pre and post scripts. */
function readNodeRun(call: Call, shell: Shell): Outcome | null {
  const words = call.argv.slice(1);
  const texts = words.map((word) => (word.kind === 'known' ? word.value : ''));
  const at = texts.findIndex((text) => text === '--run' || text.startsWith('--run='));
  const { cwd } = call.state;
  const name = texts[at] === '--run' ? texts[at + 1] : texts[at]?.slice('--run='.length);
  const scripts = at === -1 || cwd.kind !== 'known' ? null : findScripts(cwd.path, shell);
  if (scripts === null || name === undefined || !Object.hasOwn(scripts.texts, name)) {
    return null;
  }
  shell.emitCommand(call);
  const separator = texts.indexOf('--', at);
  const args = separator === -1 ? [] : words.slice(separator + 1);
  runScript(name, args, { call, scripts, label: `node --run ${name}` }, shell);
  return either(call.state);
}

export interface ScriptPlace {
  readonly call: Call;
  readonly scripts: Scripts;
  readonly label: string;
}

function runScript(name: string, args: readonly Word[], { call, scripts, label }: ScriptPlace, shell: Shell): void {
  const text = scripts.texts[name];
  if (text !== undefined) {
    const state = changed(call.state, { cwd: { kind: 'known', path: scripts.directory } });
    const source = args.length === 0 ? text : `${text} "$@"`;
    shell.runProcess({ ...call, state }, source, { label, name: knownWord('sh'), positional: args });
  }
}

/** What npm runs beside what it is asked for; `--ignore-scripts` keeps it from that. */
function runOperation(parts: readonly string[], call: Call, scripts: Scripts | null, shell: Shell): Outcome | null {
  const own = parts.flatMap((part) => scripts?.texts[part] ?? []);
  const onlyHelps = call.argv.some((word) => /^(?:--help|-h)$/.test(beginningOf(word)));
  if (own.length === 0 || scripts === null || onlyHelps || ignoresScripts(call)) {
    return null;
  }
  const given = parts.flatMap((part) => (part === ownCommit ? versionCommit(call, shell) : scripts.texts[part]) ?? []);
  shell.emitCommand(call);
  const state = { ...doubtful(call.state), cwd: { kind: 'known', path: scripts.directory } as const };
  for (const text of given) {
    const process = { label: 'npm', name: knownWord('sh'), positional: [] };
    shell.runProcess({ ...call, state }, text, process);
  }
  return either(call.state);
}

/**
 * The directories of the packages that `-w` names, by their names or where they lie; all of them where that is not known,
 * or they are asked for. Without such an option, the one at hand.
 */
function packagesMeant(given: readonly Word[], root: string, shell: Shell): readonly string[] {
  const texts = given.map(beginningOf);
  const names = texts.flatMap((text, at) => {
    const [, attached] = /^(?:-w|--workspace)(?:=(.+))?$/.exec(text) ?? [undefined, null];
    return attached === null ? [] : [attached ?? texts[at + 1] ?? ''];
  });
  if (!texts.some((text) => workspaceOption.test(text))) {
    return [root];
  }
  const all = workspaceDirectories(findScripts(root, shell)?.directory ?? root, shell);
  const isNamed = (place: string) => {
    const { name } = parsed(shell.overlay.tasks(`${place}/package.json`) ?? '');
    return names.some((one) => one === name || place.endsWith(`/${one.replace(/^\.?\/|\/$/g, '')}`));
  };
  const named = all.filter(isNamed);
  return named.length > 0 ? named : all;
}

/** `npm pkg set scripts.NAME=COMMAND` (npm-pkg(1)). */
function setScripts(words: readonly Word[], places: readonly string[], shell: Shell): void {
  const made = words.flatMap((word) => {
    const [, name, command] = /^scripts[.[]([^=\]]+)\]?=([\s\S]*)$/.exec(word.kind === 'known' ? word.value : '') ?? [];
    return name === undefined || command === undefined ? [] : [[name, command] as const];
  });
  for (const scripts of made.length > 0 ? places.flatMap((place) => findScripts(place, shell) ?? []) : []) {
    const path = `${scripts.directory}/package.json`;
    const manifest = parsed(shell.overlay.tasks(path) ?? '');
    const texts = { ...scripts.texts, ...Object.fromEntries(made) };
    shell.overlay.write(path, knownWord(JSON.stringify({ ...manifest, scripts: texts })), false);
  }
}

/** All but npm take a word that is no command of theirs for a script's name. */
function scriptName(manager: string, isRun: boolean, name: string): string | null {
  if (isRun) {
    return name;
  }
  return lifecycle[name] ?? (manager === 'npm' ? null : name);
}

export interface Scripts {
  readonly directory: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** The scripts of the nearest package.json, as npm looks for it: here, then in the directories above. */
function findScripts(start: string, shell: Shell): Scripts | null {
  let directory = start;
  for (let level = 0; level < 32; level += 1) {
    const text = shell.overlay.tasks(directory === '/' ? '/package.json' : `${directory}/package.json`);
    if (text !== null) {
      return { directory, texts: knownScripts(text) };
    }
    const parent = directory.replace(/\/[^/]*$/, '');
    if (parent === directory || parent === '') {
      return null;
    }
    directory = parent;
  }
  return null;
}

/** The last package.json that was read: scripts call each other. */
let last: { readonly text: string; readonly scripts: Scripts['texts'] } | null = null;

function knownScripts(text: string): Scripts['texts'] {
  if (last?.text !== text) {
    last = { text, scripts: parseScripts(text) };
  }
  return last.scripts;
}

function parseScripts(text: string): Readonly<Record<string, string>> {
  const { scripts } = parsed(text);
  const entries = isRecord(scripts) ? Object.entries(scripts) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(text);
  return isRecord(value) ? value : {};
}

export const packageScripts: readonly (readonly [string, ProgramReader])[] = [
  ...packageManagers.map((name) => [name, readPackageScript] as const),
  ['node', readNodeRun],
];
