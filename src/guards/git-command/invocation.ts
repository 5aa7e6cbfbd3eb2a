import { resolve } from 'node:path';
import { type Directory, hostPath, isForeign, type Word } from '../../shell/simple-command.ts';
import { beginningOf, isUnknown, known, shown, textOf, withoutPrefix } from './words.ts';

/** One setting that a call brings with it. */
export interface Setting {
  readonly key: Word;
  /** Null: set without a value, which is true as a boolean. */
  readonly value: Word | null;
  /** `-c`, `--config-env`, `GIT_CONFIG_COUNT`, … */
  readonly means: string;
}

/** One call of git, its global options read: git(1). */
export interface Invocation {
  /** Where git stands after every `-C`. */
  readonly directory: Directory;
  readonly gitDir: Word | null;
  readonly workTree: Word | null;
  /** In the order in which git reads them. */
  readonly settings: readonly Setting[];
  /** Variables that say the same as options of this call. */
  readonly variables: ReadonlyMap<string, Word>;
  /** The subcommand and its arguments; empty for `git --version` and the like. */
  readonly words: readonly Word[];
  /** A word among the global options that can't be read. */
  readonly unknownOption: Extract<Word, { kind: 'unknown' }> | null;
}

/** Global options with a value in the next word, or attached by `=`. */
const valued = new Set([
  'git-dir',
  'work-tree',
  'namespace',
  'super-prefix',
  'config-env',
  'shallow-file',
  'attr-source',
]);
/** How pathspecs are read: git(1) "--literal-pathspecs" and others, each with a variable of its own. */
const pathspecOption = /^--(literal|glob|noglob|icase)-pathspecs$/;
/** These print something and end. */
const printing = new Set([
  '--version',
  '-v',
  '--help',
  '-h',
  '--html-path',
  '--man-path',
  '--info-path',
  '--exec-path',
]);

/**
 * Reads git's global options. They have no abbreviations and no bundles.
 *
 * @param words what follows `git`
 * @param lookUp the environment the command runs in
 */
export function readInvocation(
  words: readonly Word[],
  cwd: Directory,
  lookUp: (name: string) => Word | null,
): Invocation {
  let directory = cwd;
  let gitDir = lookUp('GIT_DIR');
  let workTree = lookUp('GIT_WORK_TREE');
  const settings: Setting[] = environmentSettings(lookUp);
  const result = (rest: readonly Word[], unknownOption: Invocation['unknownOption'] = null): Invocation => ({
    directory,
    gitDir,
    workTree,
    settings,
    variables: pathspecVariables(words.slice(0, words.length - rest.length)),
    words: rest,
    unknownOption,
  });
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const text = beginningOf(word);
    if (isUnknown(word) && (text === '' || text === '-' || text === '--')) {
      return result(words.slice(index), word);
    }
    if (!text.startsWith('-')) {
      return result(words.slice(index));
    }
    if (printing.has(text)) {
      return result([]);
    }
    const [name = '', attached] = split(word);
    const takesNext = name === '-C' || name === '-c' || (valued.has(name.slice(2)) && attached === undefined);
    const value = attached ?? (takesNext ? words[index + 1] : undefined);
    index += takesNext ? 1 : 0;
    if (value === undefined) {
      gitDir = name === '--bare' ? known('.') : gitDir;
      continue;
    }
    switch (name) {
      case '-C':
        directory = changeDirectory(directory, value);
        break;
      case '-c':
        settings.push(setting(value, '-c'));
        break;
      case '--git-dir':
        gitDir = value;
        break;
      case '--work-tree':
        workTree = value;
        break;
      case '--config-env':
        settings.push(fromEnvironment(value, lookUp));
        break;
      default:
    }
  }
  return result([]);
}

function pathspecVariables(options: readonly Word[]): ReadonlyMap<string, Word> {
  const readings = options.flatMap((word) => pathspecOption.exec(beginningOf(word))?.[1] ?? []);
  return new Map(readings.map((reading) => [`GIT_${reading.toUpperCase()}_PATHSPECS`, known('1')]));
}

function split(word: Word): [string, Word | undefined] {
  const text = beginningOf(word);
  const equals = text.startsWith('--') ? text.indexOf('=') : -1;
  return equals < 0 ? [text, undefined] : [text.slice(0, equals), withoutPrefix(word, equals + 1)];
}

