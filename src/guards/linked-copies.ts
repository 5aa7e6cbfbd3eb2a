import { basename, join, resolve } from 'node:path';
import { isDirectory } from '../git/files.ts';
import type { Directory, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { targetDirectory } from './files/file-programs.ts';
import { beginningOf, known, textOf } from './git-command/words.ts';
import type { World } from './world.ts';

/** Options of cp(1) with which it makes links in the place of copies. */
const makesLinks = /^-(?!-)[a-zA-Z]*[ls]|^--(?:link|symbolic-link)$/;
/** A directory of rsync(1) to whose files it makes hard links where they are the same. */
const linksTo = /^--link-dest(?:=(.+))?$/s;

/**
 * `cp -l FILE COPY`, `cp -rs DIRECTORY COPY`, `rsync -a --link-dest=DIRECTORY`: the files of a copy are those that were
 * copied, so that what is written to one is written to the other. To remove one leaves the other.
 *
 * @param words what follows the program's name
 */
export function recordLinkedCopies(program: string, words: readonly Word[], cwd: Directory, world: World): void {
  const at = program === 'rsync' ? words.findIndex((word) => linksTo.test(textOf(word) ?? '')) : -1;
  const isCopy = program === 'cp' && words.some((word) => makesLinks.test(beginningOf(word)));
  if (at < 0 && !isCopy) {
    return;
  }
  const operands = words.filter((word, index) => !beginningOf(word).startsWith('-') && (index !== at + 1 || at < 0));
  const target = absolutePath(targetDirectory(words) ?? operands.at(-1) ?? known('.'), cwd);
  if (target === null) {
    return;
  }
  if (at >= 0) {
    const given = linksTo.exec(textOf(words[at]) ?? '')?.[1] ?? textOf(words[at + 1]) ?? '';
    world.linkedCopies.set(target, resolve(target, given));
    return;
  }
  for (const source of operands.flatMap((word) => absolutePath(word, cwd) ?? [])) {
    if (source !== target) {
      world.linkedCopies.set(join(target, basename(source)), source);
    }
    if (source !== target && !isDirectory(target)) {
      world.linkedCopies.set(target, source);
    }
  }
}
