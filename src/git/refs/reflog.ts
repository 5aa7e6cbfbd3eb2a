import { join } from 'node:path';
import { readText } from '../files.ts';
import type { Repository } from '../repository.ts';

/** One entry of a ref's log. */
export interface ReflogEntry {
  /** What the ref led to from then on. */
  readonly oid: string;
  /** What was done, and to what end: `commit (amend): …`. */
  readonly message: string;
}

/**
 * A ref's log, the oldest entry first; none where there is no log.
 *
 * @param ref full name, or `HEAD`
 */
export async function readReflog(
  ref: string,
  { git, gitDir, commonDir }: Pick<Repository, 'git' | 'gitDir' | 'commonDir'>,
): Promise<readonly ReflogEntry[]> {
  const log = readText(join(ref === 'HEAD' ? gitDir : commonDir, 'logs', ref));
  if (log === null) {
    const output = await git.run(['log', '--walk-reflogs', '--format=%H%x09%gs', ref, '--']);
    return entriesOf(output.stdout.toString('utf8'), /^([0-9a-f]+)\t(.*)$/gm).reverse();
  }
  // `OLD NEW NAME <MAIL> TIME ZONE\tcommit (amend): …`
  return entriesOf(log, /^[0-9a-f]+ ([0-9a-f]+) [^\t\n]*\t(.*)$/gm);
}

function entriesOf(text: string, line: RegExp): ReflogEntry[] {
  return [...text.matchAll(line)].map(([, oid = '', message = '']) => ({ oid, message }));
}
