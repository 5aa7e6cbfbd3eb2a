import { statSync } from 'node:fs';
import { OxideError } from '../../errors.ts';
import { realPath } from '../../git/files.ts';
import { locate } from '../../tools/place.ts';

/**
 * Where a command starts: in the workspace, by the name of the directory and after its symbolic links.
 *
 * @param named relative to the workspace or absolute; null: the workspace itself
 * @returns absolute, without symbolic links
 * @throws OxideError `workspace-missing`, `working-directory-outside`, `working-directory-missing`
 */
export function workingDirectory(named: string | null, workspace: string): string {
  const root = realPath(workspace);
  if (root === null) {
    throw new OxideError('workspace-missing', `The workspace's directory '${workspace}' does not exist.`, {
      remedy: 'Delete the workspace and make another one.',
    });
  }
  if (named === null) {
    return root;
  }
  // The workspace may be named by a path with symbolic links in it.
  const inside = named === workspace || named.startsWith(`${workspace}/`) ? `.${named.slice(workspace.length)}` : named;
  const placing = locate(inside, { cwd: root, roots: [root] });
  if (!placing.ok) {
    throw new OxideError(
      'working-directory-outside',
      `working_dir '${named}' does not lead into the workspace '${workspace}'.`,
      { remedy: 'Name a directory of the workspace, relative to it.' },
    );
  }
  const { target } = placing.place;
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new OxideError('working-directory-missing', `There is no directory '${named}' in the workspace.`);
  }
  return target;
}
