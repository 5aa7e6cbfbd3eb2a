import { basename } from 'node:path';
import type { Head, Repository } from '../../../git/repository.ts';

/** What `git worktree add` was asked for. */
export interface AddedWorktree {
  /** `-b`, `-B` */
  readonly created: string | null;
  readonly start: string | null;
  readonly isDetached: boolean;
  /** `--no-checkout` */
  readonly isHollow: boolean;
}

/** The branch that it names, makes or finds by its directory's name; else a commit: git-worktree(1) "add". */
export async function headOfWorktree(path: string, added: AddedWorktree, repository: Repository): Promise<Head> {
  const { created, start, isDetached } = added;
  const oid = await repository.resolve(`${start ?? 'HEAD'}^{commit}`);
  const branch = isDetached ? null : (created ?? start ?? basename(path));
  const isBranch =
    branch !== null && (created !== null || start === null || (await repository.ref(`refs/heads/${start}`)) !== null);
  return isBranch || oid === null
    ? { kind: 'branch', ref: `refs/heads/${branch}`, branch: branch ?? '', oid }
    : { kind: 'detached', oid };
}
