import { closeSync, openSync, readlinkSync } from 'node:fs';

/**
 * Opens a file by a path whose symbolic links were resolved before. A command that runs beside may have put a link in
 * the place of a directory since: then what was opened lies elsewhere, and is closed again. Noticed on Linux, where
 * proc(5) tells what a descriptor is.
 *
 * @param path absolute, without symbolic links
 * @throws ErrnoException of open(2); `ESTALE` when the path leads elsewhere now
 */
export function openResolved(path: string, flags: string | number, mode?: number): number {
  const descriptor = openSync(path, flags, mode);
  if (process.platform === 'linux' && !isAt(descriptor, path)) {
    closeSync(descriptor);
    throw Object.assign(new Error(`ESTALE: '${path}' leads elsewhere now`), { code: 'ESTALE', path });
  }
  return descriptor;
}

function isAt(descriptor: number, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  } catch {
    // Without /proc it can't be known.
    return true;
  }
}
