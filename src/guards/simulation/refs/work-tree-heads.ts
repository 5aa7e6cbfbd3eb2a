import { resolve } from 'node:path';
import { namesByPath, ownHeadName } from '../../../git/refs/worktree-heads.ts';
import type { Repository } from '../../../git/repository.ts';
import { goneWorktrees } from '../../files/work-trees.ts';
import { textOf } from '../../git-command/words.ts';
import type { ForgetWorktreesIntent, RemoveWorktreeIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';

/** What keeps the commits of a detached HEAD, for whoever looks from another work tree. */
export function recordHead({ head, headIsOpen, isAdded, sharesHead, shared }: Overlay, repository: Repository): void {
  if (head !== null && (sharesHead || !isAdded)) {
    shared.heads.set(ownHeadName(repository), head.kind === 'detached' && !headIsOpen ? head.oid : null);
  }
}

/** git-worktree(1): with a linked work tree, or what is still known of it, its HEAD goes. */
export function applyGoneWorktrees(
  { kind, path }: RemoveWorktreeIntent | ForgetWorktreesIntent,
  overlay: Overlay,
  repository: Repository,
): void {
  const name = textOf(path);
  const place = name === null ? null : resolve(repository.cwd, name);
  if (path === null) {
    for (const head of goneWorktrees(repository).values()) {
      overlay.shared.heads.set(head, null);
    }
  } else if (place !== null && kind === 'remove-worktree') {
    const found = namesByPath(repository.commonDir).get(place);
    overlay.made.removeTree(place);
    if (found !== undefined) {
      overlay.shared.heads.set(`${found}/HEAD`, null);
    }
  }
}
