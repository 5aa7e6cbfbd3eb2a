import { openPart, type Word } from '../../../shell/simple-command.ts';
import { beginningOf } from '../../git-command/words.ts';

/**
 * What may stand for a value that is not known. No rule of a convention rejects all of them, but for what stands around:
 * the first shows where the value is, the others are a word, and the references to issues that a team may ask for.
 */
const values = ['…', 'x', 'see ABC-1, #1'];
/** What stands between the ends of a text of which nothing else is known may have the header's end in it. */
const severalLines = 'x\n\nx';
/** What git and hosting services write behind `Merge`, `Merged` and `Auto-merged`: such a message is exempt. */
const mergedNames = ["branch 'x'", "tag 'x'", 'x into y', 'pull request #1 from x', 'PR 1: x'];

/**
 * The message that the paragraphs make, as git-commit(1) puts the values of `-m` together. Where a part is not known:
 * messages that it may be, of which at least one keeps a convention unless what is known breaks it. None where what is
 * not known may be, or change, the type, and has no default.
 */
export function possibleMessages(paragraphs: readonly Word[]): readonly string[] {
  if (paragraphs.every((word) => word.kind === 'known')) {
    return [withValue(paragraphs, '')];
  }
  const beginning = beginningOf(paragraphs[0] ?? { kind: 'known', value: '' });
  const isOpen = paragraphs.some((word) => word.kind === 'unknown' && word.mayExpandToSeveral);
  if (isOpen || !(paragraphs[0]?.kind === 'known' || tellsType(beginning))) {
    return defaults(paragraphs);
  }
  return [
    ...values,
    ...(/^(?:auto-)?merge/i.test(beginning) ? mergedNames : []),
    ...(paragraphs.every(isKnownBetween) ? [] : [severalLines]),
  ].map((value) => withValue(paragraphs, value));
}

/** `-m "${MSG:-Update}"`: a variable that the line doesn't set is mostly not set at all. */
function defaults([only, ...others]: readonly Word[]): readonly string[] {
  const isDefault = others.length === 0 && only?.kind === 'unknown' && only.ownValueOf !== undefined;
  return isDefault ? (only.mayBe ?? []) : [];
}

/** Is the type known, or that there is none? A type ends with a colon, and has no blank before it but in its scope. */
function tellsType(beginning: string): boolean {
  return /^[^\n]*(?:: |\n)|^[^\s:(]+[^\S\n]/.test(beginning);
}

function withValue(paragraphs: readonly Word[], value: string): string {
  return paragraphs.map((word) => shapeOf(word).replaceAll(openPart, value)).join('\n\n');
}

/** Is the text between its values known, too? */
function isKnownBetween(word: Word): boolean {
  return word.kind === 'known' || word.shape !== undefined;
}

function shapeOf(word: Word): string {
  return word.kind === 'known' ? word.value : (word.shape ?? `${word.prefix}${openPart}${word.suffix}`);
}
