import { join } from 'node:path';
import { filesInTree } from '../../../git/contents/tree-entries.ts';
import type { Repository } from '../../../git/repository.ts';
import { readCommittedPatch } from '../../git-command/committed-patches.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { ChangeIndexIntent, DiscardIntent, Intent, PatchIntent } from '../../intent.ts';
import type { Overlay } from '../overlay.ts';
import { currentRef } from '../refs/current-ref.ts';
import { workIn } from '../refs/made-commit.ts';
import { madeBelow } from '../refs/made-commits.ts';
import type { CallInLine } from '../refs/presumed-branch.ts';
import { meant } from './meant-paths.ts';
import type { TakenOut } from './taken-out.ts';

/** What the index, or the work tree, gets of a file. */
type Source =
  | 'same'
  | 'index'
  | 'work tree'
  | 'other'
  | 'nothing'
  /** Null: one that can't be known. In overlay mode what it lacks stays. */
  | { readonly commit: string | null; readonly overlays: boolean };

interface Change {
  readonly paths: readonly string[];
  readonly index: Source;
  readonly tree: Source;
}

const head: Source = { commit: 'HEAD', overlays: false };

/**
 * `git commit -a && git checkout HEAD~1 -- FILE`, `git rm FILE`: what only the line's own commit has from then on. It goes
 * where that one is replaced, or left.
 */
export async function recordTakenOut(
  intent: Intent,
  overlay: Overlay,
  repository: Repository,
  { removalsOf }: Pick<CallInLine, 'removalsOf'>,
): Promise<void> {
  const { takenOut, made, removals } = overlay;
  if (made.isEmpty) {
    return;
  }
  for (const [path, { times, place }] of await removedSince(overlay, repository, removalsOf)) {
    removals.set(path, times);
    takenOut.set(path, place);
  }
  if (intent.kind === 'switch' || intent.kind === 'stash' || intent.kind === 'call-off') {
    takenOut.clear();
    return;
  }
  const change = await changeBy(intent, overlay, repository);
  if (change === null || (takenOut.size === 0 && restores(change))) {
    return;
  }
  const held = await workIn(made.on(await currentRef(repository)));
  const entries = [...new Set([...held, ...takenOut.keys()])].map((path) => ({ path, index: '.', worktree: '.' }));
  for (const path of await meant(change.paths, entries, repository)) {
    const before = takenOut.get(path) ?? placeOf(held.has(path));
    const after = {
      index: await indexAfter(path, before, change.index, overlay, repository),
      inTree: await inTreeAfter(path, before, change.tree, overlay, repository),
    };
    if (held.has(path) && isWhole(after)) {
      takenOut.delete(path);
    } else {
      takenOut.set(path, after);
    }
  }
}

/**
 * `git commit -a && rm FILE`: files that the line's own commits have, and that it has removed since by other means than git.
 *
 * @returns where their work is then, and how often they were removed by now
 */
export async function removedSince(
  { takenOut, made, removals }: Overlay,
  repository: Repository,
  removalsOf: CallInLine['removalsOf'],
): Promise<ReadonlyMap<string, { readonly times: number; readonly place: TakenOut }>> {
  const top = repository.workTree;
  if (top === null || made.isEmpty) {
    return new Map();
  }
  const held = await workIn(made.on(await currentRef(repository)));
  const gone = [...held].flatMap((path) => {
    const times = removalsOf(join(top, path));
    const { index } = takenOut.get(path) ?? placeOf(true);
    return times > (removals.get(path) ?? 0) ? [[path, { times, place: { index, inTree: false } }] as const] : [];
  });
  return new Map(gone);
}

function placeOf(isHeld: boolean): TakenOut {
  return isHeld ? { index: 'held', inTree: true } : { index: 'other', inTree: false };
}

function isWhole({ index, inTree }: TakenOut): boolean {
  return index === 'held' && inTree;
}

/** Can it take nothing away that HEAD has? */
function restores({ index, tree }: Change): boolean {
  const isHead = (source: Source) => typeof source === 'object' && source.commit === 'HEAD';
  return [index, tree].every((source) => /^(?:same|index|work tree)$/.test(String(source)) || isHead(source));
}

async function changeBy(intent: Intent, overlay: Overlay, repository: Repository): Promise<Change | null> {
  switch (intent.kind) {
    case 'change-files':
      return intent.to === 'nothing' && intent.moves !== true
        ? { paths: textsOf(intent.paths) ?? [], index: 'nothing', tree: 'nothing' }
        : null;
    case 'discard':
      return byDiscard(intent, repository);
    case 'change-index':
      return byIndex(intent, repository);
    case 'stage':
      return intent.part === 'content'
        ? { paths: textsOf(intent.paths) ?? [], index: 'work tree', tree: 'same' }
        : null;
    case 'take-back': {
      const taken = await takenUpBy(textsOf(intent.commits) ?? [], overlay, repository);
      return { paths: taken.map((path) => `:(top,literal)${path}`), index: 'other', tree: 'other' };
    }
    case 'patch':
      return intent.takesBack ? byPatch(intent, overlay, repository) : null;
    default:
      return null;
  }
}

