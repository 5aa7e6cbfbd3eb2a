import type { Repository } from '../../../git/repository.ts';
import { programName, type SimpleCommand, type Word } from '../../../shell/simple-command.ts';
import { commitTree } from '../../git-command/commit-commands.ts';
import { readInvocation } from '../../git-command/invocation.ts';
import { hasGitVariables } from '../../git-command/own-variables.ts';
import { parseOptions } from '../../git-command/parse-options.ts';
import { known, textOf, textsOf } from '../../git-command/words.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import type { Overlay } from '../overlay.ts';
import { madeBelow } from '../refs/made-commits.ts';

/** A commit that git makes while it prints its name: nobody knows the name, but what the commit stands on. */
export interface PrintedCommit {
  readonly parents: readonly string[];
  /** It has every change of a tracked file: `git stash create`. */
  readonly holdsChanges: boolean;
  /** It has something that no other commit has. */
  readonly holdsWork: boolean;
}

/** `"$(git commit-tree -p HEAD -m … TREE)"`, `"$(git stash create)"`; null: another word, or one of another place. */
export function printedCommit(word: Word | null, { cwd }: Repository): PrintedCommit | null {
  const printer = word?.kind === 'unknown' && word.prefix + word.suffix === '' ? word.printedBy : undefined;
  const isHere = printer?.cwd.kind === 'known' && printer.cwd.path === cwd && !hasGitVariables(printer);
  return printer !== undefined && isHere && programName(printer.argv[0]) === 'git' ? readPrinter(printer) : null;
}

function readPrinter({ argv, cwd }: SimpleCommand): PrintedCommit | null {
  const { words, directory, settings, gitDir, workTree } = readInvocation(argv.slice(1), cwd, () => null);
  const isPlain = directory === cwd && settings.length === 0 && gitDir === null && workTree === null;
  const [subcommand, member] = words.map(textOf);
  if (isPlain && subcommand === 'stash' && member === 'create') {
    return { parents: ['HEAD'], holdsChanges: true, holdsWork: true };
  }
  const args = isPlain && subcommand === 'commit-tree' ? parseOptions(commitTree.options, words.slice(1)) : null;
  const parents = args === null || 'refused' in args ? null : textsOf(args.values('p'));
  const [tree = known('')] = args === null || 'refused' in args ? [] : args.operands;
  return parents === null
    ? null
    : { parents, holdsChanges: false, holdsWork: textOf(tree)?.endsWith('^{tree}') !== true };
}

/** A ref leads to such a commit from now on. @param ref by its full name */
export async function applyPrintedCommit(
  { parents, holdsChanges, holdsWork }: PrintedCommit,
  ref: string,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const oids = await Promise.all(parents.map((name) => repository.resolve(`${name}^{commit}`)));
  const [first = null, ...merged] = oids.flatMap((oid) => oid ?? []);
  const mergedMade = (await Promise.all(parents.map((name) => madeBelow(name, overlay.made, repository)))).flat();
  if (first === null && mergedMade.length === 0 && parents.length > 0) {
    return;
  }
  const head = await repository.head();
  overlay.made.set(ref, [{ holdsWork, merged, mergedMade }]);
  overlay.refs.set(ref, first);
  if (head.kind === 'branch' && head.ref === ref) {
    overlay.head = { ...head, oid: first };
  }
  if (holdsChanges) {
    await keepChanges(overlay, repository);
  }
}

/** What `git stash create` has saved is somewhere else as well; it refuses while there are conflicts. */
export async function keepChanges(overlay: Overlay, repository: Repository): Promise<void> {
  if (overlay.saved === 'nothing' && !(await repository.status()).some(isUnmerged)) {
    overlay.saved = 'tracked';
    overlay.index.clear();
  }
}
