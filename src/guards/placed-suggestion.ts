import { basename, dirname, join } from 'node:path';
import { namesByPath } from '../git/refs/worktree-heads.ts';
import type { Repository } from '../git/repository.ts';
import { quoteWord } from '../quote.ts';
import { isWithin } from './files/guarded-file.ts';
import type { Finding } from './finding.ts';
import { near } from './wording.ts';

/**
 * A finding whose suggestion can be pasted where the line began, though the line has gone elsewhere by then: into another
 * repository, or a folder from which paths are told.
 *
 * @param start absolute
 * @param isNamed the call itself says which git directory is meant
 */
export function placedFinding(finding: Finding, repository: Repository, start: string, isNamed: boolean): Finding {
  const { cwd, workTree } = repository;
  const { isForTop = false } = finding;
  const isOthers = stashing.test(finding.suggestion ?? '') && isOthersTree(repository);
  // What the index here lacks is nothing that the one there has to be given.
  const suggestion = isOthers ? (finding.suggestion ?? '').replace(/^git add [^&]*&& /, '') : finding.suggestion;
  const from = isForTop || isOthers ? (workTree ?? cwd) : cwd;
  const isHere =
    !isOthers && (cwd === start || (workTree !== null && isWithin(start, workTree) && isWithin(cwd, workTree)));
  if (suggestion !== null && byPath.test(suggestion) && from !== start) {
    return { ...finding, suggestion: `cd ${quoteWord(near(from, start))} && ${suggestion}` };
  }
  // In a bare repository no branch is checked out: that is meant for the one at hand.
  const isMeantHere = workTree === null && suggestion?.startsWith('git switch ') === true;
  if (suggestion !== null && isNamed && !isMeantHere && !isForTop && !isOthers && !isFoundAt(start, repository)) {
    const place = from === start ? '' : `-C ${quoteWord(near(from, start))} `;
    const named = `--git-dir=${near(repository.gitDir, from)}`;
    // git(1): with a git directory alone, the files are those where git stands; of a bare one there are none.
    const tree = stashing.test(suggestion) && workTree !== null ? near(workTree, from) : null;
    const places = [named, ...(tree === null ? [] : [`--work-tree=${tree}`])].map(quoteWord).join(' ');
    return { ...finding, suggestion: suggestion.replace(gitCalls, `$1git ${place}${places} `) };
  }
  if (suggestion === null || isMeantHere || from === start || (isHere && !isForTop && !suggestion.includes(' -- '))) {
    return finding;
  }
  const place = quoteWord(near(from, start));
  return { ...finding, suggestion: suggestion.replace(gitCalls, `$1git -C ${place} `) };
}

/** Other programs than git have no `-C`. */
const byPath = /^(?:cp|mv) |^git show \S+ > /;

const stashing = /^(?:git add [^&]*&& )?git stash\b/;

/**
 * `--work-tree=DIR`: the files are those of a work tree of the repository elsewhere, whose own index and HEAD git knows there.
 * From here a stash would be made of other files.
 */
function isOthersTree({ cwd, workTree, commonDir }: Repository): boolean {
  if (workTree === null || isWithin(cwd, workTree)) {
    return false;
  }
  const name = namesByPath(commonDir).get(workTree);
  return join(workTree, '.git') === commonDir || name !== undefined;
}

const gitCalls = /(^|&& )git (?!-C )/g;

/** Would git find the repository there by itself? */
function isFoundAt(start: string, { gitDir }: Repository): boolean {
  return basename(gitDir) === '.git' && isWithin(start, dirname(gitDir));
}