/** `git show -- FILE | git apply -R` */
async function byPatch(
  { printedBy, changes }: PatchIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<Change | null> {
  const patch = readCommittedPatch(printedBy);
  if (patch === null) {
    return null;
  }
  const entries = (await takenUpBy(patch.commits, overlay, repository)).map((path) => ({
    path,
    index: '.',
    worktree: '.',
  }));
  const taken =
    patch.paths.length === 0 ? entries.map(({ path }) => path) : await meant(patch.paths, entries, repository);
  return {
    paths: [...taken].map((path) => `:(top,literal)${path}`),
    index: changes === 'work tree' ? 'same' : 'other',
    tree: changes === 'index' ? 'same' : 'other',
  };
}

/** What commits of the line, by their names or by ranges, have taken up: each by itself. */
async function takenUpBy(
  revisions: readonly string[],
  { made }: Overlay,
  repository: Repository,
): Promise<readonly string[]> {
  const commits = await Promise.all(
    revisions.map(async (revision) => {
      const [first = '', last] = revision.split(/\.{2,3}/);
      const until = await madeBelow(last === '' ? 'HEAD' : (last ?? first), made, repository);
      const before = last === undefined ? until.slice(0, -1) : await madeBelow(first || 'HEAD', made, repository);
      return until.filter((commit) => !before.includes(commit));
    }),
  );
  const taken = await Promise.all(commits.flat().map((commit) => commit.takesUp?.()));
  return taken.flatMap((paths) => [...(paths ?? [])]);
}

async function byDiscard({ what }: DiscardIntent, repository: Repository): Promise<Change | null> {
  switch (what.kind) {
    case 'tracked': {
      const source = what.to === undefined ? head : { commit: textOf(what.to), overlays: false };
      return { paths: [':/'], index: source, tree: source };
    }
    case 'paths': {
      const paths = textsOf(what.paths) ?? [];
      const commit = what.to === undefined ? 'HEAD' : textOf(what.to);
      const source = { commit, overlays: what.overlays === true };
      if (what.from === 'index') {
        return { paths, index: 'same', tree: what.besideIndex === true ? source : 'index' };
      }
      return what.from === 'commit' ? { paths, index: source, tree: source } : null;
    }
    case 'branch-or-path': {
      const [first = '', ...rest] = textsOf(what.words) ?? [];
      const isRevision = (await repository.resolve(first === '@' ? 'HEAD' : first)) !== null;
      const source = { commit: first, overlays: what.overlays === true };
      return isRevision
        ? { paths: rest, index: source, tree: source }
        : { paths: [first, ...rest], index: 'same', tree: 'index' };
    }
    default:
      return null;
  }
}

async function byIndex(intent: ChangeIndexIntent, repository: Repository): Promise<Change | null> {
  const paths = textsOf(intent.paths) ?? [];
  const [first = '', ...rest] = paths;
  switch (intent.change) {
    case 'remove':
      return { paths, index: 'nothing', tree: 'same' };
    case 'write':
      return { paths, index: 'other', tree: 'same' };
    case 'reset': {
      const isCommit = intent.mayBeginWithCommit === true && (await repository.resolve(`${first}^{tree}`)) !== null;
      const commit = isCommit ? first : intent.from === undefined ? 'HEAD' : textOf(intent.from);
      return { paths: isCommit ? rest : paths, index: { commit, overlays: false }, tree: 'same' };
    }
    default:
      return null;
  }
}

async function indexAfter(
  path: string,
  before: TakenOut,
  source: Source,
  overlay: Overlay,
  repository: Repository,
): Promise<TakenOut['index']> {
  switch (source) {
    case 'same':
    case 'index':
      return before.index;
    case 'work tree':
      return before.inTree ? 'held' : before.index === 'nothing' ? 'nothing' : 'other';
    case 'other':
    case 'nothing':
      return source;
    default: {
      const has = await hasOf(path, source, overlay, repository);
      return has === null ? before.index : has ? 'held' : 'other';
    }
  }
}

async function inTreeAfter(
  path: string,
  before: TakenOut,
  source: Source,
  overlay: Overlay,
  repository: Repository,
): Promise<boolean> {
  switch (source) {
    case 'same':
    case 'work tree':
      return before.inTree;
    case 'index':
      return before.index === 'held' || (before.index === 'nothing' && before.inTree);
    case 'other':
    case 'nothing':
      return false;
    default:
      return (await hasOf(path, source, overlay, repository)) ?? before.inTree;
  }
}

/** Has a commit the work that a commit of the line has? Null: it leaves the file as it is. */
async function hasOf(
  path: string,
  { commit, overlays }: Extract<Source, object>,
  { made }: Overlay,
  repository: Repository,
): Promise<boolean | null> {
  if (commit === null) {
    return null;
  }
  const below = await madeBelow(commit, made, repository);
  if ((await workIn(below)).has(path)) {
    return true;
  }
  const tree = overlays ? await repository.resolve(`${commit}^{tree}`) : null;
  const files = tree === null ? null : await filesInTree(tree, [path], repository);
  return files === null || files.has(path) ? false : null;
}
