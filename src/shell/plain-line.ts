import type { ParsedScript, Word } from 'unbash';

/** Words of characters that mean nothing to a shell, one space between two of them. */
const plainLine = /^[\w./:@%+,^~-]+(?: [\w./:@%+,^~=-]+)*$/;

/** First words that begin something else than a simple command. */
const reserved: ReadonlySet<string> = new Set(
  'if then elif else fi for while until do done case esac in select function time coproc'.split(' '),
);

/** Builtins whose arguments are assignments. */
const declaring: ReadonlySet<string> = new Set('declare typeset local export readonly alias let eval'.split(' '));

const longestPlainLine = 4096;

/**
 * The syntax of a line that is one simple command of plain words, as most are: exactly what the grammar makes of it,
 * without the grammar, which costs a hook more to load than to run.
 *
 * @returns null for any other line
 */
export function readPlainLine(text: string): ParsedScript | null {
  if (text.length > longestPlainLine || !plainLine.test(text)) {
    return null;
  }
  const firstEnd = text.indexOf(' ');
  const first = firstEnd === -1 ? text : text.slice(0, firstEnd);
  if (reserved.has(first) || declaring.has(first)) {
    return null;
  }
  const [pos, end] = [0, text.length];
  const words: Word[] = [];
  for (let start = 0; start < end; ) {
    const space = text.indexOf(' ', start);
    const stop = space === -1 ? end : space;
    const word = text.slice(start, stop);
    words.push({ type: 'Word', text: word, value: word, parts: undefined, pos: start, end: stop });
    start = stop + 1;
  }
  const [name, ...args] = words;
  const command = { type: 'Command', pos, end, name, prefix: [], suffix: args, args, redirects: [] } as const;
  const statement = { type: 'Statement', pos, end, command, background: undefined } as const;
  return { type: 'Script', pos, end, shebang: undefined, commands: [statement], errors: undefined };
}
