import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Environment, Git } from '../git/runner.ts';
import { type IgnoreRules, readIgnoreRules } from './ignore-rules.ts';

export interface WalkOptions {
  readonly includeIgnored: boolean;
  /** How many parts a path may have at most. */
  readonly depth: number;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** What a walk could not do. */
export interface WalkReport {
  /** Directories that may not be listed. */
  readonly unreadable: readonly string[];
}

/** Milliseconds after which a walk lets the rest of the program have a turn. */
const turn = 15;

/**
 * Visits every file below a directory. Symbolic links are files here and never followed, so links in a circle do no
 * harm; `.git` is never entered. What git would ignore is left out, even where it is tracked: the rules of .gitignore
 * files (inside a repository those above, too), `.git/info/exclude` and core.excludesFile. Names that are not UTF-8
 * cannot be spelled in an answer and are left out.
 *
 * @param start absolute
 * @param visit gets the path relative to `start`, with `/` between its parts
 * @throws ErrnoException when `start` cannot be listed
 */
export async function walkFiles(
  start: string,
  options: WalkOptions,
  visit: (path: string) => void,
): Promise<WalkReport> {
  const unreadable: string[] = [];
  const outer = options.includeIgnored ? [] : await rulesAbove(start, options.env);
  const pending: Directory[] = [{ path: '', depth: 1, rules: outer }];
  let until = performance.now() + turn;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    if (performance.now() > until) {
      await setImmediate();
      options.signal.throwIfAborted();
      until = performance.now() + turn;
    }
    const entries = list(start, directory.path, unreadable);
    const rules = options.includeIgnored ? [] : withRulesOf(start, directory, entries);
    for (const entry of entries) {
      const path = directory.path === '' ? entry.name : `${directory.path}/${entry.name}`;
      const isDirectory = entry.isDirectory();
      if (entry.name === '.git' || entry.name.includes('\uFFFD') || isIgnored(rules, path, isDirectory)) {
        continue;
      }
      if (!isDirectory) {
        visit(path);
      } else if (directory.depth < options.depth) {
        pending.push({ path, depth: directory.depth + 1, rules });
      }
    }
  }
  return { unreadable };
}

interface Directory {
  /** Relative to the start, empty for it. */
  readonly path: string;
  readonly depth: number;
  readonly rules: readonly PlacedRules[];
}

/** Rules and where they apply; the last in a list are the nearest. */
interface PlacedRules {
  readonly rules: IgnoreRules;
  /** Makes a path relative to the walk's start one that is relative to the rules' directory. */
  readonly place: (path: string) => string;
}

function list(start: string, path: string, unreadable: string[]): readonly Dirent[] {
  try {
    return readdirSync(path === '' ? start : `${start}/${path}`, { withFileTypes: true });
  } catch (error) {
    if (path === '') {
      throw error;
    }
    unreadable.push(path);
    return [];
  }
}

function isIgnored(rules: readonly PlacedRules[], path: string, isDirectory: boolean): boolean {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const placed = rules[index];
    const verdict = placed?.rules.verdict(placed.place(path), isDirectory) ?? null;
    if (verdict !== null) {
      return verdict;
    }
  }
  return false;
}

function withRulesOf(start: string, { path, rules }: Directory, entries: readonly Dirent[]): readonly PlacedRules[] {
  if (!entries.some(({ name }) => name === '.gitignore')) {
    return rules;
  }
  const own = readIgnoreRules(join(start, path, '.gitignore'));
  const skipped = path === '' ? 0 : path.length + 1;
  return own === null ? rules : [...rules, { rules: own, place: (below) => below.slice(skipped) }];
}

/** The rules that apply to a directory from outside of it: of the repository it is in, and of the person. */
async function rulesAbove(start: string, env: Environment): Promise<readonly PlacedRules[]> {
  const top = repositoryTop(start);
  if (top === null) {
    return [];
  }
  const below = (directory: string) => {
    const prefix = relative(directory, start).split(sep).join('/');
    return prefix === '' ? (path: string) => path : (path: string) => `${prefix}/${path}`;
  };
  const files: (readonly [file: string, directory: string])[] = [
    [await excludesFile(top, env), top],
    [join(commonDirectory(top), 'info', 'exclude'), top],
  ];
  const between: string[] = [];
  for (let directory = start; directory !== top; directory = dirname(directory)) {
    between.unshift(dirname(directory));
  }
  files.push(...between.map((directory) => [join(directory, '.gitignore'), directory] as const));
  return files.flatMap(([file, directory]) => {
    const rules = readIgnoreRules(file);
    return rules === null ? [] : [{ rules, place: below(directory) }];
  });
}

function repositoryTop(start: string): string | null {
  for (let directory = start; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) {
      return directory;
    }
    if (directory === dirname(directory)) {
      return null;
    }
  }
}

/** In a linked worktree or a submodule, `.git` is a file that names the git directory (gitrepository-layout(5)). */
function commonDirectory(top: string): string {
  try {
    const gitDirectory = resolve(
      top,
      readFileSync(join(top, '.git'), 'utf8')
        .replace(/^gitdir: /, '')
        .trim(),
    );
    const common = join(gitDirectory, 'commondir');
    return existsSync(common) ? resolve(gitDirectory, readFileSync(common, 'utf8').trim()) : gitDirectory;
  } catch {
    return join(top, '.git');
  }
}

/** core.excludesFile, or its default (gitignore(5)). */
async function excludesFile(top: string, env: Environment): Promise<string> {
  const fallback = join(env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), '.config'), 'git', 'ignore');
  try {
    const output = await new Git({ cwd: top, env }).run(['config', '--type=path', '--get', 'core.excludesFile']);
    return output.exitCode === 0 ? output.stdout.toString('utf8').replace(/\n$/, '') : fallback;
  } catch {
    // Without git, or in a repository that git refuses, the rules of the tree itself still hold.
    return fallback;
  }
}
