import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Path, SimpleCommand, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { isGitDirectory } from './files/git-directory.ts';
import { unpackers } from './files/unpacked-files.ts';
import { textOf } from './git-command/words.ts';
import type { World } from './world.ts';

const archiver = /^(?:g|bsd)?tar$/;

/** `tar -C DIRECTORY -czf - .`; the first word needs no dash: tar(1). */
const packs = /^(?:-[a-zA-Z]*c[a-zA-Z]*|--create)$/;
const packsInOldStyle = /^[a-zA-Z]*c[a-zA-Z]*$/;
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
    const sources = says(withoutGit) ? [] : sourcesOf(words).flatMap((word) => absolutePath(word, cwd) ?? []);
    world.packsRepository ||= sources.some((source) => holdsRepository(source, origin.path, world));
    return;
  }
  const [target] = world.packsRepository ? (unpackers[program]?.(words, words) ?? []) : [];
  const directory = target === undefined ? null : absolutePath(target.path, cwd);
  if (directory !== null) {
    world.copyRepository(directory, origin.path, null);
  }
}

/** What goes into an archive, and the directory of `-C`, from which that is named. */
function sourcesOf(words: readonly Word[]): readonly Word[] {
  return words.filter((word) => !(textOf(word) ?? '').startsWith('-'));
}

/** Does its copy come with a git directory? */
export function holdsRepository(directory: string, path: Path, { scratch }: World): boolean {
  return (
    existsSync(join(directory, '.git')) ||
    isGitDirectory(directory) ||
    scratch.madeAt(directory, path)?.directory === directory
  );
}
