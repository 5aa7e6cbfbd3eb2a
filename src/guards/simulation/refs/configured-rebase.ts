import type { Repository } from '../../../git/repository.ts';
import { keepsMerges } from '../../git-command/commit-commands.ts';
import type { RewriteIntent, VersionIntent } from '../../intent.ts';
import { pullRebases } from '../../rules/commits/edits-todo.ts';

/** What a `git pull` is that rebases as it is configured; null: it merges. git-config(1) "pull.rebase". */
export async function configuredRebase(
  { operation, rebasesAsConfigured, from, empties, givesWay }: VersionIntent,
  repository: Repository,
): Promise<RewriteIntent | null> {
  if (operation !== 'pull' || rebasesAsConfigured !== true || from === undefined) {
    return null;
  }
  const [config, head] = [await repository.config(), await repository.head()];
  const mode = pullRebases((key) => config.get(key), head.kind === 'branch' ? head.branch : null);
  const range = {
    start: from,
    branch: null,
    onto: null,
    anew: false,
    keepsMerges: keepsMerges(mode),
    forkPoint: 'always',
  } as const;
  const merges = mode === null || /^(?:false|no|off|0)$/i.test(mode);
  return merges
    ? null
    : { kind: 'rewrite', means: 'git pull', range, empties: empties === true, givesWay: givesWay === true };
}
