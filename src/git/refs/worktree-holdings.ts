import { basename, join } from 'node:path';
import { readText, recursiveNames } from '../files.ts';
import { autostashFiles } from '../history/stopped-operations.ts';
import { isObjectName, type RefDirectories, readRefFile } from './ref-files.ts';

/** What only the git directory of a linked work tree names, besides its HEAD: gitrepository-layout(5). */
export interface WorktreeHoldings {
  /** Commits, by what they are called from other work trees: git-worktree(1) "REFS". */
  readonly refs: ReadonlyMap<string, string>;
  /** What `--autostash` has put away while an operation is stopped. */
  readonly autostash: string | null;
}

/** Marks of a bisection, and what somebody has named for this work tree alone. */
const hierarchies = ['bisect', 'worktree'];
/** Where a bisection or a rebase began, on a detached HEAD. */
const beginnings = ['BISECT_START', 'rebase-merge/orig-head', 'rebase-apply/orig-head'];

/** Read from files; refs that are kept in a table are not told. */
export function readWorktreeHoldings({ gitDir, commonDir }: RefDirectories): WorktreeHoldings {
  const name = (ref: string) => `worktrees/${basename(gitDir)}/${ref}`;
  const commits = (files: readonly string[]) =>
    files.flatMap((file) => {
      const oid = readText(join(gitDir, file))?.trim() ?? '';
      return isObjectName(oid) ? [[file, oid] as const] : [];
    });
  const marks = hierarchies.flatMap((hierarchy) =>
    recursiveNames(join(gitDir, 'refs', hierarchy)).map((below) => `refs/${hierarchy}/${below}`),
  );
  const marked = marks.flatMap((ref) => {
    const file = readRefFile({ gitDir, commonDir }, ref);
    return file.kind === 'oid' ? [[ref, file.oid] as const] : [];
  });
  const refs = [...marked, ...commits(beginnings)].map(([ref, oid]) => [name(ref), oid] as const);
  return { refs: new Map(refs), autostash: commits(autostashFiles.map(({ path }) => path))[0]?.[1] ?? null };
}
