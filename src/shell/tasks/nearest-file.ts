import type { Shell } from '../call.ts';
import type { Directory } from '../simple-command.ts';

/** A file of a project that says what a task does. */
export interface ProjectFile {
  readonly directory: string;
  readonly text: string;
}

/** As runners of tasks look for their file: here, then in the directories above. */
export function nearestFile(names: readonly string[], cwd: Directory, shell: Shell): ProjectFile | null {
  let directory = cwd.kind === 'known' ? cwd.path : '';
  for (let level = 0; level < 32 && directory !== ''; level += 1) {
    for (const name of names) {
      const text = shell.overlay.tasks(`${directory}/${name}`);
      if (text !== null) {
        return { directory, text };
      }
    }
    directory = directory.replace(/\/[^/]*$/, '');
  }
  return null;
}
