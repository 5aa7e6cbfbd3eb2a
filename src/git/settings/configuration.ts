import type { Location } from '../discovery.ts';
import { gitFailure } from '../git-failure.ts';
import { Git, type GitContext } from '../runner.ts';
import { type ConfigurationEntry, parseBoolean } from './configuration-entry.ts';
import { type RememberedConfiguration, rememberedConfiguration } from './remembered-configuration.ts';

/** git's effective configuration for one repository and environment. */
export interface GitConfiguration {
  readonly entries: readonly ConfigurationEntry[];
  /** The last value of a variable; null when unset (or set without a value). */
  get(key: string): string | null;
  /** Every value of a variable, in git's order; variables without a value are left out. */
  getAll(key: string): readonly string[];
  /** git's boolean rules (git-config(1) "Values"); `fallback` when unset or no boolean. */
  getBoolean(key: string, fallback: boolean): boolean;
  /** Subsections of a section, in order of appearance: `subsections('remote')`. */
  subsections(section: string): readonly string[];
}

/**
 * Reads git's whole effective configuration in one process, or none where it is remembered: all scopes, includes, `-c`
 * and GIT_CONFIG_* of the environment. Scopes are `unknown` before git 2.26.
 */
export async function readConfiguration(git: Git, location: Location): Promise<GitConfiguration> {
  const { parameters = [], ...context } = git.context;
  if (parameters.some((parameter) => /^safe\./i.test(parameter))) {
    // Without them git may not read the repository's own file.
    return readFromGit(git, null);
  }
  if (parameters.length > 0) {
    const without = await readConfiguration(new Git(context), location);
    return withParameters(without, parameters) ?? readFromGit(git, null);
  }
  const memory = rememberedConfiguration(git.context, location);
  const known = memory?.recall() ?? null;
  return known === null ? readFromGit(git, memory) : configurationOf(known);
}

/** A setting of the user or the system, where no repository is. */
export async function readUserSetting(context: GitContext, key: string): Promise<string | null> {
  const output = await new Git(context).run(['config', '--get', key], { pinSettings: false });
  return output.exitCode === 0 ? output.stdout.toString('utf8').trimEnd() : null;
}

async function readFromGit(git: Git, memory: RememberedConfiguration | null): Promise<GitConfiguration> {
  const scoped = ['config', '--list', '-z', '--show-scope', '--show-origin'];
  const output = await git.run(scoped, { pinSettings: false });
  if (output.exitCode === 0) {
    const { entries, origins } = parseScopedList(output.stdout.toString('utf8'));
    memory?.keep(entries, origins);
    return configurationOf(entries);
  }
  const isUsageError = output.exitCode === 129;
  if (!isUsageError) {
    throw gitFailure(scoped, output);
  }
  return configurationOf(parseList(await git.text(['config', '--list', '-z'], { pinSettings: false })));
}

/**
 * The configuration with the words of `-c`, which git puts behind everything else: git(1).
 *
 * @returns null where git itself must say: it would refuse a word, or read other files because of it
 */
export function withParameters({ entries }: GitConfiguration, parameters: readonly string[]): GitConfiguration | null {
  // `includeIf.hasconfig:remote.*.url:…`
  const dependsOnOthers = entries.some(({ key }) => key.startsWith('includeif.hasconfig:'));
  const isPlain = (parameter: string) => plainParameter.test(parameter) && !/^include(?:if)?\./i.test(parameter);
  if (dependsOnOthers || !parameters.every(isPlain)) {
    return null;
  }
  const added = parameters.map((parameter) => entryOf(parameter.replace('=', '\n'), 'command'));
  return configurationOf([...entries, ...added]);
}

/** git-config(1) "Syntax": what a section and a variable may be called, and a subsection between them. */
const plainParameter = /^[a-z0-9-]+\.(?:[^=\n\0]*\.)?[a-z][a-z0-9-]*(?:=[^\0]*)?$/i;

/** Parses `git config --list -z`: each variable is `key`, or `key LF value`, ended by NUL. */
export function parseList(text: string): readonly ConfigurationEntry[] {
  return fields(text).map((variable) => entryOf(variable, 'unknown'));
}

export interface ScopedList {
  readonly entries: readonly ConfigurationEntry[];
  /** Where they came from: `file:.git/config`. */
  readonly origins: ReadonlySet<string>;
}

/** Parses `git config --list -z --show-scope --show-origin`: scope, origin and variable in turn, each ended by NUL. */
export function parseScopedList(text: string): ScopedList {
  const parts = fields(text);
  const entries: ConfigurationEntry[] = [];
  const origins = new Set<string>();
  for (let index = 0; index + 2 < parts.length; index += 3) {
    entries.push(entryOf(parts[index + 2] ?? '', scopeOf(parts[index] ?? '')));
    origins.add(parts[index + 1] ?? '');
  }
  return { entries, origins };
}

/** A configuration over entries that are already known. */
export function configurationOf(entries: readonly ConfigurationEntry[]): GitConfiguration {
  const byKey = new Map<string, (string | null)[]>();
  for (const { key, value } of entries) {
    const values = byKey.get(key);
    if (values === undefined) {
      byKey.set(key, [value]);
    } else {
      values.push(value);
    }
  }
  const valuesOf = (key: string) => byKey.get(normalizeKey(key)) ?? none;
  const subsections = new Map<string, readonly string[]>();
  return {
    entries,
    get: (key) => valuesOf(key).at(-1) ?? null,
    getAll: (key) => valuesOf(key).filter((value) => value !== null),
    getBoolean: (key, fallback) => {
      const value = valuesOf(key).at(-1);
      return value === undefined ? fallback : (parseBoolean(value) ?? fallback);
    },
    subsections: (section) => {
      const found = subsections.get(section) ?? subsectionsOf(byKey.keys(), section.toLowerCase());
      subsections.set(section, found);
      return found;
    },
  };
}

const none: readonly never[] = [];

/** Section and variable in lower case, the subsection between them as written. */
export function normalizeKey(key: string): string {
  // Asked for thousands of times, nearly always as it is kept.
  if (key === key.toLowerCase()) {
    return key;
  }
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  if (first === -1) {
    return key.toLowerCase();
  }
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

function subsectionsOf(keys: Iterable<string>, section: string): readonly string[] {
  const found = new Set<string>();
  for (const key of keys) {
    const last = key.lastIndexOf('.');
    if (key.startsWith(`${section}.`) && last > section.length) {
      found.add(key.slice(section.length + 1, last));
    }
  }
  return [...found];
}

function fields(text: string): readonly string[] {
  const parts = text.split('\0');
  parts.pop();
  return parts;
}

function entryOf(variable: string, scope: ConfigurationEntry['scope']): ConfigurationEntry {
  const end = variable.indexOf('\n');
  return end === -1
    ? { key: normalizeKey(variable), value: null, scope }
    : { key: normalizeKey(variable.slice(0, end)), value: variable.slice(end + 1), scope };
}

const scopes = ['system', 'global', 'local', 'worktree', 'command'] as const;

function scopeOf(text: string): ConfigurationEntry['scope'] {
  return scopes.find((scope) => scope === text) ?? 'unknown';
}
