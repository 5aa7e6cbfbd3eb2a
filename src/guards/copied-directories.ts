import { basename, dirname, join, relative } from 'node:path';
import { isDirectory, kindOf, readText } from '../git/files.ts';
import type { Directory, SimpleCommand, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { targetDirectory } from './files/file-programs.ts';
import { isWithin } from './files/guarded-file.ts';
import { hasHooks } from './files/hooks-directory.ts';
import { type LeftOut, leftOutBy } from './files/rsync-filters.ts';
import { textOf } from './git-command/words.ts';
import { hasSharedRepository, holdsRepository } from './packed-repositories.ts';
import type { World } from './world.ts';

/** The words of a program that copies. */
interface Copying {
  readonly operands: readonly Word[];
  /** With the options. */
  readonly words: readonly Word[];
  readonly isRecursive: boolean;
}

/** `cp -r . ../copy`, `rsync -a ./ ../copy`, `cp -r .git ../copy/` */
export function recordCopy(
  program: string,
  copying: Copying,
  { cwd, origin }: Pick<SimpleCommand, 'cwd' | 'origin'>,
  world: World,
): void {
  const { operands, words, isRecursive } = copying;
  recordTrees(program, copying, cwd, world);
  const bringsGit = operands.slice(0, -1).some((word) => basename(textOf(word) ?? '') === '.git');
  const isCopy =
    isRecursive &&
    (program === 'cp'
      ? operands.length === 2 || bringsGit
      : program === 'rsync' && !leftOutBy(words)('.git', 'sender'));
  const target = isCopy ? operands.at(-1) : undefined;
  const copied = target === undefined ? null : absolutePath(target, cwd);
  if (copied === null) {
    return;
  }
  // A gitfile leads to the same repository from where it is copied: that is no other one.
  const sources = operands
    .slice(0, -1)
    .map((source) => absolutePath(source, cwd))
    .filter((source) => source === null || !hasSharedRepository(source, world));
  const source = sources.find((one) => one !== null && holdsRepository(one, origin.path, world)) ?? null;
  if (source === null && !sources.includes(null)) {
    return;
  }
  world.places.copyRepository(copied, origin.path, source);
  if (basename(copied) === '.git') {
    world.places.copyRepository(dirname(copied), origin.path, source);
  }
  if (program === 'rsync' && source !== null) {
    recordLeftHooks(source, copied, leftOutBy(words), world);
  }
}

/** Directories that are copied with all that is in them, be it the gitfile of a linked work tree. */
function recordTrees(program: string, { operands, words, isRecursive }: Copying, cwd: Directory, world: World): void {
  const copies =
    isRecursive && (program === 'cp' || (program === 'rsync' && !leftOutBy(words)('.git', 'sender', false)));
  if (!copies) {
    return;
  }
  const into = program === 'cp' ? targetDirectory(words) : undefined;
  const target = into ?? operands.at(-1);
  const copied = target === undefined ? null : absolutePath(target, cwd);
  const sources = operands.filter((one) => one !== target);
  for (const word of copied === null ? [] : sources) {
    const source = absolutePath(word, cwd);
    // What `.git` itself becomes is a repository of its own.
    if (copied !== null && source !== null && basename(source) !== '.git') {
      const isContents = /(?:^|\/)(?:\.{1,2}\/?)?$/.test(textOf(word) ?? '');
      recordTree(source, copied, !isContents && (into !== undefined || sources.length > 1), world);
    }
  }
}

/**
 * What is copied into a directory keeps its name there; of one that the line has made nobody knows here that it is one.
 *
 * @param isInto it surely is one
 */
function recordTree(source: string, copied: string, isInto: boolean, { gitfiles, moved }: World): void {
  const from = moved.before(source);
  if (!isInto) {
    gitfiles.recordTree(from, copied);
  }
  if (isInto || isDirectory(copied)) {
    gitfiles.recordTree(from, join(copied, basename(source)));
  }
}

/** `cp ../linked/.git ../x/` @param sources absolute */
export function recordCopiedGitfiles(sources: readonly (string | null)[], target: string, { gitfiles }: World): void {
  for (const source of sources) {
    const isKnown = source !== null && kindOf(source) === 'file';
    if (isKnown && basename(target) === '.git') {
      gitfiles.recordText(target, readText(source));
    } else if (isKnown && basename(source) === '.git') {
      gitfiles.recordText(join(target, '.git'), readText(source));
    }
  }
}

/** `rsync -a --exclude .git/hooks ./ ../copy`: the copy has none of them. */
function recordLeftHooks(source: string, copied: string, isLeftOut: LeftOut, world: World): void {
  const places = [join(source, '.git', 'hooks'), ...world.configuredHooks(source)].filter((place) =>
    isWithin(place, source),
  );
  const left = places
    .map((place) => relative(source, place))
    .find((place) => isLeftOut(place, 'sender') && hasHooks(join(source, place)));
  if (left !== undefined) {
    world.scratch.changeHook(join(copied, left));
  }
}
