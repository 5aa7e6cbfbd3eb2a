import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { plainPush } from '../../../git/push/push-request.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { type Finding, findings } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { FetchIntent, ImportIntent } from '../../intent.ts';
import { judgeNamedPush } from '../../push/named-push.ts';
import type { Scene } from '../../scene.ts';

/** What is fetched from a work tree comes past the hook that its own push would run: githooks(5) "pre-push". */
export function judgeUncheckedSource(
  { remote, means }: FetchIntent,
  refspecs: readonly string[],
  scene: Scene,
): readonly Finding[] {
  const given = textOf(remote);
  const source = given === null ? null : resolve(scene.repository.cwd, given);
  const isNear = source !== null && /^\.{0,2}\//.test(given ?? '');
  const bringsBranch = refspecs.some((refspec) => /:(?:refs\/heads\/|(?!refs\/))/.test(refspec));
  return isNear && bringsBranch ? judgeUnchecked(`${means} brings commits from ${source}`, source, scene) : [];
}

/** git-fast-import(1): a stream of commits runs no hook. Of a wildcard, the branches that are there may be updated. */
export async function judgeImport({ refs, means }: ImportIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const there = [...(await repository.refs()).keys()].filter((name) => refs.some((ref) => isMeant(name, ref)));
  const head = await repository.head();
  const pushed = { ...plainPush, repository: repository.gitDir, refspecs: there.map((name) => `${name}:${name}`) };
  const where = { defaultBranch: head.kind === 'branch' ? head.branch : null, isNew: false };
  return [
    ...judgeNamedPush(pushed, policy, where),
    ...(refs.length === 0 ? [] : judgeUnchecked(`${means} brings commits`, null, scene)),
  ];
}

function isMeant(name: string, ref: string): boolean {
  return ref.endsWith('*') ? name.startsWith(ref.slice(0, -1)) : name === ref;
}

/** @param source where the commits come from, if not from where the command stands */
function judgeUnchecked(
  deed: string,
  source: string | null,
  { repository, policy, command }: Scene,
): readonly Finding[] {
  const here = command.cwd.kind === 'known' ? workTreeAbove(command.cwd.path) : null;
  return findings(
    'skip-checks',
    policy,
    ![source, here].some((top) => top !== null && hasPushHook(top))
      ? null
      : {
          message: `${deed} to ${repository.gitDir} without the pre-push hook that checks them.`,
          suggestion: 'git push',
        },
  );
}

function hasPushHook(top: string): boolean {
  return ['.git/hooks/pre-push', '.husky/pre-push'].some((hook) => existsSync(join(top, hook)));
}
