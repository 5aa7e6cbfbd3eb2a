import { bracketAround, bracketStep, endOfBracket } from '../source/brackets.ts';
import { pythonFunctions } from '../source/functions.ts';

/** The one value that a name of a program ever has. */
export interface OnlyBinding {
  /** Where its value is written. */
  readonly value: readonly [from: number, to: number];
  /** Which item of that; null: all of it. */
  readonly item: number | null;
  /** What it has instead where that item is not there. */
  readonly usual?: readonly [from: number, to: number];
  /** Where the name has it. */
  readonly within: readonly [from: number, to: number];
}

/**
 * The value that a name has wherever it stands.
 *
 * @param code texts and comments blanked
 * @returns null where the program gives the name several, or in a way in which that is not told
 */
export function onlyBinding(name: string, code: string, isPython: boolean): OnlyBinding | null {
  let only: OnlyBinding | null = null;
  for (const { use } of usesOf(name, code, isPython)) {
    if (use === 'another' || (use !== 'read' && only !== null)) {
      return null;
    }
    only = use === 'read' ? only : use;
  }
  return only;
}

/** What a name is there: read, given its value, or given it in another way. */
type Use = OnlyBinding | 'read' | 'another';

/** What a name is in each place where it stands behind `from`, as far as anybody asks. */
export function* usesOf(
  name: string,
  code: string,
  isPython: boolean,
  from = 0,
): Generator<{ readonly index: number; readonly use: Use }> {
  const own = name.replaceAll('$', '\\$');
  const place = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.\\s*)${own}(?![\\w$])`, 'g');
  place.lastIndex = from;
  for (const { index } of code.matchAll(place)) {
    yield { index, use: (isPython ? pythonUse : scriptUse)(code, index, index + name.length) };
  }
}

/** What changes what is in a list, under whichever name. */
const changing =
  /^\s*(?:\.\s*(?:append|insert|extend|pop|remove|push|unshift|splice|shift|sort|reverse|clear|add|discard|delete|update|fill)\s*\(|\[[^\]\n]*\]\s*[-+*/|&]?=(?!=))/;

/** What stands before a name in its line that makes it another thing. */
const namingOfPython =
  /\b(?:for\s+(?:(?!\bin\b).)*|(?:global|nonlocal|del|import|case|match)\b.*|as\s+|(?:class|def)\s+|lambda\b[^:]*)$/;
const changingOfPython = /^\s*(?:(?:<<|>>|\*\*|\/\/|[-+*/%&|^@])=(?!=)|:=)|^(?:\s*,\s*[\w.*]*)*\s*[\])]\s*=(?!=)/;
/** `a, b = x` in no bracket: in that of a call, `cwd=a, check=True` names what follows. */
const givenAtOnce = /^(?:\s*,\s*[\w.*]+)+\s*=(?!=)/;

function pythonUse(code: string, index: number, end: number): Use {
  const line = code.lastIndexOf('\n', index - 1) + 1;
  const before = code.slice(line, index);
  const after = code.slice(end, end + 400);
  const item = takenApart(code, line, index);
  if (item !== null) {
    return item;
  }
  const open = bracketAround(code, index);
  const isParameter = open >= 0 && /\bdef\s+\w+\s*$/.test(code.slice(Math.max(0, open - 80), open));
  const isTakenOut = changingOfPython.test(after) || (open < 0 && givenAtOnce.test(after));
  if (isParameter || namingOfPython.test(before) || isTakenOut || changing.test(after)) {
    return 'another';
  }
  const [sign] = /^\s*(?::[^=\n()[\]]+)?=(?!=)/.exec(after) ?? [];
  if (sign === undefined || code[open] === '(') {
    return 'read';
  }
  const isStatement = open < 0 && /^(?:[^\n]*;)?[ \t]*$/.test(before);
  const functions = pythonFunctions(code);
  const around = functions.findLast(({ start, end: to }) => start <= index && index < to);
  // What a class holds has another name elsewhere.
  const isOfClass = around === undefined && /^[ \t]/.test(before) && /^[ \t]*class\b/m.test(code);
  return !isStatement || isOfClass
    ? 'another'
    : {
        value: [end + sign.length, endOfPythonStatement(code, end + sign.length)],
        item: null,
        within: around === undefined ? [0, code.length] : [around.start, around.end],
      };
}

/** `command, *rest = sys.argv[1:]`, outside of functions and blocks; null where it is none of the first items. */
function takenApart(code: string, line: number, index: number): OnlyBinding | null {
  const [whole = '', items = ''] =
    /^((?:\w+[ \t]*,[ \t]*)+\*?[ \t]*\w+[ \t]*)=(?!=)/.exec(code.slice(line, line + 200)) ?? [];
  const before = code.slice(line, index);
  const from = line + whole.length;
  const to = endOfPythonStatement(code, from);
  const isItem =
    whole !== '' && before.length < items.length && !before.includes('*') && bracketAround(code, index) < 0;
  return isItem && !/(?<![=!<>])=(?!=)/.test(code.slice(from, to))
    ? { value: [from, to], item: before.split(',').length - 1, within: [0, code.length] }
    : null;
}

function endOfPythonStatement(code: string, from: number): number {
  let level = 0;
  for (let index = from; index < code.length; index += 1) {
    const character = code.charAt(index);
    level += bracketStep(character);
    if (level <= 0 && /[\n;]/.test(character)) {
      return index;
    }
  }
  return code.length;
}

const changingOfScript = /^\s*(?:(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])|\+\+|--|=>)|^\s+(?:of|in)\b/;
const namingOfScript =
  /(?:\+\+|--|\b(?:function|class|enum|namespace|as)\b\s*\*?)\s*$|\bimport\b(?:(?!\bfrom\b)[\w$\s{},*])*$/;

function scriptUse(code: string, index: number, end: number): Use {
  const before = code.slice(Math.max(0, index - 200), index);
  const after = code.slice(end, end + 200);
  if (/\b(?:const|let|var)\s+$/.test(before)) {
    const [sign] = /^\s*(?::[^=\n;]+)?=(?![=>])/.exec(after) ?? [];
    return sign === undefined
      ? 'another'
      : {
          value: [end + sign.length, endOfScriptValue(code, end + sign.length)],
          item: null,
          within: [0, code.length],
        };
  }
  const open = bracketAround(code, index);
  if (code[open] === '[' && /\b(?:const|let|var)\s+$/.test(code.slice(Math.max(0, open - 12), open))) {
    return destructured(code, index, open, endOfBracket(code, open + 1));
  }
  if (
    changing.test(after) ||
    changingOfScript.test(after) ||
    namingOfScript.test(before) ||
    isDeclaredBesides(code, index)
  ) {
    return 'another';
  }
  return patternUse(code, index);
}

/** `const a = 1, b = 2` */
function isDeclaredBesides(code: string, index: number): boolean {
  const statement = code.slice(
    Math.max(code.lastIndexOf('\n', index - 1), code.lastIndexOf(';', index - 1)) + 1,
    index,
  );
  return /\b(?:const|let|var)\b[^=]*,\s*$/.test(statement);
}

/** A name in brackets may be one that a function takes, or a part of what several are given at once. */
function patternUse(code: string, index: number): Use {
  for (let open = bracketAround(code, index); open >= 0; open = bracketAround(code, open)) {
    const close = endOfBracket(code, open + 1);
    const behind = code.slice(close + 1, close + 200);
    const head = code.slice(Math.max(0, open - 60), open);
    if (code[open] === '(') {
      const isTaken =
        /^\s*(?::[^=;{}()]*)?=>/.test(behind) ||
        (/^\s*(?::[^=;{}()]*)?\{/.test(behind) && !/\b(?:if|for|while|switch|with)\s*$/.test(head));
      return isTaken ? 'another' : 'read';
    }
    if (/^\s*(?:=(?![=>])|(?:of|in)\b)/.test(behind)) {
      return 'another';
    }
    if (!/^[\w$\s,:=.{}[\]]*$/.test(code.slice(open + 1, close))) {
      return 'read';
    }
  }
  return 'read';
}

/** `const [command, ...rest] = …` */
function destructured(code: string, index: number, open: number, close: number): Use {
  const before = code.slice(open + 1, index);
  const [sign] = /^\s*=(?![=>])/.exec(code.slice(close + 1)) ?? [];
  const [item = '', usual = ''] =
    /^[\w$]+\s*(=\s*["\w][^,[\](){}]*)?(?=[,\]])/.exec(code.slice(index, close + 1)) ?? [];
  const isPlain = item !== '' && /^(?:\s*(?:[\w$]+\s*(?:=\s*["\w][^,[\](){}]*)?)?,)*\s*$/.test(before);
  if (sign === undefined || !isPlain || !/\b(?:const|let|var)\s+$/.test(code.slice(0, open).slice(-12))) {
    return 'another';
  }
  const from = close + 1 + sign.length;
  return {
    value: [from, endOfScriptValue(code, from)],
    item: before.split(',').length - 1,
    within: [0, code.length],
    ...(usual === '' ? {} : { usual: [index + item.length - usual.length + 1, index + item.length] as const }),
  };
}

/** Where an expression ends with its statement, or before the next name that is declared. */
function endOfScriptValue(code: string, from: number): number {
  let level = 0;
  for (let index = from; index < code.length; index += 1) {
    const character = code.charAt(index);
    level += bracketStep(character);
    const isLine =
      character === '\n' &&
      !/[-+*/%&|^=?:<>,!.(]\s*$/.test(code.slice(from, index)) &&
      !/^\s*(?:[-+*/%&|^=?:<>,.)]|in\b|instanceof\b)/.test(code.slice(index, index + 200));
    if (level < 0 || (level === 0 && (character === ';' || character === ',' || isLine))) {
      return index;
    }
  }
  return code.length;
}
