import type { Interpolation } from './literal.ts';

/** The text of a program, and the same with its strings and comments blanked. */
export interface SourceCode {
  readonly source: string;
  readonly code: string;
  readonly interpolation: Interpolation;
}

/** Where a string, a template or a comment stands in the source of a program. */
const token =
  /(?:[rRbBuUfF]{0,2})("""|'''|"|'|`)|(?<![:\\])(?:\/\/|#(?!\{|[a-zA-Z_]\w*\s*[(=;]))[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * The source with the contents of its strings and comments blanked, so that names are only found where they are code.
 * What is inserted into strings stays. Positions stay as they are.
 *
 * @param hasComments whether `#` begins a comment (Python)
 */
export function codeOf(source: string, hasComments: boolean): string {
  let code = '';
  let index = 0;
  for (const { start, end, opener } of tokensOf(source, hasComments)) {
    const isFormatted = opener.endsWith('`') || /^\w*[fF]/.test(opener);
    code += source.slice(index, start) + blanked(source.slice(start, end), isFormatted);
    index = end;
  }
  return code + source.slice(index);
}

/** A string or a comment in the source of a program. */
export interface SourceToken {
  readonly start: number;
  readonly end: number;
  /** What stands before the text: `rb"`; empty for a comment. */
  readonly opener: string;
}

/** The strings of a program, in their order. */
export function stringsOf(source: string, hasComments: boolean): readonly SourceToken[] {
  return tokensOf(source, hasComments).filter(({ opener }) => opener !== '');
}

function tokensOf(source: string, hasComments: boolean): readonly SourceToken[] {
  const tokens: SourceToken[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [whole, quote] = match;
    const isComment = quote === undefined;
    if (isComment && whole.startsWith('#') !== hasComments && !whole.startsWith('/*')) {
      token.lastIndex = match.index + 1;
      continue;
    }
    const open = match.index + whole.length;
    const end = isComment ? open : endOfString(source, open, quote);
    tokens.push({ start: match.index, end, opener: isComment ? '' : whole });
    token.lastIndex = end;
  }
  return tokens;
}

function endOfString(source: string, open: number, quote: string): number {
  let end = open;
  while (end < source.length && !source.startsWith(quote, end)) {
    if (quote.length === 1 && quote !== '`' && source[end] === '\n') {
      return end;
    }
    end += source[end] === '\\' ? 2 : 1;
  }
  return Math.min(end + quote.length, source.length);
}

function blanked(text: string, isFormatted: boolean): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  return isFormatted
    ? text.replace(/\{[^{}]*\}|[^{]+|\{/g, (part) => (/^\{.+\}$/s.test(part) ? part : blank(part)))
    : blank(text);
}
