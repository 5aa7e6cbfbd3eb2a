import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { GitConfiguration } from '../../../git/settings/configuration.ts';
import type { Finding } from '../../finding.ts';
import { known, textOf } from '../../git-command/words.ts';
import type { FetchIntent, MoveRefIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { judgeMovedRef } from './lose-commits.ts';
import { judgeReplacedHistory } from './replaced-history.ts';

/** Branches and tags here that a fetch overwrites or prunes: git-fetch(1) "PRUNING", `remote.<name>.fetch`. */
export async function judgeFetch(intent: FetchIntent, scene: Scene): Promise<readonly Finding[]> {
  const config = await scene.repository.config();
  const remotes = intent.all ? config.subsections('remote') : [await remoteOf(intent, scene, config)];
  const endangered = new Map(
    remotes.flatMap((remote) =>
      endangeredRefs(intent, remote, config).map(({ target, source }) => [target, { source, remote }] as const),
    ),
  );
  const judged = await Promise.all(
    [...endangered].map(async ([target, { source, remote }]) => {
      const move = moved(await scene.repository.refTarget(target), source, intent.means);
      return [...(await judgeMovedRef(move, scene)), ...(await judgeFetchedHistory(move, source, remote, scene))];
    }),
  );
  return judged.flat();
}

/** As far as it was fetched before, what the remote has is known; into what is checked out git does not fetch. */
async function judgeFetchedHistory(
  move: MoveRefIntent,
  refspec: string,
  remote: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const head = await scene.repository.head();
  const [source = ''] = refspec.replace(/^\+/, '').split(':');
  const isCheckedOut = head.kind === 'branch' && head.ref === textOf(move.ref?.name);
  if (source === '' || source.includes('*') || isCheckedOut) {
    return [];
  }
  const to = remote === '.' ? source : `refs/remotes/${remote}/${shortBranchName(source)}`;
  return judgeReplacedHistory({ ...move, to: known(to) }, scene);
}

/** git-fetch(1): without a name, the current branch's remote, else `origin`. */
async function remoteOf({ remote }: FetchIntent, { repository }: Scene, config: GitConfiguration): Promise<string> {
  if (remote !== null) {
    return textOf(remote) ?? '';
  }
  const head = await repository.head();
  return (head.kind === 'branch' ? config.get(`branch.${head.branch}.remote`) : null) ?? 'origin';
}

interface Endangered {
  /** A ref, or a pattern of refs, by full name. */
  readonly target: string;
  /** The refspec that leads there. */
  readonly source: string;
}

/** Without `+`, `--force` or pruning, git only creates and fast-forwards. Remote-tracking refs are meant to follow. */
function endangeredRefs(intent: FetchIntent, remote: string, config: GitConfiguration): readonly Endangered[] {
  const configured = config.getAll(`remote.${remote}.fetch`);
  const mapped = intent.refmap.length > 0 ? intent.refmap.flatMap((word) => textOf(word) ?? []) : configured;
  const given = intent.refspecs.flatMap((word) => textOf(word) ?? []);
  const prunes = intent.prune ?? config.getBoolean(`remote.${remote}.prune`, config.getBoolean('fetch.prune', false));
  const prunesTags =
    intent.pruneTags ?? config.getBoolean(`remote.${remote}.prunetags`, config.getBoolean('fetch.prunetags', false));
  const tags = prunes && prunesTags && given.length === 0 ? ['refs/tags/*:refs/tags/*'] : [];
  return [...given, ...mapped, ...tags].flatMap((source) => {
    const [, target = ''] = source.replace(/^\+/, '').split(':');
    const isOverwritten = !intent.prunesOnly && (intent.force || source.startsWith('+'));
    const isPruned = prunes && target.includes('*');
    if (target === '' || target.startsWith('refs/remotes/') || !(isOverwritten || isPruned)) {
      return [];
    }
    return [{ target: /^(?:refs\/|HEAD$)/.test(target) ? target : `refs/heads/${target}`, source }];
  });
}

function moved(target: string, source: string, means: string): MoveRefIntent {
  return { kind: 'move-ref', ref: { namespace: '', name: known(target) }, to: null, means: `${means} ${source}` };
}
