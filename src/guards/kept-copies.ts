import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Word } from '../shell/simple-command.ts';
import { judgeLostPatch } from './file-step.ts';
import { isWithin } from './files/guarded-file.ts';
import type { Finding } from './finding.ts';
import type { GitCall } from './git-call.ts';
import { textOf } from './git-command/words.ts';
import type { Discarded, Intent } from './intent.ts';
import { near } from './wording.ts';

/**
 * `cp -r . ../copy && git -C ../copy reset --hard`: a copy that kept changes becomes as its commit is.
 *
 * @param directory the work tree that is a copy, absolute
 */
export async function judgeKeptCopies(
  intents: readonly Intent[],
  directory: string,
  { command, world }: Pick<GitCall, 'command' | 'world'>,
): Promise<readonly Finding[]> {
  const { patches } = world;
  const takes = intents.some((intent) => intent.kind === 'discard' && takesTracked(intent.what, world.start));
  const copies = takes ? patches.copiesIn(directory) : [];
  const found: Finding[] = [];
  for (const copy of copies) {
    const isLost = patches.lostWith(copy) !== null;
    found.push(...(isLost ? await judgeLostPatch(near(copy, world.start), copy, command.cwd, world) : []));
    patches.forget(copy, 'changed');
  }
  return found;
}

/**
 * `git -C ../copy clean -fd`: what the line keeps in a repository that it has made is not tracked there.
 *
 * @param directory of that repository, absolute
 */
export async function judgeCleanedPatches(
  intents: readonly Intent[],
  directory: string,
  { command, world }: Pick<GitCall, 'command' | 'world'>,
): Promise<readonly Finding[]> {
  const { patches } = world;
  const cleans = intents.some((intent) => intent.kind === 'discard' && intent.what.kind === 'untracked');
  const kept = cleans && !patches.isEmpty ? patches.in(directory).map((path) => join(directory, path)) : [];
  const found: Finding[] = [];
  for (const path of kept.filter((one) => !isWithin(one, join(directory, '.git')))) {
    const isLost = patches.lostWith(path) !== null;
    found.push(...(isLost ? await judgeLostPatch(near(path, world.start), path, command.cwd, world) : []));
    patches.forget(path, 'changed');
  }
  return found;
}

/** @param start where the words that are no branch name files, as they do in a copy of it */
function takesTracked(what: Discarded, start: string): boolean {
  const isFile = (word: Word) => existsSync(resolve(start, textOf(word) ?? '.'));
  return what.kind === 'branch-or-path' ? what.words.some(isFile) : what.kind === 'tracked' || what.kind === 'paths';
}
