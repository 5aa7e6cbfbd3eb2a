import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../../git/files.ts';
import { ownDirectory } from '../../../git/own-directory.ts';
import { plainPush } from '../../../git/push/push-request.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { withoutRepositoryVariables } from '../../../git/runner.ts';
import { quoteWord } from '../../../quote.ts';
import { isBareRepository } from '../../files/git-directory.ts';
import { remoteAt } from '../../files/remote-at.ts';
import { repositoryThere } from '../../files/repository-there.ts';
import { type Finding, findings } from '../../finding.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type {
  CommitIntent,
  DeleteRefIntent,
  FetchIntent,
  GrowIntent,
  ImportIntent,
  MoveRefIntent,
  PushIntent,
  RenameRefIntent,
  SwitchIntent,
} from '../../intent.ts';
import { isProtected } from '../../protection.ts';
import { judgeNamedPush } from '../../push/named-push.ts';
import type { Scene } from '../../scene.ts';
import { isMerged } from '../../simulation/refs/branch-names.ts';
import { refName } from '../../wording.ts';
import { refNamed } from './lose-commits.ts';
import { judgeImport, judgeUncheckedSource } from './unchecked-refs.ts';

type RefChange =
  | MoveRefIntent
  | DeleteRefIntent
  | RenameRefIntent
  | FetchIntent
  | ImportIntent
  | SwitchIntent
  | PushIntent;

/**
 * A bare repository is what others push to: who changes its refs from within (`git -C ../origin.git branch -D main`) does
 * what a push would do.
 */
export async function judgeBareRefs(intent: RefChange, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  if (!isBareRepository(repository.gitDir) || !(await isShared(repository))) {
    return [];
  }
  switch (intent.kind) {
    case 'fetch': {
      const refspecs = written(intent);
      const pushed = { ...plainPush, repository: repository.gitDir, refspecs, force: intent.force };
      return [...judgeNamedPush(pushed, policy), ...judgeUncheckedSource(intent, refspecs, scene)];
    }
    case 'import':
      return judgeImport(intent, scene);
    case 'push': {
      // What is forced or deleted there is judged as in any repository.
      const isPlain = !intent.request.force && !intent.request.delete;
      const moved = isPlain ? intent.request.refspecs.filter((text) => /^[^+:].*:./.test(text)) : [];
      return judgeNamedPush({ ...intent.request, repository: repository.gitDir, refspecs: moved }, policy);
    }
    case 'switch':
      return judgeDefaultBranch(intent, scene);
    case 'delete-ref': {
      const named = await Promise.all(intent.refs.map((ref) => refNamed(ref, scene)));
      const isSpared = async (name: string | null) =>
        name === null || (intent.sparesUnmerged === true && !(await isMerged(name, repository, scene.overlay)));
      const names = await Promise.all(named.map(async (name) => ((await isSpared(name)) ? null : name)));
      return (await Promise.all(names.map((name) => judgeMove(name, null, intent.means, scene)))).flat();
    }
    case 'rename-ref': {
      const [from, to] = await Promise.all([refNamed(intent.from, scene), refNamed(intent.to, scene)]);
      if (from === to) {
        return [];
      }
      const overwritten = intent.forced ? await judgeMove(to, from, intent.means, scene) : [];
      return [...(await judgeMove(from, null, intent.means, scene)), ...overwritten];
    }
    case 'move-ref': {
      const isRefused = intent.needsWorkTree === true && repository.workTree === null;
      const name = isRefused || intent.isNew === true ? null : await refNamed(intent.ref, scene);
      return [
        ...(await judgeMove(name, textOf(intent.to), intent.means, scene)),
        ...(intent.symbolic === true ? await judgeOtherName(intent, scene) : []),
      ];
    }
  }
}

/**
 * `git --git-dir=../origin.git --work-tree=. commit` does what a push of the commit would do. Not where the bare repository
 * is nothing to the one at hand: settings of a home directory are kept like that.
 */
export async function judgeBareCommit(intent: CommitIntent | GrowIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy, command } = scene;
  const { gitDir, workTree } = repository;
  if (workTree === null || command.cwd.kind !== 'known' || !isBareRepository(gitDir) || !(await isShared(repository))) {
    return [];
  }
  const head = await repository.head();
  const defaultBranch = head.kind === 'branch' ? defaultOf(head.branch, scene) : null;
  if (
    head.kind !== 'branch' ||
    !isProtected(head.branch, policy, defaultBranch) ||
    (await pushedFrom(scene)) === null
  ) {
    return [];
  }
  const rewrites = intent.kind === 'commit' && intent.amend;
  return findings(rewrites ? 'protected-force-push' : 'protected-push', policy, {
    message: `This ${rewrites ? 'overwrites' : 'updates'} ${head.branch} in ${gitDir}, which others push to.`,
    evidence: { refs: [head.ref] },
    suggestion: 'git push origin HEAD:refs/heads/my-change',
  });
}

