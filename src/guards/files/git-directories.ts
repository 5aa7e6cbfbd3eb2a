import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The git directories of a work tree: gitrepository-layout(5). */
export interface GitDirectories {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** Read from the files that name them; null where they can't be read. */
export function gitDirectoriesOf(workTree: string): GitDirectories | null {
  const place = join(workTree, '.git');
  try {
    if (statSync(place).isDirectory()) {
      return { gitDir: place, commonDir: place };
    }
    const text = readFileSync(place, 'utf8');
    const gitDir = resolve(workTree, text.replace(/^gitdir: /, '').trim());
    const common = statSync(join(gitDir, 'commondir'), { throwIfNoEntry: false });
    return {
      gitDir,
      commonDir:
        common === undefined ? gitDir : resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim()),
    };
  } catch {
    return null;
  }
}
