import type { Repository } from '../git/repository.ts';
import { quoteWord } from '../quote.ts';
import { isWithin } from './files/guarded-file.ts';
import type { Finding } from './finding.ts';
import { near } from './mirror-of.ts';

/**
 * A finding whose suggestion can be pasted where the line began, though the line has gone elsewhere by then: into another
 * repository, or a folder from which paths are told.
 *
 * @param start absolute
 */
export function placedFinding(finding: Finding, { cwd, workTree }: Repository, start: string): Finding {
  const { suggestion, isForTop = false } = finding;
  const from = isForTop ? (workTree ?? cwd) : cwd;
  const isHere = cwd === start || (workTree !== null && isWithin(start, workTree) && isWithin(cwd, workTree));
  // In a bare repository no branch is checked out: that is meant for the one at hand.
  const isMeantHere = workTree === null && suggestion?.startsWith('git switch ') === true;
  if (suggestion === null || isMeantHere || from === start || (isHere && !isForTop && !suggestion.includes(' -- '))) {
    return finding;
  }
  const place = quoteWord(near(from, start));
  return { ...finding, suggestion: suggestion.replace(/(^|&& )git (?!-C )/g, `$1git -C ${place} `) };
}
