import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The commits at which a shallow clone's history is cut off: gitrepository-layout(5) `shallow`. Their parents exist
 * but are not here, so "is not reachable" below them can't be told.
 */
export async function readShallowCommits(commonDir: string): Promise<ReadonlySet<string>> {
  const content = await readFile(join(commonDir, 'shallow'), 'utf8').catch(() => '');
  return new Set(content.split('\n').filter((line) => line !== ''));
}
