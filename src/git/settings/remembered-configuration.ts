import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Location } from '../discovery.ts';
import { readText, realPath, removeRemains } from '../files.ts';
import type { Environment, GitContext } from '../runner.ts';
import type { ConfigurationEntry } from './configuration-entry.ts';

/**
 * git's effective configuration, kept from one process to the next together with what tells that it is still the
 * same: the files that it came from, those that it could come from, git itself, and the variables that say where they
 * are. A process costs a hook 12 ms of processor time, with what node must load to start one; ten times `stat` nothing.
 *
 * Not kept: what an include, the environment or a command line adds, because more than files decides it; what came
 * from files that have just been changed, because a second change could leave no trace in their times; secrets.
 */
export interface RememberedConfiguration {
  /** The entries, as long as nothing has changed. */
  recall(): readonly ConfigurationEntry[] | null;
  /**
   * Keeps what git has just read. Best effort.
   *
   * @param origins where the entries came from, as `git config --show-origin` names it
   */
  keep(entries: readonly ConfigurationEntry[], origins: ReadonlySet<string>): void;
}

/** Milliseconds. A system-wide file where none was may be created in a place that only git knows. */
const maxAge = 60 * 60_000;
/** Milliseconds; the coarsest times that file systems keep are two seconds apart, others those of the kernel's ticks. */
const settled = { coarse: 2000, fine: 100 } as const;
/** Raised whenever {@link ConfigurationEntry} changes its shape. */
const version = 1;

interface Kept {
  readonly version: typeof version;
  readonly at: number;
  readonly surroundings: string;
  /** Paths and what `stat` said of them. */
  readonly files: readonly (readonly [string, string])[];
  readonly entries: readonly ConfigurationEntry[];
}

/** @returns null where more than files decides what git would read */
export function rememberedConfiguration(
  { env, cwd, parameters = [] }: GitContext,
  location: Location,
  now = Date.now(),
): RememberedConfiguration | null {
  const git = programOnPath(env);
  if (git === null || parameters.length > 0 || !dependsOnFilesAlone(env)) {
    return null;
  }
  const path = join(location.gitDir, 'oxide-guard', 'git-configuration.json');
  const surroundings = JSON.stringify([
    location.gitDir,
    location.commonDir,
    git,
    process.geteuid?.() ?? null,
    ...locators.map((name) => env[name] ?? null),
  ]);
  return {
    recall: () => {
      const kept = readKept(path);
      const isCurrent =
        kept !== null &&
        kept.surroundings === surroundings &&
        Math.abs(now - kept.at) < maxAge &&
        kept.files.every(([file, stat]) => statOf(file) === stat);
      return isCurrent ? kept.entries : null;
    },
    keep: (entries, origins) => {
      const files = filesOf(origins, cwd);
      if (files === null || entries.some(isUnfit)) {
        return;
      }
      const watched = [...new Set([git, ...places(env, location, git), ...files])];
      if (watched.every((file) => isSettled(file, now))) {
        const stats = watched.map((file) => [file, statOf(file)] as const);
        writeKept(path, { version, at: now, surroundings, files: stats, entries });
      }
    },
  };
}

/** git-config(1) "FILES" and "ENVIRONMENT": what says where the files are. */
const locators = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'] as const;

function dependsOnFilesAlone(env: Environment): boolean {
  const carriers = ['GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT'];
  const isPlain = (name: string): boolean => env[name] === undefined || env[name] === '' || isAbsolute(env[name]);
  return (
    process.platform !== 'win32' &&
    carriers.every((name) => env[name] === undefined) &&
    ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'].every(isPlain)
  );
}

/** Where git looks for files, whether they are there or not. */
function places(env: Environment, { gitDir, commonDir }: Location, git: string): readonly string[] {
  const home = env.HOME ?? '';
  return [
    '/etc/gitconfig',
    join(dirname(dirname(git)), 'etc', 'gitconfig'),
    ...(env.GIT_CONFIG_SYSTEM ? [env.GIT_CONFIG_SYSTEM] : []),
    ...(env.GIT_CONFIG_GLOBAL ? [env.GIT_CONFIG_GLOBAL] : []),
    ...(home === '' ? [] : [join(home, '.gitconfig')]),
    join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config'),
    join(commonDir, 'config'),
    join(gitDir, 'config.worktree'),
  ];
}

/** Null where something else than a file was among them. */
function filesOf(origins: ReadonlySet<string>, cwd: string): readonly string[] | null {
  const files = [...origins].map((origin) => (origin.startsWith('file:') ? resolve(cwd, origin.slice(5)) : null));
  return files.every((file) => file !== null) ? files : null;
}

function isUnfit({ key }: ConfigurationEntry): boolean {
  return /^include(?:if)?\./.test(key) || /extraheader|passw|token|secret/i.test(key);
}

function programOnPath({ PATH = '' }: Environment): string | null {
  for (const directory of PATH.split(delimiter)) {
    // Not `join`, which reads each path letter by letter: the list is long.
    const path = `${directory}/git`;
    if (isAbsolute(directory) && existsSync(path)) {
      return realPath(path);
    }
  }
  return null;
}

function statOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

function isSettled(path: string, now: number): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) {
      return true;
    }
    // The time of the last modification can be set back, that of the last change cannot.
    const changed = Math.max(stat.mtimeMs, stat.ctimeMs);
    const isFine = changed % 1000 !== 0;
    return now - changed > (isFine ? settled.fine : settled.coarse);
  } catch {
    // Below a file (HOME may be one) there is nothing, and what this program can't look at git can't read.
    return true;
  }
}

function readKept(path: string): Kept | null {
  const text = readText(path);
  if (text === null) {
    return null;
  }
  try {
    const kept = JSON.parse(text) as Partial<Kept>;
    return kept.version === version ? (kept as Kept) : null;
  } catch {
    return null;
  }
}

function writeKept(path: string, kept: Kept): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, JSON.stringify(kept), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    removeRemains(temporary);
  }
}
