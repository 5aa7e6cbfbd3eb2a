import type { Call } from '../call.ts';
import { openPart, type Word } from '../simple-command.ts';
import { joinPieces, type Piece, valuePieces } from '../words/field.ts';
import { formatPrintf } from '../words/printf.ts';

/** What programs print of whose words one is not known; null where its value may be anywhere in that. */
export const openPrinters: ReadonlyMap<string, (call: Call) => Word | null> = new Map([
  ['echo', openEcho],
  ['printf', openPrintf],
]);

/** Null where an option may say how. */
function openEcho({ argv: [, ...words], source, state }: Call): Word | null {
  const readsEscapes =
    state.options.xpgEcho && words.some((word) => !(word.kind === 'known' && /^[^\\]*$/.test(word.value)));
  if (readsEscapes || (words[0]?.kind === 'known' && words[0].value.startsWith('-'))) {
    return null;
  }
  const pieces = words.flatMap((word): Piece[] => [...valuePieces(word, true), { kind: 'literal', text: ' ' }]);
  return joinPieces([...pieces.slice(0, -1), { kind: 'literal', text: '\n' }], source);
}

/** Null where a word is not known that may be none or several, or is not printed as it is. */
function openPrintf({ argv: [, ...words], source }: Call): Word | null {
  const open = words.filter((word) => word.kind === 'unknown');
  const [format] = words;
  const isPlain = format?.kind === 'known' && !/%(?![s%])/.test(format.value);
  if (!isPlain || open.some(({ mayExpandToSeveral }) => mayExpandToSeveral)) {
    return null;
  }
  const texts = words.map((word) => (word.kind === 'known' ? word.value : openPart));
  const parts = formatPrintf(texts)?.split(openPart) ?? [];
  if (parts.length !== open.length + 1) {
    return null;
  }
  const pieces = parts.flatMap((text, at): Piece[] => {
    const value = open[at];
    return [{ kind: 'literal', text }, ...(value === undefined ? [] : valuePieces(value, true))];
  });
  return joinPieces(pieces, source);
}
