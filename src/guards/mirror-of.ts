import { quoteWord } from '../quote.ts';

/**
 * What keeps a repository before its history goes: a copy beside its work tree, from wherever one stands below it.
 *
 * @param workTree from where the line begins
 */
export function mirrorOf(workTree = ''): string {
  const place = workTree === '' || workTree === '.' ? '' : ` -C ${quoteWord(workTree)}`;
  return `git${place} clone --mirror . ../backup.git`;
}
