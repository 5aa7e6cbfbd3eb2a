import { relative, sep } from 'node:path';
import { contains } from './place.ts';
import type { ToolSession } from './tool.ts';

/**
 * The files below a directory that a virtual session holds instead of the disk, by their path relative to it with `/`
 * between the parts. Empty in other sessions.
 */
export function virtualFilesBelow(directory: string, session: ToolSession | null): ReadonlyMap<string, Buffer> {
  if (session?.files.mode !== 'virtual') {
    return new Map();
  }
  const below = session.files.list().filter(({ path }) => contains(directory, path));
  return new Map(below.map(({ path, content }) => [relative(directory, path).split(sep).join('/'), content]));
}
