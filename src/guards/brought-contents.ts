import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isDirectory, readText } from '../git/files.ts';
import type { Directory } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { namesBelow } from './files/copied-contents.ts';
import type { FileChange } from './files/file-change.ts';
import { isWithin, mayBeGuarded, workTreeAbove } from './files/guarded-file.ts';
import { mayHoldKey } from './files/manifest.ts';
import { known } from './git-command/words.ts';
import type { World } from './world.ts';

/** `cp -r DIRECTORY/. .`: is there a repository in either, or does the line make the one that is copied? */
export function comes({ path, broughtFrom }: FileChange, cwd: Directory, world: World): boolean {
  if (broughtFrom === undefined) {
    return true;
  }
  const [from, to] = [absolutePath(broughtFrom, cwd), absolutePath(path, cwd)];
  return (
    from !== null &&
    to !== null &&
    existsSync(to) &&
    (existsSync(from) || world.scratch.madeAt(dirname(from), null) !== null)
  );
}

/**
 * `cp -r template/. .`: the files that come along and may be guarded where they land, and are others than those there;
 * null: no directory is copied.
 */
export function broughtContents(
  { path, contents }: FileChange,
  cwd: Directory,
  world: World,
): readonly FileChange[] | null {
  if (contents === undefined) {
    return null;
  }
  const [from, target] = [absolutePath(contents.from, cwd), absolutePath(path, cwd)];
  if (from === null || target === null) {
    return [];
  }
  const to = contents.keepsName && isDirectory(target) ? join(target, basename(from)) : target;
  // Whether a repository comes along is told by `broughtFrom`; what the line has written into one counts by itself.
  const own = [...world.writtenTexts.keys()].filter((file) => file.startsWith(`${from}/`) && !file.endsWith('/.git'));
  const names = new Set([...namesBelow(from), ...own.map((file) => relative(from, file))]);
  const mattering = [...names].filter((name) => !contents.leavesOut(name) && mayMatter(join(to, name), world));
  return mattering.flatMap((name): FileChange[] => {
    const file = join(to, name);
    const written = world.writtenTexts.get(join(from, name));
    const text = written === undefined ? readText(join(from, name)) : written;
    if (text !== null && text === readText(file)) {
      return [];
    }
    world.writtenTexts.set(file, text);
    return [{ path: known(file), kind: 'write' }];
  });
}

function mayMatter(path: string, world: World): boolean {
  const top = workTreeAbove(path);
  return (
    mayBeGuarded(path) ||
    mayHoldKey(path) ||
    (top !== null && world.configuredHooks(top).some((hooks) => isWithin(path, hooks)))
  );
}
