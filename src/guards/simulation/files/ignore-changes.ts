import { fullNames } from '../../../git/refs/refspec.ts';
import type { Head, Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { BringFilesIntent, Intent, StashIntent } from '../../intent.ts';
import { commitNamed } from '../../rules/uncommitted/brought-files.ts';
import type { Overlay } from '../overlay.ts';
import { branchNamed } from '../refs/branch-names.ts';
import { madeBelow } from '../refs/made-commits.ts';
import type { IgnoreChange } from './ignore-change.ts';
import { isIgnoreFile } from './ignore-file.ts';
import { meant } from './meant-paths.ts';
import { entryNumber } from './stash-changes.ts';

/**
 * Takes down what a command is going to do to ignore files.
 *
 * @param repository as it is before the command
 * @param written what the line itself has made of them before
 */
export async function recordIgnoreChanges(
  intents: readonly Intent[],
  overlay: Overlay,
  repository: Repository,
  written: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (repository.workTree === null || overlay.isAdded) {
    return;
  }
  const found: IgnoreChange[] = [];
  for (const intent of intents) {
    found.push(...(await changesBy(intent, overlay, repository)));
  }
  if (found.length > 0) {
    overlay.ignoreChanges.push(...(written.size === 0 ? [] : [{ kind: 'written' as const, texts: written }]), ...found);
    // They may be ignored again. What was staged meanwhile is not.
    for (const path of [...overlay.revealed].filter((path) => !overlay.index.has(path))) {
      overlay.revealed.delete(path);
      overlay.unversioned.delete(path);
    }
  }
}

async function changesBy(intent: Intent, overlay: Overlay, repository: Repository): Promise<readonly IgnoreChange[]> {
  switch (intent.kind) {
    case 'bring-files':
      return broughtChanges(intent, overlay, repository);
    case 'change-files': {
      const { to, moves = false } = intent;
      const paths = textsOf(intent.paths);
      if (paths === null || to === 'nothing-else') {
        return [];
      }
      if (to === 'nothing') {
        return [{ kind: 'removal', paths, onlyFiles: moves }];
      }
      const head = await repository.head();
      const commit = await commitNamed(to.commit, false, { repository, overlay });
      return commit === null || head.oid === null
        ? []
        : [
            {
              kind: 'checkout-paths',
              from: head.oid,
              to: commit,
              paths,
              removes: to.removes,
              lacksCommitted: await lacksMade(to.commit, head, { overlay, repository }),
            },
          ];
    }
    case 'switch': {
      // git-checkout(1) "--orphan" leaves the files.
      const empties =
        intent.orphan === true && intent.strict === true && /^(?:HEAD|@)$/.test(textOf(intent.start) ?? '');
      const head = await repository.head();
      return empties ? [{ kind: 'checkout', from: head.oid, to: null, leaves: refOf(head), arrives: null }] : [];
    }
    case 'stash':
      return stashChanges(intent, repository);
    default:
      return [];
  }
}

async function broughtChanges(
  { source }: BringFilesIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<readonly IgnoreChange[]> {
  const { oid } = await repository.head();
  switch (source.kind) {
    case 'commit':
      return checkoutOf(source, overlay, repository);
    case 'merge': {
      const named = source.commits.map((word) => commitNamed(word, false, { repository, overlay }));
      const commits = await Promise.all(named);
      const refs = await Promise.all(source.commits.map((word) => refWithMade(word, overlay, repository)));
      return commits.flatMap((commit, at) =>
        commit === null || oid === null
          ? []
          : [{ kind: 'merge' as const, head: oid, commit, arrives: refs[at] ?? null }],
      );
    }
    case 'changes': {
      const found = await Promise.all((textsOf(source.commits) ?? []).map((name) => rangeOf(name, repository)));
      return found.flatMap((range) => {
        const [from, to] = range === null || !source.takenBack ? (range ?? []) : [range[1], range[0]];
        return from === undefined || to === undefined ? [] : [{ kind: 'changes' as const, from, to }];
      });
    }
    case 'stash':
      return unstashed(source.entry, overlay, repository);
  }
}

type Source<Kind> = Extract<BringFilesIntent['source'], { kind: Kind }>;

async function checkoutOf(
  { commit, paths, mayBePath, sparesAncestors }: Source<'commit'>,
  overlay: Overlay,
  repository: Repository,
): Promise<readonly IgnoreChange[]> {
  // Those of paths are told by another intent.
  const to = paths === undefined ? await commitNamed(commit, mayBePath === true, { repository, overlay }) : null;
  if (to === null) {
    return [];
  }
  const head = await repository.head();
  const arrives = await refWithMade(commit, overlay, repository);
  const leaves = (await lacksMade(commit, head, { overlay, repository })) ? refOf(head) : null;
  return sparesAncestors !== undefined && head.oid !== null
    ? [{ kind: 'merge', head: head.oid, commit: to, arrives }]
    : [{ kind: 'checkout', from: head.oid, to, leaves, arrives }];
}

/** Does a commit lack any of those that the line has made where HEAD stands? */
async function lacksMade(
  commit: Word,
  head: Head,
  { overlay, repository }: { readonly overlay: Overlay; readonly repository: Repository },
): Promise<boolean> {
  const made = overlay.made.on(refOf(head));
  const kept = made.length === 0 ? [] : await madeBelow(textOf(commit) ?? '', overlay.made, repository);
  return made.some((one) => !kept.includes(one));
}

function refOf(head: Head): string {
  return head.kind === 'branch' ? head.ref : 'HEAD';
}

/** The ref that a word names, where the line has made commits on it. */
async function refWithMade(word: Word, overlay: Overlay, repository: Repository): Promise<string | null> {
  const name = textOf(word);
  if (name === null || overlay.made.isEmpty) {
    return null;
  }
  const given = (await branchNamed(name, repository, overlay)) ?? name;
  return fullNames(given).find((ref) => overlay.made.on(ref).length > 0) ?? null;
}

async function unstashed(
  entry: Source<'stash'>['entry'],
  overlay: Overlay,
  repository: Repository,
): Promise<readonly IgnoreChange[]> {
  const name = entry === null ? '0' : textOf(entry);
  const number = name === null ? null : entryNumber(name);
  const before = number === null ? name : overlay.shared.stashes.before(number);
  const stash = number === null || before === null ? before : `stash@{${before}}`;
  return stash === null || (await repository.ref('refs/stash')) === null
    ? [{ kind: 'put-back' }]
    : [{ kind: 'changes', from: `${stash}^1`, to: `${stash}` }];
}

/** `a..b`, or what a commit itself has changed. */
async function rangeOf(name: string, repository: Repository): Promise<readonly [string, string] | null> {
  const [first = '', last] = name.split('..');
  const names = last === undefined ? [`${first}^`, first] : [first, last];
  const [from, to] = await Promise.all(names.map((revision) => repository.resolve(`${revision}^{commit}`)));
  return from == null || to == null ? null : [from, to];
}

async function stashChanges(
  { action, partial, paths }: StashIntent,
  repository: Repository,
): Promise<readonly IgnoreChange[]> {
  const { oid } = await repository.head();
  if (action !== 'push' || oid === null) {
    // What an entry brings is told by another intent.
    return [];
  }
  const changed = (await repository.status()).filter(({ path, index }) => index !== '?' && isIgnoreFile(path));
  // Of `--staged` and `--patch` no paths are told.
  const taken = partial && paths === undefined ? changed.filter(({ index }) => index !== '.') : changed;
  const isEach = !partial || paths === undefined;
  const given = textsOf(paths ?? []) ?? [];
  const files = isEach ? taken.map(({ path }) => path) : await meant(given, taken, repository);
  return files.length === 0 ? [] : [{ kind: 'put-away', files, head: oid }];
}
