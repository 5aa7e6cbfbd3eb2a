import { closeSync, openSync, readlinkSync, rmSync } from 'node:fs';

/**
 * Opens a file by a path whose symbolic links were resolved before. A command that runs beside may have put a link in
 * the place of a directory since: then what was opened lies elsewhere, and is closed again; a file that came to be by
 * opening it (`wx`) is removed, empty as it is. Noticed on Linux, where proc(5) tells what a descriptor is.
 *
 * @param path absolute, without symbolic links
 * @throws ErrnoException of open(2); `ESTALE` when the path leads elsewhere now
 */
export function openResolved(path: string, flags: string | number, mode?: number): number {
  const descriptor = openSync(path, flags, mode);
  const place = process.platform === 'linux' ? placeOf(descriptor) : null;
  if (place !== null && place !== path) {
    closeSync(descriptor);
    if (flags === 'wx') {
      rmSync(place, { force: true });
    }
    throw Object.assign(new Error(`ESTALE: '${path}' leads elsewhere now`), { code: 'ESTALE', path });
  }
  return descriptor;
}

/** Null without /proc: then it can't be known. */
function placeOf(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null;
  }
}
