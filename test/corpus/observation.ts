import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cleanEnvironment } from './states/build.ts';

/** What can be seen of one repository: a work tree, a linked one, or a bare remote. */
export interface RepositoryObservation {
  /** Every ref and HEAD by name, with its object name. */
  readonly refs: ReadonlyMap<string, string>;
  /** Commits that HEAD or a ref reaches, the stash left out. */
  readonly reachable: ReadonlySet<string>;
  /** Every object that the store holds. */
  readonly objects: ReadonlySet<string>;
  readonly reflogEntries: number;
  readonly config: ReadonlyMap<string, string>;
  /** What tells whether a bare repository has changed; empty: it is asked every time. */
  readonly stamp: string;
}

/** A sandbox at a moment. Repositories by their path in it (`work`, `origin.git`). */
export interface Observation {
  readonly repositories: ReadonlyMap<string, RepositoryObservation>;
  /** Contents (by the name of their blob) that a work tree, an index or a stash holds and no commit. */
  readonly uncommitted: ReadonlySet<string>;
  /** Contents of all files in the sandbox and of all blobs that refs, stashes and indexes reach. */
  readonly contents: ReadonlySet<string>;
  /** Every file outside of git directories, by path, with the hash of its content; and the hooks. */
  readonly files: ReadonlyMap<string, string>;
  /** One line per hook that ran, and per call of a recorded program. */
  readonly hooksRan: readonly string[];
  readonly calls: readonly string[];
}

/** What a shell prints that asks git, section by section; each ends with a line of its own. */
const endOfSection = '\n== end of section ==\n';

/** Asks git in one shell, for starting a process costs most of what an observation does. */
function sections(sandbox: string, directory: string, commands: readonly string[]): Promise<readonly string[]> {
  const script = commands.map((command) => `${command} 2>/dev/null; printf '${endOfSection.replaceAll('\n', '\\n')}'`);
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-c', `git() { command git -c core.fsmonitor=false "$@"; }; ${script.join('; ')}`],
      { cwd: directory, env: cleanEnvironment(sandbox), maxBuffer: 1 << 26 },
      (_error, stdout) => {
        const told = stdout.split(endOfSection);
        resolve(commands.map((_, at) => told[at] ?? ''));
      },
    );
  });
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function parseConfiguration(text: string): Map<string, string> {
  const config = new Map<string, string>();
  for (const entry of text.split('\0').filter(Boolean)) {
    const [key = '', ...value] = entry.split('\n');
    config.set(key, `${config.has(key) ? `${config.get(key)}\n` : ''}${value.join('\n')}`);
  }
  return config;
}

function parseRefs(text: string): Map<string, string> {
  return new Map(
    lines(text).map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1), line.slice(0, space)];
    }),
  );
}

/** A repository, and the blobs that it holds. */
interface Observed extends RepositoryObservation {
  /** Refs reach them. */
  readonly committed: readonly string[];
  /** Only a stash, the index or the work tree has them. */
  readonly uncommitted: readonly string[];
}

/** What a bare repository is asked for: its refs and commits only. */
const ofBare = ['git show-ref', 'git rev-list --exclude=refs/stash --all'];

/** Every object that these reach. */
const reach = 'git rev-list --objects --no-object-names';

/** What any other is asked for. @param heads commits that only linked work trees name */
function ofWorkTree(heads: readonly string[]): readonly string[] {
  return [
    'git show-ref --head',
    `${reach} --exclude=refs/stash --all ${heads.join(' ')}`,
    "git cat-file --batch-all-objects --batch-check='%(objectname) %(objecttype)'",
    'git reflog show --all --format=%H',
    'git config --local --list -z',
    'git ls-files -s',
    'git ls-files -o -m --exclude-standard -z',
  ];
}

async function observeBare(sandbox: string, directory: string, stamp: string): Promise<Observed> {
  const [refText = '', reached = ''] = await sections(sandbox, directory, ofBare);
  const nothing = { objects: new Set<string>(), reflogEntries: 0, config: new Map<string, string>() };
  const reachable = new Set(lines(reached));
  return { refs: parseRefs(refText), reachable, ...nothing, stamp, committed: [], uncommitted: [] };
}

/** @param files all of the sandbox, by path, with the hash of each content */
async function observeWorkTree(
  sandbox: string,
  directory: string,
  files: ReadonlyMap<string, string>,
): Promise<Observed> {
  const asked = await sections(sandbox, directory, ofWorkTree(headsOfWorktrees(directory)));
  const [refText = '', reached = '', objectText = '', reflog = '', configText = '', staged = '', others = ''] = asked;
  const refs = parseRefs(refText);
  const types = new Map(lines(objectText).map((line) => line.split(' ') as [string, string]));
  const isBlob = (name: string) => types.get(name) === 'blob';
  const stashed = await reachedByStashes(sandbox, directory, refs.has('refs/stash'));
  const hashOf = (name: string) => files.get(relative(sandbox, join(directory, name)));
  return {
    refs,
    reachable: new Set(lines(reached).filter((name) => types.get(name) === 'commit')),
    objects: new Set(types.keys()),
    reflogEntries: lines(reflog).length,
    config: parseConfiguration(configText),
    stamp: '',
    committed: lines(reached).filter(isBlob),
    uncommitted: [...stashed.filter(isBlob), ...heldByWorkTree(staged, others, hashOf)],
  };
}

