import type { Repository } from '../repository.ts';

/** gitattributes(5) "merge": a program of one's own may leave changes out, and would run. */
export async function drivesMerges(repository: Repository): Promise<boolean> {
  return (await repository.config()).entries.some(({ key }) => /^merge\..*\.driver$/.test(key));
}
