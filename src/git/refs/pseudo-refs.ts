import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryReadText } from '../files.ts';
import { askAtOnce } from '../runner.ts';

/**
 * What a ref outside of `refs/` names, which git keeps while it is at something: CHERRY_PICK_HEAD, AUTO_MERGE (gitglossary(7)
 * "pseudoref"). A file in the git directory, unless the repository keeps its refs in a table; git is asked only there.
 */
export function readPseudoRef(gitDir: string, name: string): string | null {
  const text = tryReadText(join(gitDir, name));
  if (text !== null) {
    return text === 'error' ? null : text.trim();
  }
  const mayBeInTable = /^[A-Z_]+$/.test(name) && existsSync(join(gitDir, 'reftable'));
  const asked = mayBeInTable
    ? askAtOnce(['--git-dir', gitDir, 'rev-parse', '--verify', '--quiet', name], gitDir)
    : null;
  return asked?.exitCode === 0 ? asked.text : null;
}

/** Is there such a ref? */
export function hasPseudoRef(gitDir: string, name: string): boolean {
  return readPseudoRef(gitDir, name) !== null;
}
