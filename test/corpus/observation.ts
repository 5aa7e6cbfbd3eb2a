import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

function git(sandbox: string, directory: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-c', 'core.fsmonitor=false', '-C', directory, ...args],
      { env: cleanEnvironment(sandbox), maxBuffer: 1 << 26 },
      (_error, stdout) => resolve(stdout),
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

/** A repository, and which blobs its refs and its stashes reach. A bare one is asked for its refs and commits only. */
async function observeRepository(
  sandbox: string,
  directory: string,
): Promise<RepositoryObservation & { committed: string[]; stashed: string[] }> {
  const bare = !existsSync(join(directory, '.git'));
  const ask = (...args: string[]) => (bare ? Promise.resolve('') : git(sandbox, directory, ...args));
  const [refText, objectText, reflog, configText] = await Promise.all([
    git(sandbox, directory, 'show-ref', ...(bare ? [] : ['--head'])),
    ask('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)'),
    ask('reflog', 'show', '--all', '--format=%H'),
    ask('config', '--local', '--list', '-z'),
  ]);
  const refs = parseRefs(refText);
  const types = new Map(lines(objectText).map((line) => line.split(' ') as [string, string]));
  const named = [...refs].flatMap(([name, oid]) => (name === 'refs/stash' ? [] : [oid]));
  const tips = [...new Set([...named, ...(bare ? [] : headsOfWorktrees(directory))])];
  const autostashes = ['MERGE_AUTOSTASH', 'rebase-merge/autostash', 'rebase-apply/autostash'].flatMap((name) =>
    bare ? [] : readLines(join(directory, '.git', name)),
  );
  const [reached, stashed] = await Promise.all([
    tips.length === 0
      ? ''
      : git(sandbox, directory, 'rev-list', ...(bare ? [] : ['--objects', '--no-object-names']), ...tips),
    refs.has('refs/stash') || autostashes.length > 0 ? reachedByStashes(sandbox, directory, autostashes) : [],
  ]);
  const blob = (name: string) => types.get(name) === 'blob';
  return {
    refs,
    reachable: new Set(lines(reached).filter((name) => bare || types.get(name) === 'commit')),
    objects: new Set(types.keys()),
    reflogEntries: lines(reflog).length,
    config: parseConfiguration(configText),
    committed: lines(reached).filter(blob),
    stashed: stashed.filter(blob),
  };
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

/** @param autostashes what a stopped rebase or merge will put back */
async function reachedByStashes(sandbox: string, directory: string, autostashes: readonly string[]): Promise<string[]> {
  const stashes = lines(await git(sandbox, directory, 'log', '-g', '--format=%H', 'refs/stash', '--'));
  return lines(await git(sandbox, directory, 'rev-list', '--objects', '--no-object-names', ...stashes, ...autostashes));
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

/** Contents that only the index or the work tree holds: staged, changed and untracked files, and of ignored ones settings. */
async function heldByWorkTree(sandbox: string, path: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const [staged, others] = await Promise.all([
    git(sandbox, path, 'ls-files', '-s'),
    git(sandbox, path, 'ls-files', '-o', '-m', '--exclude-standard', '-z'),
  ]);
  const inIndex = lines(staged).flatMap((line) => (line.startsWith('160000') ? [] : [line.split(' ')[1] ?? '']));
  const inFiles = [...others.split('\0'), '.env'].flatMap((name) => {
    const hash = name === '' ? undefined : files.get(relative(sandbox, join(path, name)));
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

/** Looks at what a command of the corpus could harm. */
export async function observe(sandbox: string, scope: Scope = 'everything'): Promise<Observation> {
  const repositories = new Map<string, RepositoryObservation>();
  const files = new Map<string, string>();
  readFiles(sandbox, sandbox, files);
  const contents = new Set([...files.values()].map((hash) => hash.replace('+x', '')));
  const uncommitted = new Set<string>();
  await Promise.all(
    repositoriesOf(sandbox, scope).map(async (path) => {
      const [{ committed, stashed, ...repository }, held] = await Promise.all([
        observeRepository(sandbox, path),
        existsSync(join(path, '.git')) ? heldByWorkTree(sandbox, path, files) : [],
      ]);
      repositories.set(relative(sandbox, path), repository);
      const safe = new Set(committed);
      for (const hash of [...stashed, ...held]) {
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
