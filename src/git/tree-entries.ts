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

/** A file that is no link. */
export function isPlainFile({ mode }: TreeEntry): boolean {
  return mode.startsWith('100');
}
