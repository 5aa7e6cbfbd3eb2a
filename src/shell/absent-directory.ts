import { posix } from 'node:path';
import type { Call, Shell } from './call.ts';
import { subcommandAt } from './git-words.ts';
import { beginningOf, isForeign, type Word } from './simple-command.ts';

/** Subcommands that stop without a work tree: "this operation must be run in a work tree". */
const working =
  /^(?:add|am|checkout|checkout-index|cherry-pick|clean|commit|merge|mv|pull|rebase|restore|revert|sparse-checkout|stash|status|switch)$/;

function needsWorkTree([subcommand, ...rest]: readonly Word[]): boolean {
  const name = beginningOf(subcommand);
  const has = (option: RegExp) => rest.some((word) => option.test(beginningOf(word)));
  return working.test(name) || (name === 'reset' && has(/^--(?:hard|merge|keep)$/));
}

/** Where a path leads from a directory; null where it may be elsewhere because of a link. */
function ledTo(path: string, from: string, { files }: Shell): string | null {
  const climbs = path.split('/').includes('..');
  const isPlain = !climbs || (/^(?:\.\.\/)*\.\.(?:\/(?!.*\.\.)|$)/.test(path) && files.realPath(from) === from);
  return isPlain ? posix.resolve(from, path) : null;
}

interface Told {
  /** Of each `-C`. */
  readonly directories: readonly string[];
  readonly workTree: string | null;
}

/** Null where one of the words is not known. @param options those of git itself */
function readTold(options: readonly Word[]): Told | null {
  const words = options.flatMap((word) => (word.kind === 'known' ? [word.value] : []));
  const behind = (option: string) => words.filter((_, at) => words[at - 1] === option);
  const workTree = words
    .flatMap((word) => /^--work-tree=(.+)$/.exec(word)?.[1] ?? [])
    .concat(behind('--work-tree'))
    .at(-1);
  return words.length < options.length ? null : { directories: behind('-C'), workTree: workTree ?? null };
}

/** Is no directory there, and has nothing in the line made one? */
function isAbsent(path: string, { overlay }: Shell): boolean {
  return !overlay.mayCreate && !overlay.isUnsettled && !overlay.mayBeDirectory(path);
}

/**
 * Does git surely stop because a directory is not there that it is told? It "cannot change to" that of `-C`, and without that of
 * `--work-tree` it does nothing with files: git(1).
 */
export function stopsForDirectory({ argv, state: { cwd } }: Call, shell: Shell): boolean {
  const at = subcommandAt(argv);
  const told = at < 2 || isForeign(cwd) ? null : readTold(argv.slice(1, at));
  if (told === null || cwd.kind === 'unknown' || cwd.mounts !== undefined) {
    return false;
  }
  let place: string | null = cwd.path;
  for (const directory of told.directories) {
    place = ledTo(directory, place, shell);
    if (place === null || isAbsent(place, shell)) {
      return place !== null;
    }
  }
  const workTree = told.workTree === null ? null : ledTo(told.workTree, place, shell);
  return workTree !== null && needsWorkTree(argv.slice(at)) && isAbsent(workTree, shell);
}
