import type { Finding } from '../../finding.ts';
import { textsOf } from '../../git-command/words.ts';
import type { Intent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { meant } from '../../simulation/files/meant-paths.ts';
import { ownAmong } from './discard-changes.ts';
import { objection } from './discard-objection.ts';
import { wayToKeep } from './ways-to-keep.ts';

/**
 * `git restore --source=HEAD FILE && git add FILE`: what was staged was the file's content until the line has put another
 * one there, and then the index follows. What the work tree has moved past before the line is no loss.
 */
export async function judgeOnlyStaged(intent: Intent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const overwrites = overwritten(intent);
  if (overwrites === null) {
    return [];
  }
  const entries = (await repository.status()).filter(({ path }) => overlay.onlyStaged.has(path));
  const lost = await ownAmong(await meant(overwrites.paths, entries, repository), scene);
  return objection(scene, overwrites.means, lost, await wayToKeep(repository, lost, overwrites.paths));
}

/** Pathspecs of which the index gets something else; null: of none, or they can't be known. */
function overwritten(intent: Intent): { readonly paths: readonly string[]; readonly means: string } | null {
  switch (intent.kind) {
    case 'stage':
      return intent.part === 'content' ? withPaths(textsOf(intent.paths), 'git add') : null;
    case 'change-index':
      return ['write', 'remove', 'reset'].includes(intent.change)
        ? withPaths(textsOf(intent.paths), intent.means)
        : null;
    case 'commit':
      return withPaths(intent.all ? [':/'] : textsOf(intent.paths), intent.all ? 'git commit --all' : 'git commit');
    case 'move-ref':
      return intent.ref === null && intent.keepsWork === true && intent.keepsIndex !== true
        ? withPaths([':/'], intent.means)
        : null;
    default:
      return null;
  }
}

function withPaths(paths: readonly string[] | null, means: string): ReturnType<typeof overwritten> {
  return paths === null || paths.length === 0 ? null : { paths, means };
}
