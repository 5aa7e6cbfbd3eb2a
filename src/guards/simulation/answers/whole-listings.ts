import type { Repository, StatusEntry } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { textsOf, type UnknownWord } from '../../git-command/words.ts';
import type { Overlay } from '../overlay.ts';

/** Commands that print the name of every changed file; those of the second expression with new ones. */
const ofChanges = /^git (?:diff --name-only(?: HEAD)?|ls-files (?:-m|--modified))$/;
const ofAll = /^git ls-files (?:-mo|-om|-m -o|-o -m|--modified --others|--others --modified) --exclude-standard$/;

/** A name that is one word, and no pattern, wherever a shell splits the list. */
const plainName = /^[\w@%+=:,./-]+$/;

/**
 * `git add $(git diff --name-only)`: the changed files that such a list names, all of them; none where the word is no such
 * list, or the line may have changed them since it was made.
 */
export function listedWhole(
  words: readonly Word[],
  entries: readonly StatusEntry[],
  overlay: Overlay,
  { cwd, workTree }: Repository,
): readonly string[] {
  const isAsBefore =
    overlay.saved === 'nothing' &&
    overlay.index.size + overlay.brought.size + overlay.written.size + overlay.shared.stashes.made === 0;
  const lists = words.flatMap(listOf);
  // git-diff(1) names files from the root of the work tree.
  if (!isAsBefore || lists.length === 0 || cwd !== workTree || !entries.every(({ path }) => plainName.test(path))) {
    return [];
  }
  const isAll = lists.some((list) => ofAll.test(list));
  const sinceHead = lists.some((list) => list.endsWith(' HEAD'));
  const isListed = ({ index, worktree }: StatusEntry) => (index === '?' ? isAll : worktree !== '.' || sinceHead);
  return entries.filter(isListed).map(({ path }) => path);
}

/** Of an output, or of a variable that has one; neither of an element of a list nor of an argument. */
function isWhole({ prefix, suffix, source }: UnknownWord): boolean {
  return prefix + suffix.trim() === '' && /^(?:\$\(|`|\$\{?[A-Za-z_]\w*\}?$)/.test(source);
}

/** The command that has printed a word, which nothing has chosen from. */
function listOf(word: Word): readonly string[] {
  if (word.kind === 'known' || !word.mayExpandToSeveral || !isWhole(word)) {
    return [];
  }
  const command = textsOf(word.printedBy?.argv ?? [])?.join(' ') ?? '';
  return ofChanges.test(command) || ofAll.test(command) ? [command] : [];
}
