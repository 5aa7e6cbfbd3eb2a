import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Directory, Path, SimpleCommand, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { isGitDirectory } from './files/git-directory.ts';
import { unpackers } from './files/unpacked-files.ts';
import { known, textOf } from './git-command/words.ts';
import { hasGitfile } from './simulation/files/made-gitfiles.ts';
import type { World } from './world.ts';

const archiver = /^(?:g|bsd)?tar$/;

/** `tar -C DIRECTORY -czf - .`; the first word needs no dash: tar(1). */
const packs = /^(?:-[a-zA-Z]*c[a-zA-Z]*|--create)$/;
const packsInOldStyle = /^[a-zA-Z]*c[a-zA-Z]*$/;
/** tar(1) "--directory". */
const entersNext = /^(?:-[a-zA-Z]*C|--directory)$/;
const entersAttached = /^(?:-C|--directory=)(.+)$/s;
/** Without what git keeps: tar(1) "--exclude-vcs". */
const withoutGit = /^--exclude-vcs$|^--exclude=(?:\.\/)?\.git\/?$/;

/**
 * `tar c . | tar x -C TARGET`: a repository that comes out of an archive of this line is a copy, with the remotes of the
 * one that went in. What an archive from elsewhere holds is not known.
 */
export function recordArchives(program: string, { argv, cwd, origin }: SimpleCommand, world: World): void {
  const words = argv.slice(1);
  const says = (pattern: RegExp) => words.some((word) => pattern.test(textOf(word) ?? ''));
  if (archiver.test(program) && (says(packs) || packsInOldStyle.test(textOf(words[0]) ?? ''))) {
    const sources = says(withoutGit) ? [] : sourcesOf(words, cwd);
    world.packed.push(...sources.filter((source) => holdsRepository(source, origin.path, world)));
    return;
  }
  const [target] = world.packed.length > 0 ? (unpackers[program]?.(words, words) ?? []) : [];
  const directory = target === undefined ? null : absolutePath(target.path, cwd);
  if (directory === null) {
    return;
  }
  for (const source of world.packed) {
    world.gitfiles.recordTree(source, directory);
  }
  if (!world.packed.every((source) => hasSharedRepository(source, world))) {
    world.places.copyRepository(directory, origin.path, null);
  }
}

/** What goes into an archive, absolute: from the directory of the last `-C` before it. */
function sourcesOf(words: readonly Word[], cwd: Directory): readonly string[] {
  const found: string[] = [];
  let from: string | null = null;
  for (const [at, word] of words.entries()) {
    const [before, text] = [textOf(words[at - 1]) ?? '', textOf(word) ?? ''];
    const directory = entersNext.test(before) ? text : (entersAttached.exec(text)?.[1] ?? null);
    const path = absolutePath(known(directory ?? text), from === null ? cwd : { kind: 'known', path: from });
    if (directory !== null) {
      from = path;
    } else if (path !== null && !text.startsWith('-')) {
      found.push(path);
    }
  }
  return found;
}

/** Does its copy come with a git directory? */
export function holdsRepository(directory: string, path: Path, world: World): boolean {
  const { scratch } = world;
  return (
    existsSync(join(directory, '.git')) ||
    isGitDirectory(directory) ||
    scratch.madeAt(directory, path)?.directory === directory ||
    world.trees.isAddedWorktree(directory)
  );
}

/** Is it a linked work tree, or one with a gitfile? What is done in its copy is done to the same repository. */
export function hasSharedRepository(directory: string, world: World): boolean {
  return hasGitfile(directory) || world.trees.isAddedWorktree(directory);
}
