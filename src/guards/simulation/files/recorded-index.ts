import { filesInTree } from '../../../git/contents/tree-entries.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { ChangeIndexIntent, Intent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';
import { isPlain, roots } from './meant-paths.ts';
import type { Reindexed } from './reindexed.ts';

/** Takes down what a command does to the index at some paths: `git rm --cached`, `git reset COMMIT -- PATH`, `git add`. */
export async function recordReindexed(intent: Intent, overlay: Overlay, repository: Repository): Promise<void> {
  const { reindexed } = overlay;
  if (putsAllBack(intent)) {
    reindexed.splice(0);
  } else if (intent.kind === 'change-index') {
    reindexed.push(...(await unstagedBy(intent, repository)));
  } else if (intent.kind === 'stage' && intent.part === 'content') {
    reindexed.push(...stagedAt(intent.paths, repository));
  } else if (intent.kind === 'change-files' && intent.newPlace !== undefined) {
    reindexed.push(...stagedAt([intent.newPlace], repository));
  }
}

/**
 * Has the index anything of a path, as far as commands have named it? Null: none has.
 *
 * @param path from the work tree's root
 */
export async function isReindexed(path: string, overlay: Overlay, repository: Repository): Promise<boolean | null> {
  const has = lastReindexed(path, overlay);
  if (has === null || typeof has === 'string') {
    return has === null ? null : has === 'work tree';
  }
  return (await filesInTree(has.commit, [path], repository))?.has(path) === true;
}

/** What the last command that has named a path has made of it there; null: none has. @param path from the work tree's root */
export function lastReindexed(path: string, { reindexed }: Overlay): Reindexed['has'] | null {
  return reindexed.findLast(({ isMeant }) => isMeant(path))?.has ?? null;
}

/** The index becomes what a commit has, all of it. */
function putsAllBack(intent: Intent): boolean {
  switch (intent.kind) {
    case 'move-ref':
      return intent.ref === null && intent.keepsIndex !== true && intent.movesAlone !== true;
    case 'stash':
      return intent.action === 'push' && !intent.partial;
    case 'discard':
      return intent.what.kind === 'tracked' || intent.what.kind === 'staged';
    default:
      return false;
  }
}

async function unstagedBy(intent: ChangeIndexIntent, repository: Repository): Promise<readonly Reindexed[]> {
  const { change, paths, from, mayBeginWithCommit } = intent;
  if (change !== 'remove' && change !== 'reset') {
    return [];
  }
  const texts = textsOf(paths);
  const first = mayBeginWithCommit === true ? (texts?.[0] ?? null) : null;
  const isNamed = first !== null && (await repository.resolve(`${first}^{tree}`)) !== null;
  const isMeant = meantBy(isNamed ? (texts?.slice(1) ?? null) : texts, repository);
  if (change === 'remove') {
    return [{ isMeant, has: 'nothing' }];
  }
  const name = isNamed ? first : from === undefined ? 'HEAD' : textOf(from);
  const commit = name === null ? null : await repository.resolve(`${name}^{tree}`);
  return [{ isMeant, has: commit === null ? 'nothing' : { commit } }];
}

/** Only what surely is among the paths. */
function stagedAt(words: readonly Word[], repository: Repository): readonly Reindexed[] {
  const texts = words.flatMap((word) => textOf(word) ?? []).filter(isPlain);
  return texts.length === 0 ? [] : [{ isMeant: roots(texts, repository), has: 'work tree' }];
}

/** Whatever may be among the paths. */
function meantBy(paths: readonly string[] | null, repository: Repository): (path: string) => boolean {
  return paths?.every(isPlain) === true ? roots(paths, repository) : () => true;
}
