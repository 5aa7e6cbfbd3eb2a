import type { Repository } from '../../../git/repository.ts';
import { knownRemote, readRemote, trackingRefOf } from '../../../git/settings/remote.ts';
import { known } from '../../git-command/words.ts';
import type { Intent, RewriteStart } from '../../intent.ts';

/**
 * The same intents with the tracking ref that remembers what a pull puts the branch on, whether it names the remote or its
 * URL: git-pull(1) `--rebase`.
 */
export async function throughFetched(intents: readonly Intent[], repository: Repository): Promise<readonly Intent[]> {
  return Promise.all(intents.map((intent) => throughStart(intent, repository)));
}

async function throughStart(intent: Intent, repository: Repository): Promise<Intent> {
  switch (intent.kind) {
    case 'rewrite':
      return intent.range === 'head'
        ? intent
        : { ...intent, range: { ...intent.range, start: await remembered(intent.range.start, repository) } };
    case 'version':
      return intent.from === undefined ? intent : { ...intent, from: await remembered(intent.from, repository) };
    default:
      return intent;
  }
}

/** As it is, where nothing remembers it. */
async function remembered(start: RewriteStart, repository: Repository): Promise<RewriteStart> {
  const fetched = start.kind === 'after' ? start.fetched : undefined;
  if (fetched === undefined) {
    return start;
  }
  const config = await repository.config();
  const remote = knownRemote(config, readRemote(config, fetched.remote), repository.workTree ?? repository.gitDir);
  const ref = remote === null ? null : trackingRefOf(remote, `refs/heads/${fetched.branch}`);
  return ref === null ? start : { kind: 'after', commit: known(ref.replace(/^refs\/remotes\//, '')) };
}
