import { isMergedInto, type NamesKind, wordsOf } from '../simple-command.ts';
import type { Piece } from '../words/field.ts';
import { readSed } from './sed.ts';

/** Kinds of output whose words are names of refs and commits, but for the marks that `git branch` sets before them. */
export function namesRefs(names: NamesKind): boolean {
  return /^(?:revisions|default branch|commits|tags)$/.test(names) || isMergedInto(names);
}

/** A set of characters that no ref's name has (git-check-ref-format(1)), and how often they may stand. */
const strange = String.raw`(?: |\\t|\\s|\\\*|\[(?:[ *]|\\t|\[:(?:space|blank):\])+\])`;
const basicOften = String.raw`(?:\*|\\\+|\\\?|\\\{[\d,]+\\\})?`;
const extendedOften = String.raw`(?:[*+?]|\{[\d,]+\})?`;
/** In a basic expression the first star stands for itself: regex(7). */
const basic = new RegExp(`^(?=.)\\^?\\*?(?:${strange}${basicOften})*$`);
const extended = new RegExp(`^\\^?(?:${strange}${extendedOften})+$`);
/** The first two columns, which are the mark and a blank where nothing has changed the lines. */
const columns = /^\^(?:\.(?:\.|\\?\{2\\?\}| )|\[[*+ ]+\] \*?)$/;

/** Does an expression match nothing but blanks and marks? @param isWhole the lines are as git has printed them */
function isOfMarks(expression: string, isExtended: boolean, isWhole: boolean): boolean {
  return (isExtended ? extended : basic).test(expression) || (isWhole && columns.test(expression));
}

const address = String.raw`(?:\/(?:[^/\\\n]|\\.)*\/I?|\d+|\$)`;
/** A command of sed(1) that chooses among lines, or takes something out of them: the second group is what. */
const command = new RegExp(
  String.raw`^(?:${address}(?:,${address})?\s*!?\s*)?(?:[dp]|s([^\w\s\\])((?:(?!\1)[^\\\n]|\\.)*)\1\1[gp]*)\s*(?:[;\n]\s*|$)`,
);

function sedKeepsNames(args: readonly string[], isWhole: boolean): boolean {
  const call = readSed(args);
  if (call === null || call.inPlace || call.files.length > 0) {
    return false;
  }
  let rest = call.script.trim();
  let isFirst = isWhole;
  while (rest !== '') {
    const [whole = '', , expression = null] = command.exec(rest) ?? [];
    if (whole === '' || (expression !== null && !isOfMarks(expression, call.extended, isFirst))) {
      return false;
    }
    isFirst &&= expression === null;
    rest = rest.slice(whole.length);
  }
  return true;
}

/** awk(1p): which lines are meant. */
const condition = String.raw`!?(?:NR ?(?:==|[<>]=?|!=) ?\d+|\/(?:[^/\\]|\\.)*\/|\$[01] ?(?:[!=]=|!?~) ?(?:"[^"\\]*"|\/(?:[^/\\]|\\.)*\/))`;
const conditions = String.raw`(?:${condition}(?: ?(?:&&|\|\|) ?${condition})*)? ?`;
const taking = String.raw`\{ ?print \$(?:1|NF) ?;? ?(?:exit ?;? ?)?\}`;
const trimming = String.raw`\{ ?(?:\$1 ?= ?\$1|g?sub\(\/((?:[^/\\]|\\.)*)\/, ?""\)) ?;? ?(?:\} ?;? ?1|print(?: \$0)? ?;? ?\})`;
const awkProgram = new RegExp(`^ ?${conditions}(?:${taking}|${trimming}) ?;?$`);

function awkKeepsNames([program = '', ...more]: readonly string[], isWhole: boolean): boolean {
  const [isRead, expression] = awkProgram.exec(program.replace(/\s+/g, ' ')) ?? [];
  return (
    isRead !== undefined && more.length === 0 && (expression === undefined || isOfMarks(expression, true, isWhole))
  );
}

/**
 * What is known of the names of refs after a program that takes nothing but blanks and marks out of their lines, and may
 * choose among these: `git branch --merged | sed 's/^[* ] //'`. Undefined: it does something else.
 *
 * @param args what follows the program's name
 * @param names what it reads
 */
export function namesWithoutMarks(program: string, args: readonly string[], names: NamesKind): NamesKind | undefined {
  const isWhole = names.startsWith('merged into ');
  const words = args.join(' ');
  const keeps = (): boolean => {
    switch (program) {
      case 'sed':
        return sedKeepsNames(args, isWhole);
      case 'awk':
        return awkKeepsNames(args, isWhole);
      case 'tr':
        return args.length === 2 && args[0] === '-d' && /^(?:[ *]|\\t|\[:blank:\])+$/.test(args[1] ?? '');
      case 'cut':
        return isWhole && /^-[bc] ?3-$/.test(words);
      default:
        return false;
    }
  };
  return namesRefs(names) && keeps() ? wordsOf(names) : undefined;
}

/**
 * Does a shell's pattern match nothing but blanks and marks? `${branch#\* }`
 *
 * @param isBeginning it is matched at the beginning: what stands before a blank is no name there
 */
export function matchesMarks(pattern: readonly Piece[], isBeginning: boolean): boolean {
  const parts = pattern.map((piece) =>
    piece.kind === 'glob'
      ? piece.text
      : piece.kind === 'literal' || piece.kind === 'quoted'
        ? escaped(piece.text)
        : '?',
  );
  const source = parts.join('');
  return (isBeginning && /^\*? +$/.test(source)) || /^(?:\\\*| |\[(?:\\?\*| )+\])+$/.test(source);
}

const escaped = (text: string) => text.replaceAll('*', '\\*');
