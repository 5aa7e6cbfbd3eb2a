import { stoppedOperations } from '../../../git/history/stopped-operations.ts';
import { hasPseudoRef } from '../../../git/refs/pseudo-refs.ts';
import type { Repository } from '../../../git/repository.ts';
import { isUnknown, textOf, textsOf, type UnknownWord } from '../../git-command/words.ts';
import type { CommitIntent, Discarded, Intent, MessageSource } from '../../intent.ts';
import { pathsAt, pathsOf } from '../../work-at-stake.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { mayStash } from '../files/stash-changes.ts';
import type { Overlay } from '../overlay.ts';
import { madeUpRef } from './new-refs.ts';

/**
 * Does git surely refuse all of it? Then nothing of it happens. Asked only where something was found, for it takes a
 * process, and only for what comes first on its line. A push is judged all the same where its remote is not configured:
 * the next command may add it.
 *
 * @param worlds the repository in each of the worlds that the commands before may have left: they may have staged files
 */
export async function isRefused(
  intents: readonly Intent[],
  repository: Repository,
  worlds: readonly Repository[],
): Promise<boolean> {
  // `git checkout A B`: where A names no commit, it is a path.
  const mayBePaths = intents.some((intent) => intent.kind === 'discard' && intent.what.kind === 'branch-or-path');
  for (const intent of intents) {
    if (!(mayBePaths && intent.kind === 'change-files') && (await refuses(intent, repository))) {
      return true;
    }
    const stops = intent.kind === 'discard' ? worlds.map((world) => stopsAtConflict(intent.what, world)) : [];
    if (stops.length > 0 && (await Promise.all(stops)).every(Boolean)) {
      return true;
    }
  }
  return false;
}

/** "path '…' is unmerged": of several files git takes none, then. */
async function stopsAtConflict(what: Discarded, repository: Repository): Promise<boolean> {
  if ((what.kind !== 'paths' && what.kind !== 'branch-or-path') || what.stopsAtConflicts !== true) {
    return false;
  }
  const inConflict = (await repository.status()).filter(isUnmerged).map(({ path }) => path);
  const texts = inConflict.length === 0 ? null : textsOf(what.kind === 'paths' ? what.paths : what.words);
  if (texts === null) {
    return false;
  }
  const [pathspecs, from] = what.kind === 'paths' ? ([texts, 'index'] as const) : await pathsOf(texts, repository);
  return from === 'index' && (await pathsAt(repository, pathspecs, inConflict)).length > 0;
}

async function refuses(intent: Intent, repository: Repository): Promise<boolean> {
  switch (intent.kind) {
    case 'switch':
      // git-switch(1); git-checkout(1) goes on.
      return intent.strict === true && stoppedOperations(repository.gitDir).length > 0;
    case 'move-ref':
      return intent.ref === null && intent.keepsWork !== true && (await refusesStart(textOf(intent.to), repository));
    case 'change-files':
      return typeof intent.to === 'object' && (await namesNothing(textOf(intent.to.commit), repository));
    default:
      return false;
  }
}

/** Without a commit, `git reset --hard` empties the index: only other revisions have to be there. */
async function refusesStart(revision: string | null, repository: Repository): Promise<boolean> {
  return revision !== 'HEAD' && namesNothing(revision, repository);
}

/** A plain name, or a way from one: what it searches for (`:/text`) may be written in many ways. */
const plainRevision = /^[\w@][\w./@~^-]*$/;

async function namesNothing(revision: string | null, repository: Repository): Promise<boolean> {
  return (
    revision !== null &&
    plainRevision.test(revision) &&
    ((await repository.resolveAll([revision])).get(revision) ?? null) === null
  );
}

/** May git refuse what is meant, for a reason that is not known here? */
export async function mayBeRefused(intents: readonly Intent[], repository: Repository): Promise<boolean> {
  if (intents.some(mayAlwaysBeRefused)) {
    return true;
  }
  const moves = intents.filter(movesUnknownRef);
  return (await Promise.all(moves.map((intent) => isOpenName(intent, repository)))).includes(true);
}