/** Every object that stashes reach, and what a stopped rebase or merge will put back. */
async function reachedByStashes(sandbox: string, directory: string, hasStashes: boolean): Promise<readonly string[]> {
  const autostashes = ['MERGE_AUTOSTASH', 'rebase-merge/autostash', 'rebase-apply/autostash'].flatMap((name) =>
    readLines(join(directory, '.git', name)),
  );
  if (!hasStashes && autostashes.length === 0) {
    return [];
  }
  const entries = hasStashes ? '$(git log -g --format=%H refs/stash --)' : '';
  const [reached = ''] = await sections(sandbox, directory, [`${reach} ${entries} ${autostashes.join(' ')}`]);
  return lines(reached);
}

/** Two bare repositories with the same one have the same files: `cp -a` keeps their times. */
function stampOf(directory: string): string {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  return paths
    .map((path) => {
      const { size, mtimeMs } = lstatSync(join(directory, path));
      return `${path} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

/** What only a linked work tree's git directory names besides refs. */
const namedByWorktrees = ['HEAD', 'BISECT_START', 'rebase-merge/autostash'];

/** Commits that linked work trees of a repository name, also those whose directory is gone. */
function headsOfWorktrees(directory: string): readonly string[] {
  const stores = ['.git', '.bare'].map((store) => join(directory, store, 'worktrees'));
  const administration = stores.filter((store) => existsSync(store));
  return administration
    .flatMap((store) => readdirSync(store).map((name) => join(store, name)))
    .flatMap((place) => namedByWorktrees.flatMap((file) => readLines(join(place, file))))
    .filter((line) => /^[0-9a-f]{40,}$/.test(line));
}

/** The repositories of a sandbox: bare ones by their name, work trees by their `.git`. */
function findRepositories(sandbox: string, directory = sandbox, depth = 0): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (!entry.isDirectory() || entry.name === '.git' || entry.name === 'home' || entry.name === 'node_modules') {
      return [];
    }
    if (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))) {
      return [path];
    }
    const nested = depth < 2 ? findRepositories(sandbox, path, depth + 1) : [];
    return existsSync(join(path, '.git')) ? [path, ...nested] : nested;
  });
}

function blobHash(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Files below the sandbox that are no part of git's store, but the hooks and the configuration are. */
function readFiles(sandbox: string, directory: string, into: Map<string, string>): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const inGit = /\.git(\/|$)/.test(relative(sandbox, path));
      if (!inGit || entry.name === '.git' || path.endsWith('.git/hooks')) {
        readFiles(sandbox, path, into);
      }
    } else if (entry.isFile() && (!directory.endsWith('.git') || entry.name === 'config')) {
      const executable = statSync(path).mode & 0o100 ? '+x' : '';
      into.set(relative(sandbox, path), blobHash(readFileSync(path)) + executable);
    }
  }
}

const readLines = (file: string): string[] => (existsSync(file) ? lines(readFileSync(file, 'utf8')) : []);

/**
 * Contents that only the index or the work tree holds: staged, changed and untracked files, and of ignored ones settings.
 *
 * @param hashOf of a file, by its path from the root of the work tree
 */
function heldByWorkTree(staged: string, others: string, hashOf: (name: string) => string | undefined): string[] {
  const inIndex = lines(staged).flatMap((line) => (line.startsWith('160000') ? [] : [line.split(' ')[1] ?? '']));
  const inFiles = [...others.split('\0'), '.env'].flatMap((name) => {
    const hash = name === '' ? undefined : hashOf(name);
    return hash === undefined ? [] : [hash.replace('+x', '')];
  });
  return [...inIndex, ...inFiles].filter((hash) => !/^0*$/.test(hash));
}

/** Which repositories are looked at: files and what ran are in every observation, and cost no process of git. */
export type Scope = 'no repository' | 'bare repositories' | 'everything';

function repositoriesOf(sandbox: string, scope: Scope): readonly string[] {
  if (scope === 'no repository') {
    return [];
  }
  const all = findRepositories(sandbox);
  return scope === 'everything' ? all : all.filter((path) => !existsSync(join(path, '.git')));
}

/**
 * Looks at what a command of the corpus could harm.
 *
 * @param earlier an observation of what the sandbox is a copy of: bare repositories that are as they were are not asked again
 */
export async function observe(
  sandbox: string,
  scope: Scope = 'everything',
  earlier: Observation | null = null,
): Promise<Observation> {
  const repositories = new Map<string, RepositoryObservation>();
  const files = new Map<string, string>();
  readFiles(sandbox, sandbox, files);
  const contents = new Set([...files.values()].map((hash) => hash.replace('+x', '')));
  const uncommitted = new Set<string>();
  await Promise.all(
    repositoriesOf(sandbox, scope).map(async (path) => {
      const name = relative(sandbox, path);
      const stamp = existsSync(join(path, '.git')) ? '' : stampOf(path);
      const before = stamp === '' ? undefined : earlier?.repositories.get(name);
      if (before?.stamp === stamp) {
        repositories.set(name, before);
        return;
      }
      const {
        committed,
        uncommitted: held,
        ...repository
      } = stamp === '' ? await observeWorkTree(sandbox, path, files) : await observeBare(sandbox, path, stamp);
      repositories.set(name, repository);
      const safe = new Set(committed);
      for (const hash of held) {
        contents.add(hash);
        if (!safe.has(hash)) {
          uncommitted.add(hash);
        }
      }
      for (const hash of committed) {
        contents.add(hash);
      }
    }),
  );
  return {
    repositories,
    uncommitted,
    contents,
    files,
    hooksRan: readLines(join(sandbox, 'hooks-ran')),
    calls: readLines(join(sandbox, 'calls')),
  };
}
