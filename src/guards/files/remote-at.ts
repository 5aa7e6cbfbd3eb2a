import { resolve } from 'node:path';
import type { Repository } from '../../git/repository.ts';

/** The remote of a repository that lies in this directory; null: none does. */
export async function remoteAt(directory: string, repository: Repository): Promise<string | null> {
  const config = await repository.config();
  const from = repository.workTree ?? repository.cwd;
  const isHere = (url: string | null) => url !== null && resolve(from, url.replace(/^file:\/\//, '')) === directory;
  return config.subsections('remote').find((name) => isHere(config.get(`remote.${name}.url`))) ?? null;
}
