import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import { isRefName } from '../../../git/refs/refspec.ts';
import type { Head, Repository } from '../../../git/repository.ts';
import { configurationOf } from '../../../git/settings/configuration.ts';
import type { ConfigurationEntry } from '../../../git/settings/configuration-entry.ts';
import { runsOnlyAfter } from '../../../shell/path.ts';
import type { Origin, SimpleCommand } from '../../../shell/simple-command.ts';
import type { UnknownWord } from '../../git-command/words.ts';
import type { SwitchIntent } from '../../intent.ts';
import { asWritten, type Overlay, type PresumedBranch } from '../overlay.ts';
import { replaced } from '../replaced.ts';
import { placeholderOf } from './new-refs.ts';

/** A call of git and the files, by absolute path, that the line has written before it. */
export interface CallInLine {
  readonly command: SimpleCommand;
  readonly written: readonly string[];
  /** Something runs only if it succeeds, or fails. */
  readonly decides: boolean;
  /** What other work trees have checked out may not be what it was. */
  readonly changesWorktrees: boolean;
  /** Does it bring back what is changed there, by a patch of the line? By the absolute path. */
  readonly bringsBack: (path: string) => boolean;
  /** How often the line has removed a file before it by other means than git. By the absolute path. */
  readonly removalsOf: (path: string) => number;
}

/** `git checkout -b "fix-$(date +%s)"`, or a branch that is not here before a fetch. */
export async function presumedBranch(
  { to, create, detach, resets }: SwitchIntent,
  { command, written, decides }: CallInLine,
  overlay: Overlay,
  repository: Repository,
): Promise<PresumedBranch | null> {
  const { origin } = command;
  if (!decides || to === null || detach) {
    return null;
  }
  const { oid } = await repository.head();
  if (to.kind === 'unknown') {
    const head = branchAt(placeholderOf('', to), oid);
    return create ? { after: origin, head, name: to, remote: null, isNew: resets !== true } : null;
  }
  const mayBeFetched =
    !create &&
    overlay.shared.bringsRefs &&
    isRefName(to.value, { oneLevel: true }) &&
    !(await isPath(to.value, written, repository));
  return mayBeFetched ? broughtBranch(to.value, origin, oid, repository) : null;
}

/** `gh pr checkout`: the branch of a pull request, whatever its name is. */
export function pulledBranch(origin: Origin, repository: Repository): Promise<PresumedBranch> {
  return repository.head().then(({ oid }) => broughtBranch('…', origin, oid, repository));
}

/** git-switch(1) "--guess": it follows the branch of that name on the remote. */
async function broughtBranch(
  branch: string,
  after: Origin,
  oid: string | null,
  repository: Repository,
): Promise<PresumedBranch> {
  const remotes = (await repository.config()).subsections('remote');
  const remote = remotes.includes('origin') ? 'origin' : (remotes[0] ?? null);
  return { after, head: branchAt(branch, oid), name: null, remote, isNew: false };
}

/** `git checkout WORD` leaves HEAD where it is if the word is a path. */
async function isPath(word: string, written: readonly string[], repository: Repository): Promise<boolean> {
  const path = resolve(repository.cwd, word);
  if (existsSync(path) || written.some((other) => other === path || other.startsWith(`${path}/`))) {
    return true;
  }
  return (await trackedAt(repository, [word])).length > 0;
}

function branchAt(branch: string, oid: string | null): Head {
  return { kind: 'branch', ref: `refs/heads/${branch}`, branch, oid };
}

/** Where a command stands, if it is to run at all; null: nothing has to be presumed for it. */
export function presumedFor({ origin }: SimpleCommand, { presumed }: Overlay): PresumedBranch | null {
  return presumed !== null && runsOnlyAfter(origin, presumed.after) ? presumed : null;
}

/** The repository as a command finds it. @param repository with everything that is known of what came before */
export function foundBy(command: SimpleCommand, repository: Repository, overlay: Overlay): Repository {
  const presumed = presumedFor(command, overlay);
  if (presumed === null) {
    return repository;
  }
  const { head, remote } = presumed;
  return replaced(repository, {
    head: async () => head,
    config: async () => {
      const { entries } = await repository.config();
      return configurationOf(
        head.kind === 'branch' && remote !== null ? [...entries, ...following(head.branch, remote)] : entries,
      );
    },
  });
}

/** What git configures for a branch that it makes of a remote one. */
export function following(branch: string, remote: string): readonly ConfigurationEntry[] {
  return [
    { key: `branch.${branch}.remote`, value: remote, scope: 'local' },
    { key: `branch.${branch}.merge`, value: `refs/heads/${branch}`, scope: 'local' },
  ];
}

/** Is this surely the name of a branch that the line has just made? */
export function isMadeBefore(name: UnknownWord, command: SimpleCommand, overlay: Overlay): boolean {
  const made = presumedFor(command, overlay);
  return made?.isNew === true && made.name !== null && asWritten(made.name) === asWritten(name);
}