/** What everybody who clones gets; in a work tree that the line adds, another branch may be checked out. */
function defaultOf(branch: string, { repository: { gitDir }, overlay }: Scene): string | null {
  const text = overlay.isAdded ? readText(join(gitDir, 'HEAD')) : `ref: refs/heads/${branch}`;
  return /^ref: refs\/heads\/(.+)$/m.exec(text ?? '')?.[1] ?? null;
}

/**
 * The repository at hand, where it has this one as a remote, and the remote's name; null: it has not. Where the line stands
 * elsewhere by now, it is the one in which it begins.
 */
async function pushedFrom({
  repository,
  command: { cwd },
  start,
}: Scene): Promise<{ readonly here: Repository; readonly remote: string } | null> {
  const env = withoutRepositoryVariables(repository.git.context.env);
  for (const place of new Set([...(cwd.kind === 'known' ? [cwd.path] : []), start])) {
    const here = await repositoryThere(place, env);
    const remote = here === null ? null : await remoteAt(repository.gitDir, here);
    if (here !== null && remote !== null) {
      return { here, remote };
    }
  }
  return null;
}

/** Where a branch stands that was not here before the line has pushed it: what it is at hand is known. */
async function pushedBefore(name: string, scene: Scene): Promise<string | null> {
  const from = name.startsWith('refs/heads/') ? await pushedFrom(scene) : null;
  if (from === null) {
    return null;
  }
  const { here, remote } = from;
  const trees = await scene.treesBefore(here.workTree ?? here.cwd);
  const tracking = `refs/remotes/${remote}/${shortBranchName(name)}`;
  return trees.map(({ overlay }) => overlay.refs.get(tracking) ?? null).find((oid) => oid !== null) ?? null;
}

/**
 * Bare by its own configuration, whatever the command says: a submodule's or a linked work tree's is not, nor one that
 * somebody has cloned to work in the work trees that are linked to it.
 */
async function isShared(repository: Repository): Promise<boolean> {
  if (repository.workTree !== null && ownDirectory(repository) !== repository.gitDir) {
    return false;
  }
  const isWorkedIn = existsSync(join(repository.gitDir, 'worktrees'));
  return !isWorkedIn || (await repository.config()).subsections('remote').length === 0;
}

/** A symbolic ref by another name: who pushes there updates the branch that it stands for. */
async function judgeOtherName(
  { ref, to, means }: MoveRefIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const [name, target] = [textOf(ref?.name), textOf(to)].map((full) => shortBranchName(full ?? ''));
  const head = await repository.head();
  const defaultBranch = head.kind === 'branch' ? head.branch : null;
  const isGuarded = (branch = '') => isProtected(branch, policy, defaultBranch);
  return findings(
    'change-remote',
    policy,
    !isGuarded(target) || isGuarded(name)
      ? null
      : {
          message: `${means} makes pushes to ${name} in ${repository.gitDir} updates of ${target}, a protected branch.`,
          suggestion: `git -C ${quoteWord(repository.gitDir)} branch ${quoteWord(name ?? '')} ${quoteWord(target ?? '')}`,
        },
  );
}

/** `git symbolic-ref HEAD refs/heads/x`: what everybody who clones gets. */
async function judgeDefaultBranch(
  { to, mayBeUnborn }: SwitchIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const head = await repository.head();
  const branch = head.kind === 'branch' ? head.branch : null;
  const name = textOf(to);
  return findings(
    'change-remote',
    policy,
    // Other commands that switch need a work tree.
    branch === null || branch === name || (repository.workTree === null && mayBeUnborn !== true)
      ? null
      : {
          message: `This makes ${name ?? 'another branch'} the default branch of ${repository.gitDir}, which others clone, instead of ${branch}.`,
          suggestion: 'git symbolic-ref HEAD',
        },
  );
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
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const before = name === null ? null : ((await repository.ref(name)) ?? (await pushedBefore(name, scene)));
  if (name === null || before === null || !/^refs\/(?:heads|tags)\//.test(name)) {
    return [];
  }
  const head = await repository.head();
  const branch = name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : null;
  const isGuarded = branch !== null && isProtected(branch, policy, head.kind === 'branch' ? head.branch : null);
  const target = `${refName(name)} in ${repository.gitDir}, which others push to`;
  const evidence = { refs: [name] };
  const kept = `kept-${refName(name).replace(/^tag /, '').replaceAll('/', '-')}`;
  const suggestion = `git -C ${quoteWord(repository.gitDir)} branch ${kept} ${before.slice(0, 12)}`;
  if (to === null) {
    return findings(isGuarded ? 'protected-delete' : 'remote-delete', policy, {
      message: `${means} deletes ${target}.`,
      evidence,
      suggestion,
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
    suggestion,
  });
}