/**
 * Does git refuse one of them for how the work tree stands: a stash or a commit beside a conflict, and while a merge or a
 * pick has stopped a commit of single paths, or another message for the one before?
 *
 * @param here the work tree as the call finds it
 */
export async function isRefusedThere(
  intents: readonly Intent[],
  { repository, overlay }: WorkTreeThere,
): Promise<boolean> {
  for (const intent of intents) {
    const stashes = intent.kind === 'stash' && intent.action === 'push' && intent.isBeside !== true;
    if (stashes && !(await mayStash(repository, intent))) {
      return true;
    }
    if (intent.kind === 'commit' && (await stopsCommit(intent, repository, overlay))) {
      return true;
    }
  }
  return false;
}

/** A work tree with what the line has changed in it. */
interface WorkTreeThere {
  readonly repository: Repository;
  readonly overlay: Pick<Overlay, 'endedMerge'>;
}

/** "Committing is not possible because you have unmerged files", "You are in the middle of a merge -- cannot amend". */
async function stopsCommit(
  { all, amend, paths, includes, isLoose, dryRun }: CommitIntent,
  repository: Repository,
  { endedMerge }: WorkTreeThere['overlay'],
): Promise<boolean> {
  if (isLoose === true || dryRun) {
    return false;
  }
  const isStopped =
    !endedMerge && ['MERGE_HEAD', 'CHERRY_PICK_HEAD'].some((name) => hasPseudoRef(repository.gitDir, name));
  const isPartial = amend || (paths.length > 0 && includes !== true);
  return (isStopped && isPartial) || (!all && (await repository.status()).some(isUnmerged));
}

/** A server may refuse a push, a conflict stop a merge or a rebase that goes on, an editor leave no message. */
function mayAlwaysBeRefused(intent: Intent): boolean {
  switch (intent.kind) {
    case 'push':
    case 'grow':
    case 'go-on':
      return true;
    case 'stash':
      // What comes back may be in conflict, and git keeps the entry; it stores nothing but what is one.
      return intent.action !== 'push';
    case 'commit':
      return intent.opensEditor === true || isEmpty(intent.message);
    default:
      return false;
  }
}

/** May a conflict stop it half way, as a rebase that picks commits? */
export function mayStopHalfWay(intent: Intent): boolean {
  return intent.kind === 'rewrite' ? intent.range !== 'head' : intent.kind === 'version' && intent.operation === 'pull';
}

/**
 * What becomes of a commit where nothing is changed, if the line changes nothing before; null: it finds something, or none
 * is made. git refuses it ("nothing to commit, working tree clean"), or makes it by `--allow-empty`: nothing but its message
 * is in that, to see what hooks say or to start a run.
 */
export async function commitOfNothing(
  intents: readonly Intent[],
  repository: Repository,
): Promise<'refused' | 'empty' | null> {
  const commit = intents.find((intent) => intent.kind === 'commit' && !intent.amend);
  const isMade = commit?.kind === 'commit';
  if (!isMade || stoppedOperations(repository.gitDir).length > 0 || (await repository.status()).length > 0) {
    return null;
  }
  return commit.allowsEmpty === true ? 'empty' : 'refused';
}

/** "Aborting commit due to empty commit message." */
function isEmpty(message: MessageSource): boolean {
  return message.kind === 'text' && message.paragraphs.every((paragraph) => textOf(paragraph)?.trim() === '');
}

type UnknownMove = Extract<Intent, { kind: 'move-ref' }> & { readonly ref: { readonly name: UnknownWord } };

function movesUnknownRef(intent: Intent): intent is UnknownMove {
  return intent.kind === 'move-ref' && isUnknown(intent.ref?.name);
}

/** A name that is not known may be no name. */
async function isOpenName({ ref, isNew }: UnknownMove, repository: Repository): Promise<boolean> {
  return isNew !== true || (await madeUpRef(ref.namespace, ref.name, repository)) === null;
}
