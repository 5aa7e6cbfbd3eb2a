import type { Repository } from '../../git/repository.ts';
import { type Finding, findings } from '../finding.ts';
import { shown, textOf } from '../git-command/words.ts';
import type { DeleteRefIntent, MoveRefIntent, RefName } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { count, nameCommits } from '../wording.ts';
import { unreadable } from './unreadable-command.ts';

/** Commits that nothing would reach any more once a branch or tag moves. */
export async function judgeMovedRef(intent: MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const name = intent.keepsWork === true ? null : await movedName(intent.ref, repository);
  if (name === null) {
    return [];
  }
  if (name.includes('*')) {
    return judgeMovedRefs(name, intent, scene);
  }
  const old = await oidOf(name, repository);
  if (old === null) {
    return [];
  }
  const madeHere = scene.overlay.grown.get(name) ?? 0;
  const target = textOf(intent.to);
  if (intent.to !== null && target === null) {
    const unpublished = await onlyReachableFrom(repository, old, name, null);
    return unpublished.total === 0
      ? []
      : unreadable(scene.policy, {
          source: shown(intent.to),
          reason: intent.to.kind === 'unknown' ? intent.to.reason : '',
          could: `a commit that leaves ${count(unpublished.total, 'commit')} of ${shortName(name)} unreachable`,
        });
  }
  const next = target === null ? null : await repository.resolve(`${target}^{commit}`);
  if (target !== null && next === null) {
    return [];
  }
  const movesAway = madeHere > 0 && next !== old;
  const lost = await onlyReachableFrom(repository, old, name, next);
  if (lost.total === 0 && !(movesAway && target !== 'HEAD')) {
    return [];
  }
  return findings('lose-commits', scene.policy, {
    message:
      lost.total === 0
        ? `${intent.means} would leave ${count(madeHere, 'commit')} unreachable that this command line makes.`
        : `${intent.means} would leave ${count(lost.total, 'commit')} unreachable that no other branch or tag has: ${nameCommits(lost)}.`,
    evidence: { commits: lost.commits, refs: [name] },
    suggestion: `git branch kept-work ${target === null ? shortName(name) : old.slice(0, 12)}`,
  });
}

/** `fetch origin '+refs/heads/*:refs/heads/*'`: every branch may come to stand elsewhere. */
async function judgeMovedRefs(pattern: string, intent: MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const [before = '', after = ''] = pattern.split('*');
  const refs = [...(await repository.refs())];
  const isMoved = (name: string) => name.startsWith(before) && name.endsWith(after);
  const moved = refs.filter(([name]) => isMoved(name));
  const others = refs.filter(([name]) => !isMoved(name) && isKept(name));
  const oids = (pairs: typeof refs) => [...new Set(pairs.map(([, { oid }]) => oid))];
  const lost = await repository.commits(oids(moved), oids(others));
  return findings(
    'lose-commits',
    policy,
    lost.total === 0
      ? null
      : {
          message: `${intent.means} may leave ${count(lost.total, 'commit')} unreachable that no other branch or tag has: ${nameCommits(lost)}.`,
          evidence: { commits: lost.commits, refs: moved.map(([name]) => name) },
          suggestion: 'git fetch',
        },
  );
}

/** Refs of the guard and the stash keep commits only for a while. */
function isKept(ref: string): boolean {
  return !ref.startsWith('refs/oxide-guard/') && ref !== 'refs/stash';
}

/** The same for branches and tags that are deleted. */
export async function judgeDeletedRefs(intent: DeleteRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  const judged = await Promise.all(
    intent.refs.map(async (ref) => {
      if (ref.name.kind === 'unknown') {
        return unreadable(scene.policy, {
          source: ref.name.source,
          reason: ref.name.reason,
          could: 'a branch whose commits are nowhere else',
        });
      }
      const name = ref.name.value === 'HEAD' ? await movedName(null, repository) : ref.namespace + ref.name.value;
      const old = name === null ? null : await oidOf(name, repository);
      const lost = name === null || old === null ? null : await onlyReachableFrom(repository, old, name, null);
      const made = scene.overlay.grown.get(name ?? '') ?? 0;
      if (name !== null && made > 0) {
        return findings('lose-commits', scene.policy, {
          message: `${intent.means} ${shortName(name)} would leave ${count(made, 'commit')} unreachable that this command line makes.`,
          evidence: { refs: [name] },
          suggestion: `git branch kept-work ${shortName(name)}`,
        });
      }
      return name === null || old === null || lost === null || lost.total === 0
        ? []
        : findings('lose-commits', scene.policy, {
            message: `${intent.means} ${shortName(name)} would leave ${count(lost.total, 'commit')} unreachable that no other branch or tag has: ${nameCommits(lost)}.`,
            evidence: { commits: lost.commits, refs: [name] },
            suggestion: `git ${name.startsWith('refs/tags/') ? 'branch' : 'tag'} kept-${shortName(name).replaceAll('/', '-')} ${old.slice(0, 12)}`,
          });
    }),
  );
  return judged.flat();
}

async function movedName(ref: RefName | null, repository: Repository): Promise<string | null> {
  if (ref === null) {
    const head = await repository.head();
    return head.kind === 'branch' ? head.ref : 'HEAD';
  }
  const name = textOf(ref.name);
  return name === null ? null : ref.namespace + name;
}

function oidOf(name: string, repository: Repository): Promise<string | null> {
  return name === 'HEAD' ? repository.resolve('HEAD') : repository.ref(name);
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

/** Commits that only `name` reaches; `--all` would count HEAD too, which stands on the ref that goes. */
async function onlyReachableFrom(repository: Repository, old: string, name: string, next: string | null) {
  const refs = await repository.refs();
  const isPeelable = [...refs].filter(([ref]) => ref !== name && isKept(ref));
  const others = [...new Set(isPeelable.map(([, { oid }]) => oid))];
  const head = await repository.head();
  const detached = head.kind === 'detached' && name !== 'HEAD' ? [head.oid] : [];
  return repository.commits([old], [...others, ...detached, ...(next === null ? [] : [next])]);
}
