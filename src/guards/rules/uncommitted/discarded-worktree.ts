import { join, relative, resolve } from 'node:path';
import type { StatusEntry } from '../../../git/contents/status.ts';
import { quoteWord } from '../../../quote.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { repositoryThere } from '../../files/repository-there.ts';
import { linkedWorktree, worktreesOf } from '../../files/work-trees.ts';
import type { Finding } from '../../finding.ts';
import { textOf, type UnknownWord } from '../../git-command/words.ts';
import { hasLeftTree } from '../../gone-files.ts';
import type { Scene } from '../../scene.ts';
import type { OverlaidTree } from '../../simulation/line-changes.ts';
import { count } from '../../wording.ts';
import { isOnlyGone } from '../../work-at-stake.ts';
import { unreadable } from '../unreadable-command.ts';
import { objection } from './discard-objection.ts';

/** git-worktree(1) "remove": uncommitted work in it. */
export function judgeWorktree(path: Word, means: string, scene: Scene): Promise<readonly Finding[]> {
  return path.kind === 'known' ? judgeNamed(path, means, scene) : judgeUnknown(path, scene);
}

async function judgeNamed(path: Word, means: string, scene: Scene): Promise<readonly Finding[]> {
  const directory = await linkedWorktree(textOf(path) ?? '.', scene);
  const places = new Set([directory, resolve(scene.repository.cwd, textOf(path) ?? '.')]);
  const arrived = [...places].flatMap((place) => scene.moved.into(place)).filter((from) => from !== directory);
  const moved = arrived.map((from) => relative(scene.repository.cwd, from));
  const added = scene.addedWorktree(directory);
  // It began with nothing that is not committed.
  const unstashed =
    added?.overlay.saved === 'nothing' ? [`what the stash held in ${relative(scene.repository.cwd, directory)}`] : [];
  const carried = [...(added === null ? [] : await broughtBack(added)), ...onlyCopiesIn(directory, scene)];
  const lost = [...new Set([...moved, ...unstashed, ...carried, ...(await changesIn(directory, scene))])];
  const areThere = moved.length + unstashed.length + carried.length === 0;
  return objection(scene, means, lost, `git -C ${quoteWord(directory)} stash --include-untracked`, {
    loss: areThere ? { workTree: directory, files: lost, takesWorkTree: true } : null,
  });
}

/** What a stash held that was there before the line, and that is in no commit or stash since. */
async function broughtBack({ repository, overlay }: OverlaidTree): Promise<readonly string[]> {
  const { brought, inStash } = overlay;
  const entries = brought.size === 0 ? [] : await repository.status();
  return entries.map(({ path }) => path).filter((path) => brought.has(path) && !inStash.has(path));
}

/** Copies of what was discarded elsewhere; a commit or a stash of the line may have taken them up. */
function onlyCopiesIn(directory: string, { patches, overlay }: Scene): readonly string[] {
  return overlay.made.all.length === 0 && overlay.shared.stashes.pushes === 0 ? patches.needed(directory) : [];
}

/** Any linked work tree may be meant. */
async function judgeUnknown(path: UnknownWord, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const linked = (await worktreesOf(repository)).slice(1).filter((place) => mayBe(path, place, repository.cwd));
  const changed = (await Promise.all(linked.map((place) => changesIn(place, scene)))).flat();
  return changed.length === 0
    ? []
    : unreadable(policy, {
        source: path.source,
        reason: path.reason,
        could: `a work tree with uncommitted changes in ${count(changed.length, 'file')}`,
      });
}

/** By its path, or by the last components of it: git-worktree(1) "OPTIONS". @param cwd what the path is relative to */
function mayBe({ prefix, suffix }: UnknownWord, place: string, cwd: string): boolean {
  const end = prefix.lastIndexOf('/') + 1;
  const beginning = prefix === '' ? '' : join(resolve(cwd, prefix.slice(0, end)), '/', prefix.slice(end));
  return (place.startsWith(beginning) || place.includes(`/${prefix}`)) && place.endsWith(suffix);
}

/** The index has nothing of it that HEAD lacks: with the file, all of it is gone. */
function isLoose({ index }: StatusEntry): boolean {
  return index === '?' || index === '.';
}

/** As the commands before leave it. */
async function changesIn(directory: string, scene: Scene): Promise<readonly string[]> {
  const { repository } = scene;
  const opened = await repositoryThere(directory, repository.git.context.env);
  if (opened === null || opened.workTree !== directory) {
    return [];
  }
  const isLinked = opened.commonDir === repository.commonDir;
  const other = (isLinked ? (await scene.linkedWorktree(directory))?.repository : null) ?? opened;
  const isAtStake = (entry: StatusEntry) =>
    !(isLoose(entry) && hasLeftTree(entry.path, directory, scene)) && !isOnlyGone(entry, directory);
  const entries = (await other.status()).filter(isAtStake);
  const changes = [...entries, ...(await opened.hiddenChanges())].map(({ path }) => path);
  return scene.patches.without(changes, 'both', { repository: other, command: scene.command, without: directory });
}
