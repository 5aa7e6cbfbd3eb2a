import { type Stats, statSync } from 'node:fs';

/**
 * The guarded files that a path is another name of: what is written to it is written to them.
 *
 * @param path absolute
 * @param guarded tells the files that count; asked only where the file has other names at all
 */
export function otherNames(path: string, guarded: () => readonly string[]): readonly string[] {
  const file = statusOf(path);
  if (file === undefined || file.nlink < 2 || !file.isFile()) {
    return [];
  }
  return guarded().filter((other) => {
    const found = other === path ? undefined : statusOf(other);
    return found?.ino === file.ino && found.dev === file.dev;
  });
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
