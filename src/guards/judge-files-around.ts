import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ignoredWithoutRepository } from '../git/contents/ignored-files-outside.ts';
import { quoteWord } from '../quote.ts';
import { hasSucceeded, runsOnlyAfter } from '../shell/path.ts';
import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import { describeIntent } from './describe-intent.ts';
import { type Finding, findings, type Objection } from './finding.ts';
import { isGenerated } from './generated-files.ts';
import { namesHead } from './git-command/discards.ts';
import { known, shown, textOf } from './git-command/words.ts';
import type { DeleteRefIntent, DiscardIntent, Intent } from './intent.ts';
import { isRisky, judgeWithoutRepository } from './judge-without-repository.ts';
import { named } from './rules/uncommitted/discard-objection.ts';
import type { ScratchCall } from './scratch-call.ts';
import type { FilesAround } from './simulation/scratch-repositories.ts';
import { count, near } from './wording.ts';

/** `git init` where files are: these are somebody's, and so is what becomes of them, until all are committed. */
export async function judgeAround(
  files: FilesAround,
  intents: readonly Intent[],
  call: ScratchCall,
): Promise<readonly Finding[]> {
  const { command, name, scratch, world } = call;
  const convention = await world.convention(null);
  const place = { kind: 'unknown', reason: `${scratch.directory} is no repository yet` } as const;
  const concerned = withoutMoves(intents.filter((intent) => concernsFiles(intent, files, call)));
  const areKept = areStaged(files, command) || areCommitted(files, command);
  const ignored = areKept && concerned.some(takesIgnored) ? await ignoredWork(call) : [];
  noteFiles(files, intents, command, scratch.directory);
  return judgeWithoutRepository(call, name, concerned, place, convention, (intent) =>
    isRisky(intent)
      ? findings(
          'discard-changes',
          convention.policy,
          areKept && takesIgnored(intent) ? ofIgnored(ignored, call) : ofAll(intent, call),
        )
      : [],
  );
}

/** `git reset --hard COMMIT`: what becomes of the files says enough. */
function withoutMoves(concerned: readonly Intent[]): readonly Intent[] {
  const discards = concerned.some(({ kind }) => kind === 'discard');
  return discards ? concerned.filter(({ kind }) => kind !== 'move-ref') : concerned;
}

function ofAll(intent: Intent, { scratch, world }: ScratchCall): Objection {
  const place = near(scratch.directory, world.start);
  const toPlace = place === '.' ? '' : `cd ${quoteWord(place)} && `;
  return {
    message: `This line makes the repository around the files in ${place === '.' ? 'this directory' : place}, and ${describeIntent(intent)} where no commit surely has them.`,
    suggestion: `${toPlace}git init && git add --all && git commit -m 'chore: keep the work'`,
  };
}

/** Words; a command with more of them is no longer read. */
const mostNamed = 8;

/** A commit of everything leaves them out. */
function ofIgnored(ignored: readonly string[], { scratch, world }: ScratchCall): Objection | null {
  const place = near(scratch.directory, world.start);
  const listed = ignored.length > mostNamed ? '.' : ignored.map(quoteWord).join(' ');
  const archive = quoteWord(`../${basename(scratch.directory)}-ignored.tar`);
  return ignored.length === 0
    ? null
    : {
        message: `git clean would discard ${count(ignored.length, 'ignored file')}: ${named(ignored)}.`,
        evidence: { files: ignored },
        suggestion: `${place === '.' ? '' : `cd ${quoteWord(place)} && `}tar -cf ${archive} ${listed}`,
      };
}

/** Ignored files that nobody can make again, from the top. */
async function ignoredWork({ scratch, world }: ScratchCall): Promise<readonly string[]> {
  const ignored = await ignoredWithoutRepository(scratch.directory, world.env);
  return ignored.filter((path) => !isGenerated(path));
}

/** What changes a repository of which nobody has anything yet. */
const changingNew: ReadonlySet<Intent['kind']> = new Set(['push', 'remote', 'run', 'switch', 'rename-ref']);

/** A new branch and `git reset --hard` itself leave the branch where it is. */
function isAside(intent: Intent): boolean {
  return changingNew.has(intent.kind) || (intent.kind === 'move-ref' && (intent.isNew === true || isToHead(intent.to)));
}

