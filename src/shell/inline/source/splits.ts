/** A text that a program takes apart. */
export interface SourceSplit {
  /** The text, as it is written. */
  readonly of: string;
  readonly separator: RegExp;
}

const whitespace = /\s+/;
const method = /(?:\.\s*(?:strip|trim)\(\s*\)\s*)?\.\s*(splitlines|split)\(\s*([^()\n]*?)\s*\)$/;

/** `TEXT.split(' ')`, `TEXT.strip().splitlines()`, `shlex.split(TEXT)`: into words as a shell would, for what agents write. */
export function splitIn(written: string): SourceSplit | null {
  const [, given] = /^shlex\s*\.\s*split\(\s*([\s\S]*?)\s*\)$/.exec(written) ?? [];
  if (given !== undefined) {
    return { of: given, separator: whitespace };
  }
  const found = method.exec(written);
  const separator = found === null ? null : found[1] === 'splitlines' ? /\n/ : separatorIn(found[2] ?? '');
  return found === null || separator === null ? null : { of: written.slice(0, found.index), separator };
}

function separatorIn(written: string): RegExp | null {
  if (/^(?:|["'] ["']|\/(?: |\\s)[+*]?\/g?)$/.test(written)) {
    return whitespace;
  }
  const [, , literal] = /^(["'])(\\n|[,;|])\1$/.exec(written) ?? [];
  return literal === undefined ? null : literal === '\\n' ? /\n/ : new RegExp(`[${literal}]`);
}

/** The parts, without empty ones and blanks around them. What is inserted into the text stays in one part. */
export function partsOf<Inserted extends object>(
  text: readonly (string | Inserted)[],
  separator: RegExp,
): readonly (readonly (string | Inserted)[])[] {
  const parts: (string | Inserted)[][] = [[]];
  for (const piece of text) {
    const [first = '', ...others] = typeof piece === 'string' ? piece.split(separator) : [piece];
    parts.at(-1)?.push(first);
    parts.push(...others.map((other) => [other]));
  }
  return parts
    .map((part) => part.map((piece) => (typeof piece === 'string' && part.length === 1 ? piece.trim() : piece)))
    .filter((part) => part.some((piece) => piece !== ''));
}
