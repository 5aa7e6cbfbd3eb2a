import { dirname, join } from 'node:path';
import { fitText } from '../tools/tool-result.ts';
import { openProjectFile } from './project-file.ts';

const names = ['AGENTS.md', 'CLAUDE.md'] as const;
/** Characters of one file, and how many directories are looked at. */
const fileLimit = 32_000;
const directoryLimit = 20;

export interface ProjectInstructions {
  readonly path: string;
  readonly text: string;
}

/**
 * What the project tells agents: AGENTS.md, or CLAUDE.md where that is missing, of the working directory and of every
 * directory above it up to the repository's root. The root's comes first, so that the nearest has the last word.
 *
 * @param root absolute; null outside of a repository: then only the working directory counts
 */
export function readProjectInstructions(cwd: string, root: string | null): readonly ProjectInstructions[] {
  const found: ProjectInstructions[] = [];
  let directory = cwd;
  for (let level = 0; level < directoryLimit; level += 1) {
    found.unshift(...instructionsIn(directory, root ?? cwd));
    if (directory === (root ?? cwd) || directory === dirname(directory)) {
      break;
    }
    directory = dirname(directory);
  }
  return found;
}

function instructionsIn(directory: string, root: string): readonly ProjectInstructions[] {
  for (const name of names) {
    const path = join(directory, name);
    const opening = openProjectFile(path, root);
    // A character has at most four bytes.
    const text = opening.ok ? opening.file.bytes.toString('utf8', 0, fileLimit * 4).trim() : '';
    if (text !== '') {
      return [{ path, text: fitText(text, fileLimit).text }];
    }
  }
  return [];
}
