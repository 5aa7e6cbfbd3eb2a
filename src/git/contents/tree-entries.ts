import type { Repository } from '../repository.ts';

/** What a tree has at a path. */
export interface TreeEntry {
  /** From the work tree's root. */
  readonly path: string;
  /** `100644`, `120000` for links, `160000` for submodules; `000000`: nothing is there. */
  readonly mode: string;
  readonly oid: string;
}

/**
 * Entries as git lists them: each of git-ls-tree(1) `-z`, and of git-diff-tree(1) `--raw -z` the newer side.
 *
 * @param output of git, paths in UTF-8
 */
export function readTreeEntries(output: Buffer): readonly TreeEntry[] {
  const fields = output.toString('utf8').split('\0');
  const entries: TreeEntry[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    const isCompared = field.startsWith(':');
    const { mode, oid, path } =
      /^(?::\d+ )?(?<mode>\d+) (?:[\da-f]+|[a-z]+) (?<oid>[\da-f]+)(?: [A-Z]\d*$|\t(?<path>.*)$)/s.exec(field)
        ?.groups ?? {};
    if (mode !== undefined && oid !== undefined) {
      entries.push({ path: (isCompared ? fields[at + 1] : path) ?? '', mode, oid });
    }
    at += isCompared ? 1 : 0;
  }
  return entries;
}

/**
 * The files that a tree has at some paths, or below them.
 *
 * @param paths from its root; none: all
 * @returns null where git can't tell
 */
export async function filesInTree(
  tree: string,
  paths: readonly string[],
  { git }: Pick<Repository, 'git'>,
): Promise<ReadonlySet<string> | null> {
  const listed = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--name-only', '--full-tree', tree, '--', ...paths];
  const { exitCode, stdout } = await git.run(listed);
  return exitCode === 0 ? new Set(stdout.toString('utf8').split('\0').filter(Boolean)) : null;
}

/** A file that is no link. */
export function isPlainFile({ mode }: TreeEntry): boolean {
  return mode.startsWith('100');
}
