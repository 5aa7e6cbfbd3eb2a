import { endOfExpression } from '../source/arguments.ts';
import { bracketAround, endOfBracket } from '../source/brackets.ts';
import type { FunctionValue } from './function-values.ts';

/** Where in a program a function stands as a value. */
export interface ValuePlace {
  /** The bracket around it; -1: none. */
  readonly open: number;
  /** Its closing one. */
  readonly close: number;
  /** `(`, `[`, `{`; empty: none. */
  readonly bracket: string;
  /** Which item of the bracket it is, and where that begins and ends. */
  readonly index: number;
  readonly itemStart: number;
  readonly itemEnd: number;
  /** What stands before the value in its item, behind the name of a parameter. */
  readonly before: string;
  /** What stands behind it there. */
  readonly behind: string;
  /** The parameter that it is given to by name, or whose default it is. */
  readonly keyword: string | null;
  /** What is called; null: the bracket only groups, or makes a list. */
  readonly callee: string | null;
  /** The bracket holds the parameters of a function. */
  readonly isDefinition: boolean;
}

const noCallee =
  /(?:^|[^\w$.])(?:if|elif|while|for|return|in|and|or|not|await|yield|switch|catch|else|of|typeof|case|assert|with|print)$/;

export function placeOf(code: string, { start, end }: FunctionValue, isPython: boolean): ValuePlace {
  const open = bracketAround(code, start);
  const bracket = open < 0 ? '' : code.charAt(open);
  const close = open < 0 ? code.length : endOfBracket(code, open + 1);
  let index = 0;
  let itemStart = open + 1;
  for (
    let next = endOfExpression(code, itemStart);
    next < start && index < 50;
    next = endOfExpression(code, itemStart)
  ) {
    itemStart = next + 1;
    index += 1;
  }
  const itemEnd = endOfExpression(code, end);
  const written = code.slice(itemStart, start);
  const [named = '', keyword = null] = /^\s*\.{0,3}([\w$]+)\s*(?::[^=]*)?=(?![=>])\s*/.exec(written) ?? [];
  const front = code.slice(Math.max(0, open - 120), Math.max(0, open));
  const [, called = null] = /([\w$]+(?:\s*\??\.\s*#?[\w$]+)*|[)\]])\s*$/.exec(front) ?? [];
  return {
    open,
    close,
    bracket,
    index,
    itemStart,
    itemEnd,
    before: written.slice(named.length),
    behind: code.slice(end, itemEnd),
    keyword,
    callee: bracket !== '(' || called === null || noCallee.test(front.trimEnd()) ? null : called.replace(/\s+/g, ''),
    isDefinition:
      bracket === '(' &&
      (isPython
        ? /\bdef\s+\w+\s*$/.test(front)
        : /\bfunction\b\s*[\w$]*\s*$/.test(front) ||
          /^\)\s*(?::[^=;{}()]*)?(?:=>|\{)/.test(code.slice(close, close + 80))),
  };
}

/** `print if dry else `, `DRY ? log : `, `given or `: one of several values. */
const choosing = /(?:^|\b(?:else|or|and)\s+|(?:\?\?|\|\||&&|\?|:)\s*)\(*\s*$/;

/** Whether the value is all that its item is, or one of the values that it may be. */
export const isWholeItem = ({ before, behind }: ValuePlace): boolean =>
  (before.trim() === '' || choosing.test(before)) &&
  !/\blambda\b|=>/.test(before) &&
  /^\s*(?:$|if\b[\s\S]*\belse\b|(?:or|and)\b|\?\?|\|\||&&|:)/.test(behind);

/** A line goes on where the next one begins with an operator. */
const statementEnd = /[;{}]|\n(?!\s*(?:\?|:|\|\||or\b|else\b))/g;

/** `def __init__(self, run): self.run = run` */
const headOfBlock =
  /^\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|with|try|except|finally)\b.*:\s+(?=[\w.]+\s*=(?!=))/;

/** Which name a statement gives to the value that stands at a position, or to what a function makes of it. */
export function boundBy(code: string, position: number): { readonly name: string; readonly isField: boolean } | null {
  const front = code.slice(Math.max(0, position - 400), position);
  const ends = [...front.matchAll(statementEnd)];
  const statement = front.slice((ends.at(-1)?.index ?? -1) + 1).replace(headOfBlock, '');
  const [, owner = '', name, value = ''] =
    /^\s*(?:(?:export|const|let|var|static|readonly|private|public|protected)\s+)*((?:self|this|cls)\s*\.\s*)?#?([\w$]+)\s*(?::[^=]*)?=(?![=>])\s*([\s\S]*)$/.exec(
      statement,
    ) ?? [];
  return name === undefined || /\blambda\b|=>/.test(value) || !choosing.test(value.replace(/^await\s+/, ''))
    ? null
    : { name, isField: owner !== '' };
}
