import { basename, dirname, join, relative } from 'node:path';
import { quoteWord } from '../../../quote.ts';
import { lossesInSubmodules, type SubmoduleLoss } from '../../files/submodule-losses.ts';
import { type Finding, findings } from '../../finding.ts';
import { freePath } from '../../free-path.ts';
import { ignoredFiles, onlyCopies } from '../../ignored-files.ts';
import type { Scene } from '../../scene.ts';
import { nameCommits, near } from '../../wording.ts';
import { objection } from './discard-objection.ts';

/** A linked work tree that git forgets. */
export interface Forgotten {
  /** Its git directory, absolute. */
  readonly gitDir: string;
  /** Null: it is gone already. */
  readonly workTree: string | null;
  /** Roots of other work trees that stay, absolute. */
  readonly staying: readonly string[];
}

/** With a linked work tree go the repositories that it has of its submodules, and what is checked out of them. */
export async function judgeSubmodulesOf(
  forgotten: Forgotten,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { env } = scene.repository.git.context;
  const found: Finding[] = [];
  for (const loss of await lossesInSubmodules(forgotten.gitDir, env, scene.treesBefore)) {
    found.push(...(await judgeFiles(loss, forgotten, means, scene)), ...judgeCommits(loss, forgotten, means, scene));
  }
  return found;
}

/** Uncommitted work in a submodule, and ignored files that nothing else has. */
async function judgeFiles(
  { tree, changes }: SubmoduleLoss,
  { workTree, staying }: Forgotten,
  means: string,
  scene: Scene,
): Promise<readonly Finding[]> {
  const place = tree?.repository.workTree ?? null;
  if (tree === null || place === null || workTree === null) {
    return [];
  }
  const below = relative(workTree, place);
  const others = staying.map((other) => join(other, below));
  const ignored = await onlyCopies(await ignoredFiles(tree, scene), tree, others, scene);
  const unkept = await scene.patches.without(changes, 'both', {
    repository: tree.repository,
    command: scene.command,
    without: workTree,
  });
  const lost = [...unkept, ...ignored].map((path) => join(below, path));
  const { cwd } = scene.repository;
  const way = `cp -R ${quoteWord(near(place, cwd))} ${quoteWord(near(freePath(`${workTree}-${basename(place)}`), cwd))}`;
  return objection(scene, means, lost, way, { noun: 'uncommitted file', loss: null });
}

function judgeCommits(
  { gitDir, tree, commits }: SubmoduleLoss,
  forgotten: Forgotten,
  means: string,
  { repository, policy }: Scene,
): readonly Finding[] {
  const name = relative(join(forgotten.gitDir, 'modules'), gitDir);
  const beside = dirname(forgotten.workTree ?? repository.workTree ?? repository.commonDir);
  const kept = freePath(join(beside, `${basename(name)}.bundle`));
  const [from, to] = [near(gitDir, repository.cwd), near(kept, repository.cwd)];
  // Where a configured work tree is gone, git wants to be told another one.
  const elsewhere = tree === null ? ' --work-tree .' : '';
  return findings(
    'lose-commits',
    policy,
    commits.total === 0
      ? null
      : {
          message: `${means} would remove the repository that the work tree has of ${name}, and ${nameCommits(commits)}, which no remote has.`,
          evidence: { commits: commits.commits, refs: [name] },
          suggestion: `git --git-dir ${quoteWord(from)}${elsewhere} bundle create ${quoteWord(to)} --all`,
        },
  );
}