/** `-C ''` stays where it is: git(1). */
function changeDirectory(from: Directory, to: Word): Directory {
  const path = textOf(to);
  if (isForeign(from) && (path === null || path.startsWith('/'))) {
    return from;
  }
  if (path === null) {
    return { kind: 'unknown', reason: isUnknown(to) ? to.reason : `${shown(to)} is not known` };
  }
  if (path.startsWith('/')) {
    return from.kind === 'known' ? { ...from, path: hostPath(path, from) } : { kind: 'known', path };
  }
  return from.kind === 'unknown' ? from : { ...from, path: resolve(from.path, path) };
}

/** `<name>=<value>`; without `=` the variable is true. */
function setting(word: Word, means: string): Setting {
  const text = beginningOf(word);
  const equals = text.indexOf('=');
  if (equals < 0) {
    return { key: word, value: null, means };
  }
  return { key: known(normalizedKey(text.slice(0, equals))), value: withoutPrefix(word, equals + 1), means };
}

/** `--config-env=<name>=<envvar>` */
function fromEnvironment(word: Word, lookUp: (name: string) => Word | null): Setting {
  const text = beginningOf(word);
  const equals = text.lastIndexOf('=');
  const variable = text.slice(equals + 1);
  const key = equals < 0 || isUnknown(word) ? word : known(normalizedKey(text.slice(0, equals)));
  return { key, value: lookUp(variable), means: '--config-env' };
}

/** GIT_CONFIG_COUNT with its keys and values, then GIT_CONFIG_PARAMETERS: git-config(1) "ENVIRONMENT". */
export function environmentSettings(lookUp: (name: string) => Word | null): Setting[] {
  const settings: Setting[] = [];
  const count = lookUp('GIT_CONFIG_COUNT');
  if (isUnknown(count)) {
    settings.push({ key: count, value: null, means: 'GIT_CONFIG_COUNT' });
  }
  const total = Math.min(Number(textOf(count) ?? 0) || 0, 1000);
  for (let index = 0; index < total; index += 1) {
    const key = lookUp(`GIT_CONFIG_KEY_${index}`);
    if (key !== null) {
      const name = textOf(key);
      settings.push({
        key: name === null ? key : known(normalizedKey(name)),
        value: lookUp(`GIT_CONFIG_VALUE_${index}`),
        means: `GIT_CONFIG_KEY_${index}`,
      });
    }
  }
  const parameters = lookUp('GIT_CONFIG_PARAMETERS');
  if (isUnknown(parameters)) {
    settings.push({ key: parameters, value: null, means: 'GIT_CONFIG_PARAMETERS' });
  } else if (parameters !== null) {
    settings.push(...parseParameters(parameters.kind === 'known' ? parameters.value : ''));
  }
  return settings;
}

/** `'key=value'` of old and `'key'='value'` of newer versions, quoted for a shell and separated by spaces. */
function parseParameters(text: string): readonly Setting[] {
  const quoted = "'(?:[^']|'\\\\[!']')*'";
  const entries = text.matchAll(new RegExp(`(${quoted})(?:=(${quoted})?)?`, 'g'));
  return [...entries].map(([, first = '', second]) => {
    const key = unquote(first);
    return second === undefined
      ? setting(known(key), 'GIT_CONFIG_PARAMETERS')
      : { key: known(normalizedKey(key)), value: known(unquote(second)), means: 'GIT_CONFIG_PARAMETERS' };
  });
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(/'\\([!'])'/g, '$1');
}

/** Section and variable in lower case, the subsection between them as written. */
export function normalizedKey(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  return first < 0
    ? key.toLowerCase()
    : key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

/** The one of these settings that wins: the last; undefined: none is given. @param keys normalized */
export function lastSetting(settings: readonly Setting[], ...keys: readonly string[]): Setting | undefined {
  return settings.findLast(({ key }) => keys.includes(normalizedKey(textOf(key) ?? '')));
}

/** As words of `-c`, for reading the repository as the call would; unknown values are left out. */
export function parametersOf(settings: readonly Setting[]): readonly string[] {
  return settings.flatMap(({ key, value }) => {
    const name = textOf(key);
    const text = value === null ? null : textOf(value);
    if (name === null || !name.includes('.')) {
      return [];
    }
    return value === null ? [name] : text === null ? [] : [`${name}=${text}`];
  });
}
