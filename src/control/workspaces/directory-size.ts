import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a directory takes on the disk. */
export interface DirectorySize {
  readonly bytes: number;
  /** There is more: it was not counted to the end. */
  readonly isPartial: boolean;
}

/** Symbolic links are not followed. @param limit entries after which counting stops */
export async function directorySize(directory: string, limit = 200_000): Promise<DirectorySize> {
  const waiting = [directory];
  let bytes = 0;
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    if (seen > limit) {
      return { bytes, isPartial: true };
    }
    const here = next;
    waiting.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(here, name)));
    const files = entries.filter((entry) => !entry.isDirectory());
    const sizes = await Promise.all(
      files.map(({ name }) =>
        lstat(join(here, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  return { bytes, isPartial: false };
}
