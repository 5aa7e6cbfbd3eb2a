import { plainPush } from '../../git/push-request.ts';
import { isBareRepository } from '../files/git-directory.ts';
import { type Finding, findings } from '../finding.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type { DeleteRefIntent, FetchIntent, MoveRefIntent, RenameRefIntent } from '../intent.ts';
import { isProtected } from '../protection.ts';
import { judgeNamedPush } from '../push/named-push.ts';
import type { Scene } from '../scene.ts';
import { refName } from '../wording.ts';
import { refNamed } from './lose-commits.ts';

type RefChange = MoveRefIntent | DeleteRefIntent | RenameRefIntent | FetchIntent;

/**
 * A bare repository is what others push to: who changes its refs from within (`git -C ../origin.git branch -D main`) does
 * what a push would do.
 */
export async function judgeBareRefs(intent: RefChange, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  if (repository.workTree !== null || !isBareRepository(repository.gitDir)) {
    return [];
  }
  switch (intent.kind) {
    case 'fetch':
      return judgeNamedPush(
        { ...plainPush, repository: repository.gitDir, refspecs: written(intent), force: intent.force },
        policy,
      );
    case 'delete-ref': {
      const names = await Promise.all(intent.refs.map((ref) => refNamed(ref, scene)));
      return (await Promise.all(names.map((name) => judgeMove(name, null, intent.means, scene)))).flat();
    }
    case 'rename-ref': {
      const [from, to] = await Promise.all([refNamed(intent.from, scene), refNamed(intent.to, scene)]);
      const overwritten = intent.forced && from !== to ? await judgeMove(to, from, intent.means, scene) : [];
      return [...(await judgeMove(from, null, intent.means, scene)), ...overwritten];
    }
    case 'move-ref': {
      const name = intent.isNew === true ? null : await refNamed(intent.ref, scene);
      return judgeMove(name, textOf(intent.to), intent.means, scene);
    }
  }
}

/** Refspecs that write to a ref of this repository. */
function written({ refspecs }: FetchIntent): readonly string[] {
  return (textsOf(refspecs) ?? []).filter((text) => /:./.test(text));
}

/** @param to null where the ref is deleted */
async function judgeMove(
  name: string | null,
  to: string | null,
  means: string,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const before = name === null ? null : await repository.ref(name);
  if (name === null || before === null || !/^refs\/(?:heads|tags)\//.test(name)) {
    return [];
  }
  const head = await repository.head();
  const branch = name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : null;
  const isGuarded = branch !== null && isProtected(branch, policy, head.kind === 'branch' ? head.branch : null);
  const target = `${refName(name)} in ${repository.gitDir}, which others push to`;
  const evidence = { refs: [name] };
  if (to === null) {
    return findings(isGuarded ? 'protected-delete' : 'remote-delete', policy, {
      message: `${means} deletes ${target}.`,
      evidence,
      suggestion: null,
    });
  }
  const after = await repository.resolve(`${to}^{commit}`);
  if (after === before || (!isGuarded && branch !== null && after !== null)) {
    return [];
  }
  const isForward = after !== null && (await repository.isAncestor(before, after)) === 'yes';
  const rule = isForward ? 'protected-push' : isGuarded ? 'protected-force-push' : 'force-push';
  return findings(rule, policy, {
    message: `${means} ${isForward ? 'updates' : 'overwrites'} ${target}.`,
    evidence,
    suggestion: null,
  });
}
