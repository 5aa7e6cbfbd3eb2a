import { bracketStep, endOfBracket } from './brackets.ts';
import { endOfBody } from './functions.ts';
import { endOfRubyBlock, endOfWords } from './statements.ts';
import type { WrittenCode } from './written-functions.ts';

/** A block of a program in Ruby, Perl or PHP that gives names a value each time it comes. */
export interface WrittenBlock {
  /** What each value is called, or each part of it: the key and the value, the items of a list. */
  readonly names: readonly string[];
  /** What it goes through, as it is written; null where that is not told. */
  readonly values: string | null;
  /** Where the values are written. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
  /** The first name has the key or the place. */
  readonly isKeyed?: true;
}

/** The blocks of a program, the outer before the inner. */
export function writtenBlocks(written: WrittenCode): readonly WrittenBlock[] {
  const finders = { ruby: rubyBlocks, perl: perlBlocks, php: phpBlocks };
  const { name } = written.language;
  const found = name === 'ruby' || name === 'perl' || name === 'php' ? finders[name](written) : [];
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** What goes through all items one by one. */
const walking =
  /&?\.\s*(each|map|each_entry|each_pair|flat_map|filter_map|all\?|any\?|none\?|find|select|reject|each_with_index|map\s*\.\s*with_index|each\s*\.\s*with_index)\s*(?:\(\s*1?\s*\))?\s*$/;

function rubyBlocks({ source, code }: WrittenCode): readonly WrittenBlock[] {
  const blocks = Array.from(
    code.matchAll(
      /(?<!->\s*\([^()]*\)\s*|\b(?:lambda|proc|Proc\.new)\s*)(\{|\bdo\b)[ \t]*(?:\|([^|\n]*)\||(?=[^\n}]*\b(?:it|_1)\b))/g,
    ),
    (match) => {
      const [whole, opener, list] = match;
      const start = match.index + whole.length;
      const before = code.slice(Math.max(0, match.index - 200), match.index);
      const [method = '', name = ''] = walking.exec(before) ?? [];
      const to = match.index - method.length;
      const names =
        list === undefined
          ? ['it']
          : list
              .replace(/[()]/g, '')
              .split(',')
              .map((one) => one.trim());
      return {
        names: name.endsWith('with_index') ? names.slice(0, -1) : names,
        values: method === '' ? null : source.slice(startOfExpression(code, to), to),
        head: to,
        start,
        end: opener === '{' ? endOfBracket(code, start) : endOfRubyBlock(code, start),
      };
    },
  );
  const loops = Array.from(code.matchAll(/(?<![\w.])for\s+([\w, ]+?)\s+in\s+/g), (match) => {
    const from = match.index + match[0].length;
    const to = endOfWords(code, from);
    const names = (match[1] ?? '').split(',').map((one) => one.trim());
    return {
      names,
      values: source.slice(from, to),
      head: match.index,
      start: to,
      end: endOfRubyBlock(code, to + (/^\s*do\b/.exec(code.slice(to))?.[0].length ?? 0)),
    };
  });
  return [...blocks, ...loops];
}

/** Where an expression begins that ends at `to`: a name, or what stands between brackets, with what its kind is. */
function startOfExpression(code: string, to: number): number {
  const before = code.slice(Math.max(0, to - 200), to);
  const name = /(?:@?[\w]+\s*\.\s*)*@?\w+\s*$/.exec(before)?.[0];
  if (name !== undefined) {
    return to - name.length;
  }
  let level = 0;
  for (let index = to - 1; index >= 0; index -= 1) {
    level -= bracketStep(code.charAt(index));
    if (level <= 0) {
      const kind = /(?:%[wWi]|\w+)$/.exec(code.slice(Math.max(0, index - 60), index))?.[0].length ?? 0;
      return index - kind;
    }
  }
  return to;
}

function perlBlocks({ source, code }: WrittenCode): readonly WrittenBlock[] {
  const loops = Array.from(
    code.matchAll(/(?<![\w$@%])for(?:each)?\s*(?:(?:my|our)\s+)?(\$\w+)?\s*(\(|qw\s*[^\w\s])/g),
  ).flatMap((match): readonly WrittenBlock[] => {
    const [whole, name = '$_', opener = ''] = match;
    const from = match.index + whole.length - (opener === '(' ? 1 : opener.length);
    const close = endOfBracket(code, match.index + whole.length);
    const open = /^[)\]}>]?\s*\{/.exec(code.slice(close))?.[0].length;
    const isCounting = code.slice(from, close).includes(';');
    return open === undefined || isCounting
      ? []
      : [
          {
            names: [name],
            values: source.slice(from, close + 1),
            head: match.index,
            start: close + open,
            end: endOfBracket(code, close + open),
          },
        ];
  });
  const modifiers = Array.from(
    code.matchAll(/(?<=[\w)\]}"'`/]\s+|[)\]}"'`])for(?:each)?\b\s*(?!\s*(?:my|our)\b)/g),
  ).flatMap((match): readonly WrittenBlock[] => {
    const from = match.index + match[0].length;
    const to = endOfWords(code, from);
    const start = startOfStatement(code, match.index);
    const isBlock = /^\s*\{/.test(code.slice(to)) || code.slice(start, match.index).trim() === '';
    return isBlock ? [] : [{ names: ['$_'], values: source.slice(from, to), head: to, start, end: match.index }];
  });
  const maps = Array.from(code.matchAll(/(?<![\w$@%>])(?:map|grep)\s*\{/g), (match): WrittenBlock => {
    const start = match.index + match[0].length;
    const end = endOfBracket(code, start);
    const to = endOfWords(code, end + 1);
    return { names: ['$_'], values: source.slice(end + 1, to), head: to, start, end };
  });
  return [...loops, ...modifiers, ...maps];
}

/** Where a statement of Perl begins that goes on to `to`. */
function startOfStatement(code: string, to: number): number {
  let level = 0;
  for (let index = to - 1; index >= 0; index -= 1) {
    const character = code.charAt(index);
    level -= bracketStep(character);
    const isBehindBlock = character === '\n' && /\}\s*$/.test(code.slice(Math.max(0, index - 40), index));
    if (level < 0 || (level === 0 && (character === ';' || isBehindBlock))) {
      return index + 1;
    }
  }
  return 0;
}

function phpBlocks({ source, code }: WrittenCode): readonly WrittenBlock[] {
  return Array.from(code.matchAll(/\bforeach\s*\(/g)).flatMap((match): readonly WrittenBlock[] => {
    const from = match.index + match[0].length;
    const close = endOfBracket(code, from);
    const head = code.slice(from, close);
    const [as = '', list = ''] = /\bas\s+([^()]*|(?:list\s*\()[^()]*\))$/.exec(head) ?? [];
    const names = list
      .replace(/^(?:list\s*\(|\[)|[)\]]$/g, '')
      .split(/=>|,/)
      .map((one) => one.trim().replace(/^&\s*/, ''));
    const start = close + 1;
    const isNamed = /^\s*:/.test(code.slice(start));
    const end = isNamed
      ? code.indexOf('endforeach', start)
      : endOfBody(code, start + (/^\s*/.exec(code.slice(start))?.[0].length ?? 0));
    return as === ''
      ? []
      : [
          {
            names,
            values: source.slice(from, close - as.length),
            head: match.index,
            start,
            end: end < 0 ? code.length : end,
            ...(list.includes('=>') ? { isKeyed: true } : {}),
          },
        ];
  });
}
