import { locate } from '../tools/place.ts';
import { type Opening, openPlace } from '../tools/working-file.ts';

/**
 * Opens a file of the project whose text goes to the model. A regular file in the project, wherever links lead: a clone
 * may bring one that leads to a key of the person, or a pipe that never ends.
 *
 * @param path absolute
 * @param root of the project, absolute
 */
export function openProjectFile(path: string, root: string): Opening {
  const placing = locate(path, { cwd: root, roots: [root] });
  return placing.ok ? openPlace(placing.place, null) : placing;
}
