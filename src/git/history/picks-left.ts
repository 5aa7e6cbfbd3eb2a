import { join } from 'node:path';
import { readText } from '../files.ts';
import type { StoppedOperation } from './stopped-operations.ts';

/** Lines of a list that make a commit; `fixup` and `squash` go into the one before: git-rebase(1) "INTERACTIVE MODE". */
const making = /^\s*(?:p|pick|r|reword|e|edit|m|merge|revert)\s/;

/** How many commits a stopped operation makes yet, beside the one that it has stopped at. */
export function countPicksLeft(operation: StoppedOperation, gitDir: string): number {
  const read = (name: string) => readText(join(gitDir, name));
  switch (operation) {
    case 'merge':
      return 0;
    case 'cherry-pick':
    case 'revert':
      // There the first line is what it has stopped at.
      return Math.max(0, commitsIn(read('sequencer/todo')) - 1);
    case 'rebase':
    case 'am': {
      const [next, last] = ['next', 'last'].map((name) => Number(read(`rebase-apply/${name}`) ?? 0));
      return commitsIn(read('rebase-merge/git-rebase-todo')) + Math.max(0, (last ?? 0) - (next ?? 0));
    }
  }
}

function commitsIn(list: string | null): number {
  return (list ?? '').split('\n').filter((line) => making.test(line)).length;
}
