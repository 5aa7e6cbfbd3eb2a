import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../git/checkpoints/work-tree-state.ts';
import type { Repository } from '../git/repository.ts';

/** Directories that tools make, and make again: what is in them is nobody's work where the repository ignores them. */
const directories =
  /(?:^|\/)(?:node_modules|bower_components|dist|build|target|coverage|htmlcov|\.nyc_output|\.venv|venv|__pycache__|\.(?:pytest|mypy|ruff)_cache|\.tox|\.nox|[^/]+\.egg-info|\.next|\.nuxt|\.output|\.svelte-kit|\.astro|\.angular|\.turbo|\.vite|\.parcel-cache|\.cache|\.gradle|\.dart_tool|storybook-static|CMakeFiles|cmake-build-[^/]+|DerivedData|Pods|vendor\/bundle|tmp\/(?:cache|pids|sockets)|\.terraform|_build|\.stack-work|dist-newstyle|elm-stuff|\.zig-cache|zig-out|\.eggs|\.hypothesis|\.nx|\.swc|\.expo|\.docusaurus|\.sass-cache|\.pnpm-store|test-results|playwright-report)\/$/;
const files = /\.(?:py[co]|o|obj|class|tsbuildinfo)$|(?:^|\/)(?:\.DS_Store|Thumbs\.db|\.eslintcache|\.coverage)$/;

/**
 * What tools put into a directory that is theirs: a cache (https://bford.info/cachedir/), a virtual environment of Python,
 * packages that Composer has installed.
 */
const marks = ['CACHEDIR.TAG', 'pyvenv.cfg', join('composer', 'installed.json')];

/** Says what is in a directory that it is made by a tool, whatever its name is? @param directory absolute */
export function isMarkedAsGenerated(directory: string): boolean {
  return marks.some((mark) => existsSync(join(directory, mark)));
}

/** Does an ignored file, or a directory with a slash at its end, come out of a build, an installation or a cache? */
export function isGenerated(path: string): boolean {
  const names = path.split('/').slice(0, -1);
  return files.test(path) || names.some((_, at) => directories.test(`${names.slice(0, at + 1).join('/')}/`));
}

/**
 * Paths that `git clean -x` or `-X` would remove, without those that are ignored and come out of a build, an
 * installation or a cache.
 *
 * @param listed as git clean names them, relative to the repository's `cwd`
 * @param args of git clean
 */
export async function withoutGenerated(
  listed: readonly string[],
  args: readonly string[],
  repository: Repository,
): Promise<readonly string[]> {
  const candidates = args.some((word) => /^-[xX]$/.test(word))
    ? listed.filter((path) => directories.test(path) || files.test(path) || isMadeByTools(path, repository.cwd))
    : [];
  if (candidates.length === 0) {
    return listed;
  }
  const output = await repository.git.run(['-c', 'core.quotePath=false', 'check-ignore', '--', ...candidates]);
  const ignored = new Set(output.stdout.toString('utf8').split('\n'));
  return listed.filter((path) => !ignored.has(path));
}

/** Also a link to what is: `node_modules` of another work tree stays. */
function isMadeByTools(path: string, cwd: string): boolean {
  const place = join(cwd, path);
  return path.endsWith('/')
    ? isMarkedAsGenerated(place)
    : directories.test(`${path}/`) && statsOf(place)?.isSymbolicLink() === true;
}
