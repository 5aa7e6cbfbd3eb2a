import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import { hooksDirectoryOf } from '../files/hooks-directory.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type { CommitIntent, Intent, StageIntent } from '../intent.ts';
import { isUnmerged } from '../work-in-conflict.ts';
import { meant } from './files/meant-paths.ts';
import { mayStash } from './files/stash-changes.ts';

/**
 * Does git do all of it, unless something happens that nobody sees coming? What comes behind a list of such commands comes as
 * if they had been told one by one. Of a switch, only what can be told before it.
 *
 * @param before the repository as the call finds it
 */
export async function areForeseen(intents: readonly Intent[], before: Repository): Promise<boolean> {
  const moves = intents.some(({ kind }) => kind === 'switch' || kind === 'move-ref');
  for (const intent of intents) {
    const isBeside = moves && (intent.kind === 'bring-files' || intent.kind === 'discard');
    if (!isBeside && !(await isDone(intent, before))) {
      return false;
    }
  }
  return intents.length > 0;
}

async function isDone(intent: Intent, before: Repository): Promise<boolean> {
  switch (intent.kind) {
    case 'switch':
      return intent.ends === undefined && intent.bisects === undefined;
    case 'move-ref':
      return movesAsTold(intent, before);
    case 'stage':
      return isStaged(intent, before);
    case 'commit':
      return isCommitted(intent, before);
    case 'stash':
      return intent.action === 'push' && !intent.partial && (await mayStash(before, intent));
    case 'configure':
      return true;
    default:
      return false;
  }
}

type MoveRef = Extract<Intent, { kind: 'move-ref' }>;

/** To a commit that is there; a branch that is made, of a name that is free. */
async function movesAsTold({ ref, to, isNew }: MoveRef, before: Repository): Promise<boolean> {
  const name = ref === null ? null : textOf(ref.name);
  const target = textOf(to);
  const isKnown = target !== null && (await before.resolve(target)) !== null;
  const isFree = isNew !== true || (name !== null && (await before.ref(`refs/heads/${name}`)) === null);
  return isKnown && isFree && (ref === null || (name !== null && ref.namespace === 'refs/heads/'));
}

/** Of what it is given there is something to add everywhere, that is not ignored. */
async function isStaged({ paths, part }: StageIntent, before: Repository): Promise<boolean> {
  const given = textsOf(paths);
  if (given === null || part !== 'content') {
    return false;
  }
  const entries = await before.status();
  const found = await Promise.all(
    given.map(async (path) => /^(?::\/|\.\/?)$/.test(path) || (await meant([path], entries, before)).length > 0),
  );
  return found.every(Boolean);
}

/** There is something to commit, and no hook that may refuse it. */
async function isCommitted(
  { all, paths, dryRun, amend, allowsEmpty }: CommitIntent,
  before: Repository,
): Promise<boolean> {
  if (dryRun || paths.length > 0 || (await mayBeRefusedByHook(before))) {
    return false;
  }
  const entries = await before.status();
  const isAny = entries.some(({ index, worktree }) => index !== '?' && (index !== '.' || (all && worktree !== '.')));
  return (isAny || amend || allowsEmpty === true) && !entries.some(isUnmerged);
}

async function mayBeRefusedByHook(repository: Repository): Promise<boolean> {
  const directory = await hooksDirectoryOf(repository);
  return ['pre-commit', 'commit-msg', 'prepare-commit-msg'].some((hook) => existsSync(join(directory, hook)));
}
