import { basename, dirname, join, resolve } from 'node:path';
import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import type { Invocation } from './git-command/invocation.ts';
import { worktreeAddOptions } from './git-command/nested-tree-commands.ts';
import { isNegated, parseOptions } from './git-command/parse-options.ts';
import { known, textOf } from './git-command/words.ts';
import type { Place } from './place.ts';
import type { World } from './world.ts';

const mayBringSubmodules: ReadonlySet<string> = new Set(['submodule', 'submodule add', 'submodule update']);

const makers = ['clone', 'init', 'worktree', 'mv'];

/** Does a subcommand (`worktree add`) make or move any? */
export function makesRepositories(subcommand: string): boolean {
  return makers.some((name) => subcommand.startsWith(name)) || mayBringSubmodules.has(subcommand);
}

/** Notes the repositories and work trees that a call of git makes, for what comes after it on the line. */
export async function noteNewRepositories(
  subcommand: string,
  invocation: Invocation,
  command: SimpleCommand,
  place: () => Promise<Place>,
  world: World,
): Promise<void> {
  const name = subcommand.split(' ')[0] ?? '';
  world.changesWorktrees ||= name === 'worktree';
  // git-submodule(1); without a repository it fails.
  const bringsSubmodules = mayBringSubmodules.has(subcommand) && (await place()).kind !== 'none';
  if (name === 'clone' || subcommand === 'worktree add' || bringsSubmodules) {
    world.newRepositories = 'copies';
  } else if (name.startsWith('init') && world.newRepositories === 'none') {
    world.newRepositories = 'empty';
  }
  if (name === 'init') {
    noteSeparateDirectory(invocation, world);
  }
  if (name === 'clone' || name === 'init') {
    noteScratch(invocation, command, world);
  }
  const isMoved = name === 'worktree' && textOf(invocation.words[1]) === 'move';
  if (isMoved || name === 'mv') {
    world.moved.recordAll(invocation.words.slice(isMoved ? 2 : 1), invocation.directory);
  }
  if (subcommand === 'worktree add') {
    await noteWorktree(invocation, await place(), world);
  }
}

/** git-init(1) "--separate-git-dir": a repository that is there already moves to that directory. */
function noteSeparateDirectory({ words, directory }: Invocation, world: World): void {
  const texts = words.map((word) => textOf(word) ?? '');
  const at = texts.findIndex((text) => text.startsWith('--separate-git-dir'));
  const target = at < 0 ? undefined : (/=(.*)$/s.exec(texts[at] ?? '')?.[1] ?? texts[at + 1]);
  const takesValue = /^(?:-b|--(?:initial-branch|template|object-format|ref-format|separate-git-dir))$/;
  const [top = '.'] = texts.filter(
    (text, index) => index > 0 && !/^-/.test(text) && !takesValue.test(texts[index - 1] ?? ''),
  );
  if (directory.kind === 'known' && target !== undefined) {
    world.moved.record(resolve(directory.path, top, '.git'), resolve(directory.path, target));
  }
}

function noteScratch(invocation: Invocation, command: SimpleCommand, world: World): void {
  const { gitDir } = invocation;
  const made = gitDir === null ? madeFrom(invocation) : madeAsNamed(invocation);
  if (made !== null) {
    const { scratch, written, links } = world;
    const isTaken = (path: string) =>
      links.has(path) ||
      world.moved.before(path) !== path ||
      world.trees.isAddedWorktree(path) ||
      world.gitfiles.at(join(path, '.git'), command.origin.path)?.kind === 'link'
        ? 'repository'
        : written.includes(path)
          ? 'files'
          : null;
    scratch.make(made.words, made.from, command.origin.path, isTaken, made.workTree);
  }
}

/** What is made: the subcommand with what follows it, and where; null: it is not known where, or what. */
type Made = { readonly words: readonly Word[]; readonly from: string; readonly workTree: string | null } | null;

function madeFrom({ words, directory }: Invocation): Made {
  return directory.kind === 'known' ? { words, from: directory.path, workTree: null } : null;
}

/**
 * `GIT_DIR=DIRECTORY/.git git init`: that is made at the directory itself. Else the git directory alone is made at its
 * path. A work tree that is named with it is configured: git-init(1), git(1) "--work-tree".
 */
function madeAsNamed({ words, directory, gitDir, workTree }: Invocation): Made {
  const [named, top] = [textOf(gitDir), textOf(workTree)];
  const [name, ...rest] = words.map(textOf);
  const isReadable = directory.kind === 'known' && named !== null && (workTree === null || top !== null);
  if (!isReadable || name !== 'init' || rest.some((word) => word?.startsWith('-') !== true)) {
    return null;
  }
  const path = resolve(directory.path, named);
  const made = basename(path) === '.git' ? dirname(path) : path;
  const files = top === null ? made : resolve(directory.path, top);
  return { words: [...words, known(made)], from: directory.path, workTree: files === made ? null : files };
}

/** git-worktree(1): what is done there is done to this repository, on another branch. */
async function noteWorktree({ words, directory }: Invocation, place: Place, world: World): Promise<void> {
  const args = parseOptions(worktreeAddOptions, words.slice(2));
  if ('refused' in args || place.kind !== 'repository' || directory.kind === 'unknown') {
    return;
  }
  const [path, start = null] = args.operands;
  const created = textOf(args.value('b') ?? args.value('B'));
  const given = textOf(path);
  if (given !== null && start?.kind !== 'unknown') {
    const added = {
      created,
      start: textOf(start),
      isDetached: args.has('detach'),
      isHollow: isNegated(args, 'checkout'),
    };
    await world.trees.addWorktree(resolve(directory.path, given), place, added);
  }
}
