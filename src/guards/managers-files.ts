import { basename, join } from 'node:path';
import { isDirectory, readText } from '../git/files.ts';
import type { Directory } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { mayBeManagers } from './files/hook-managers.ts';
import { textOf } from './git-command/words.ts';
import type { ChangeFilesIntent, Intent } from './intent.ts';
import { putsBack } from './restored-files.ts';
import type { World } from './world.ts';

/**
 * Files of hook managers, as a call of git leaves them that the line has changed before, or moves now: what git puts back has
 * its checks again.
 *
 * @param from where git is told of them
 */
export function followManagersFiles(intents: readonly Intent[], from: Directory, world: World): void {
  for (const intent of intents) {
    if (intent.kind === 'change-files' && intent.moves === true) {
      followMove(intent, from, world);
    } else {
      followPutBack(intent, from, world);
    }
  }
}

/** `git mv lefthook.yml .lefthook.yml`: by another name it may be read as well. */
function followMove({ paths, newPlace }: ChangeFilesIntent, from: Directory, world: World): void {
  const target = newPlace === undefined ? null : absolutePath(newPlace, from);
  if (newPlace === undefined || target === null) {
    return;
  }
  const isInto = isDirectory(target) || textOf(newPlace)?.endsWith('/') === true;
  for (const source of paths.flatMap((path) => absolutePath(path, from) ?? [])) {
    const place = isInto ? join(target, basename(source)) : target;
    if (mayBeManagers(place)) {
      const written = world.writtenTexts.get(source);
      const text = written === undefined ? readText(world.moved.before(source)) : written;
      world.managersFiles.set(place, { kind: 'written', text });
    }
  }
}

/** `git stash` keeps the change for `git stash pop`. */
function followPutBack(intent: Intent, from: Directory, { managersFiles }: World): void {
  const isTakenOut = intent.kind === 'stash' && (intent.action === 'apply' || intent.action === 'remove');
  for (const [path, change] of managersFiles) {
    if (isTakenOut && change.isPutAway === true) {
      managersFiles.set(path, { ...change, isPutAway: false });
    } else if (intent.kind === 'stash' && putsBack(intent, path, from)) {
      managersFiles.set(path, { ...change, isPutAway: true });
    } else if (change.isPutAway !== true && putsBack(intent, path, from)) {
      managersFiles.delete(path);
    }
  }
}
