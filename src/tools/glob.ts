import { lstatSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { fileFailure, missingFile } from './file-failure.ts';
import { walkFiles } from './file-walk.ts';
import { compileGlob, type GlobPattern } from './glob-pattern.ts';
import { contains, locate } from './place.ts';
import { defineSessionTool, type ToolContext } from './tool.ts';
import { failure, success, type ToolFailure, type ToolResult } from './tool-result.ts';
import { virtualFilesBelow } from './virtual-files.ts';

/** Files that a result names at most, the newest. */
const defaultLimit = 1_000;
/** Milliseconds after which the pass over the files lets the rest of the program have a turn. */
const turn = 15;

export const glob = defineSessionTool({
  name: 'Glob',
  description:
    'Finds files by name, newest first. `**` stands for any number of directories: `**/*.ts`, `src/**/*.{js,jsx}`, ' +
    '`[a-c]*.md`, `!(*.test).ts`. Names that begin with a dot are matched like any other; `.git` is left out, and what ' +
    'git ignores unless `include_ignored` is set.',
  effect: 'reads',
  schema: z.strictObject({
    pattern: z.string().min(1).describe('The pattern, for paths relative to `path`'),
    path: z.string().min(1).optional().describe('The directory to search; the working directory when absent'),
    include_ignored: z.boolean().optional().describe('Also files that .gitignore excludes'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe(`How many files to name, ${defaultLimit} when absent`),
  }),
  example: { pattern: '**/*.ts', path: 'src' },
  touches: ({ path = '.' }) => [{ path, access: 'read' }],
  run: async (
    { pattern: given, path = '.', include_ignored: includeIgnored = false, limit = defaultLimit },
    context,
    session,
  ) => {
    const placing = locate(path, context);
    if (!placing.ok) {
      return placing.failure;
    }
    const { place } = placing;
    const relativePattern = patternBelow(place.path, place.target, given);
    const compiled =
      relativePattern === null
        ? { ok: false as const, problem: `it is outside of '${place.path}'` }
        : compileGlob(relativePattern);
    if (!compiled.ok) {
      return failure('invalid-pattern', `The pattern '${given}' cannot be searched for: ${compiled.problem}.`, {
        remedy: 'Examples: **/*.ts, src/**/*.{js,jsx}, docs/[a-c]*.md.',
      });
    }
    const virtual = virtualFilesBelow(place.target, session);
    const stats = statSync(place.target, { throwIfNoEntry: false });
    if (virtual.size === 0 && stats?.isDirectory() !== true) {
      return stats === undefined ? missingFile(place.path) : notADirectory(place.path);
    }
    // The literal beginning of a pattern could be a symbolic link, too.
    const start = locate(join(place.target, compiled.pattern.base), context);
    if (!start.ok) {
      return start.failure;
    }
    const newest = createNewest(limit);
    [...virtual.keys()].filter(compiled.pattern.matches).forEach((file, index) => {
      newest.add({ path: file, mtimeMs: Number.MAX_SAFE_INTEGER + index });
    });
    try {
      const search = { start: start.place.target, pattern: compiled.pattern, includeIgnored, virtual };
      const unreadable = await searchDisk(place.target, search, newest, context);
      return resultOf(newest, unreadable);
    } catch (error) {
      context.signal.throwIfAborted();
      return fileFailure(error, place.path, 'list');
    }
  },
});

function notADirectory(path: string): ToolFailure {
  return failure('not-a-directory', `'${path}' is a file, not a directory.`, {
    path,
    remedy: 'Give the directory that it is in as `path`.',
  });
}

interface DiskSearch {
  /** The directory below which everything that matches is. */
  readonly start: string;
  readonly pattern: GlobPattern;
  readonly includeIgnored: boolean;
  /** Files that a virtual session holds instead of the disk. */
  readonly virtual: ReadonlyMap<string, Buffer>;
}

/** @returns directories that could not be searched */
async function searchDisk(
  directory: string,
  { start, pattern, includeIgnored, virtual }: DiskSearch,
  newest: Newest,
  { env, signal }: ToolContext,
): Promise<readonly string[]> {
  if (statSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return [];
  }
  const { base, matches } = pattern;
  const prefix = base === '' ? '' : `${base}/`;
  const depth = pattern.depth - (base === '' ? 0 : base.split('/').length);
  const found: string[] = [];
  const { unreadable } = await walkFiles(start, { includeIgnored, depth, env, signal }, (name) => {
    const file = prefix + name;
    if (matches(file) && !virtual.has(file)) {
      found.push(file);
    }
  });
  await takeTimes(directory, found, newest, signal);
  return unreadable;
}

/** Models like to give absolute patterns: those are made relative to the directory. Null: it is somewhere else. */
function patternBelow(path: string, target: string, pattern: string): string | null {
  if (!isAbsolute(pattern)) {
    return pattern;
  }
  const directory = [path, target].find((one) => contains(one, pattern));
  return directory === undefined ? null : relative(directory, pattern).split(sep).join('/');
}

interface TimedFile {
  readonly path: string;
  readonly mtimeMs: number;
}

/** Keeps the newest files only, so that the memory does not grow with what is found. */
interface Newest {
  add(file: TimedFile): void;
  readonly total: number;
  list(): readonly TimedFile[];
}

function createNewest(limit: number): Newest {
  let files: TimedFile[] = [];
  let total = 0;
  const sort = () => {
    files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
    files = files.slice(0, limit);
  };
  return {
    add: (file) => {
      total += 1;
      files.push(file);
      if (files.length >= 4 * limit + 1_000) {
        sort();
      }
    },
    get total() {
      return total;
    },
    list: () => {
      sort();
      return files;
    },
  };
}

/**
 * One `lstat` a file, one after the other: they are answered from the kernel's cache, where the calls through the
 * thread pool cost four times as much.
 */
async function takeTimes(
  directory: string,
  paths: readonly string[],
  newest: Newest,
  signal: AbortSignal,
): Promise<void> {
  let until = performance.now() + turn;
  for (const [index, path] of paths.entries()) {
    const stats = lstatSync(`${directory}/${path}`, { throwIfNoEntry: false });
    if (stats !== undefined && (stats.isFile() || stats.isSymbolicLink())) {
      newest.add({ path, mtimeMs: stats.mtimeMs });
    }
    if (index % 64 === 0 && performance.now() > until) {
      await setImmediate();
      signal.throwIfAborted();
      until = performance.now() + turn;
    }
  }
}

function resultOf(newest: Newest, unreadable: readonly string[]): ToolResult {
  const files = newest.list().map(({ path }) => path);
  const { total } = newest;
  const truncated = total > files.length;
  const notices = [
    total === 0 ? '[No file matches.]' : null,
    truncated ? `[${total} files match; these are the ${files.length} newest. Use a narrower pattern or path.]` : null,
    unreadable.length > 0 ? `[Not searched, permission denied: ${unreadable.slice(0, 10).join(', ')}]` : null,
  ].flatMap((notice) => notice ?? []);
  return success([...files, ...notices].join('\n'), { files, total, truncated, unreadable });
}