const isToHead = (to: Word | null) => namesHead(to ?? undefined);

/** May it take files that lie there, or the commits that alone have them? */
export function concernsFiles(intent: Intent, files: FilesAround, { command, scratch }: ScratchCall): boolean {
  switch (intent.kind) {
    case 'discard':
      return takesIgnored(intent) || !areElsewhere(intent, files, command, scratch.directory);
    case 'delete-ref':
      return !files.areInPlace;
    default:
      return !isAside(intent);
  }
}

/** Are they in what git takes files from, or leaves alone: the index, or a commit? */
function areElsewhere({ what }: DiscardIntent, files: FilesAround, command: SimpleCommand, top: string): boolean {
  const isFile = (word: Word) => existsSync(resolve(top, textOf(word) ?? ''));
  const isOfIndex =
    what.kind === 'untracked' ||
    (what.kind === 'paths' && what.from === 'index' && what.to === undefined) ||
    (what.kind === 'branch-or-path' && what.words.every(isFile));
  return areCommitted(files, command) || (isOfIndex && areStaged(files, command));
}

function areCommitted({ committedBy }: FilesAround, { origin }: SimpleCommand): boolean {
  return committedBy !== null && runsOnlyAfter(origin, committedBy);
}

/** A commit may fail where nobody has said who makes it; `git add` hardly ever does. */
function areStaged({ stagedBy }: FilesAround, { origin }: SimpleCommand): boolean {
  return stagedBy !== null && hasSucceeded(stagedBy, true, origin);
}

/** git-clean(1): "-x", "-X". */
function takesIgnored(intent: Intent): boolean {
  return (
    intent.kind === 'discard' &&
    intent.what.kind === 'untracked' &&
    intent.what.arguments.some((word) => /^-[a-z]*x/i.test(shown(word)))
  );
}

/** Follows whether the files are committed: all of them at once, by commands that surely succeed one after the other. */
function noteFiles(files: FilesAround, intents: readonly Intent[], { origin, cwd }: SimpleCommand, top: string): void {
  const isTop = cwd.kind === 'known' && cwd.path === top;
  for (const intent of intents) {
    files.areInPlace &&= leavesPlace(intent);
    if (intent.kind === 'stage') {
      const isAll = intent.paths.some((word) => /^:\/$/.test(shown(word)) || (isTop && /^\.\/?$/.test(shown(word))));
      files.stagedBy = isAll && intent.untracked && intent.part === 'content' ? origin : files.stagedBy;
    } else if (intent.kind === 'commit' && !intent.amend && !intent.dryRun && intent.isLoose !== true) {
      const isOfAll = files.stagedBy !== null && runsOnlyAfter(origin, files.stagedBy) && intent.paths.length === 0;
      files.committedBy ??= isOfAll ? origin : null;
    } else if (!leavesFiles(intent)) {
      files.stagedBy = null;
      files.committedBy = null;
    }
  }
}

/** Does everything that was staged or committed stay so? */
function leavesFiles(intent: Intent): boolean {
  return (
    isAside(intent) ||
    (intent.kind === 'delete-ref' && leavesHead(intent)) ||
    ['discard', 'configure', 'version', 'bring-files'].includes(intent.kind)
  );
}

/** The branch that is checked out keeps its commits. */
function leavesHead({ refs, sparesCheckedOut }: DeleteRefIntent): boolean {
  return sparesCheckedOut === true || refs.every(({ namespace }) => namespace === 'refs/tags/');
}

/** Do files that were committed stay in the work tree? Of HEAD they come back as they were. */
function leavesPlace(intent: Intent): boolean {
  switch (intent.kind) {
    case 'switch':
      return intent.create && isToHead(intent.start ?? known('HEAD')) && intent.orphan !== true;
    case 'move-ref':
      return intent.isNew === true || isToHead(intent.to);
    case 'discard':
      return !('to' in intent.what);
    case 'version':
      return intent.operation === 'tag';
    default:
      return leavingPlace.has(intent.kind);
  }
}

const leavingPlace: ReadonlySet<Intent['kind']> = new Set([
  'stage',
  'commit',
  'configure',
  'remote',
  'push',
  'rename-ref',
  'delete-ref',
  'skip-hooks',
  'track',
  'bring-files',
]);
