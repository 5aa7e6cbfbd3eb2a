import { join } from 'node:path';
import { readText } from '../files.ts';

/**
 * The commits at which a shallow clone's history is cut off: gitrepository-layout(5) `shallow`. Their parents exist
 * but are not here, so "is not reachable" below them can't be told.
 */
export function readShallowCommits(commonDir: string): ReadonlySet<string> {
  const content = readText(join(commonDir, 'shallow')) ?? '';
  return new Set(content.split('\n').filter((line) => line !== ''));
}
