import { bracketAround, bracketStep, endOfBracket } from '../source/brackets.ts';
import type { Span } from './known-value.ts';
import type { KnownValues } from './known-values.ts';
import { outerCode } from './operators.ts';

/** A branch of an `if`. */
interface Branch {
  /** Of its condition; null for `else`. */
  readonly condition: Span | null;
  readonly body: Span;
}

const leaving = /^\s*(?:process\s*\.\s*exit\s*\(|(?:throw|return|continue|break)\b)/;
/** What stands before a part of a statement. */
const goesOn = /(?:\b(?:if|else|for|while|do)\b[^;{}]*|[-+*/%&|^=?:<>,.!(]\s*)$/;
/** What stands before a statement that is no part of another one. */
const loneHead = /\b(?:if|for|while|with)\s*$/;

/** What a program in JavaScript surely never comes to. @param code texts, patterns and comments blanked */
export function unreachedOfScript(code: string, values: KnownValues): readonly Span[] {
  const spans: Span[] = [];
  const isDead = (position: number) => spans.some(([from, to]) => from <= position && position < to);
  for (const { index } of code.matchAll(/(?<![\w$.])(?:if|switch)\s*\(/g)) {
    if (!isDead(index)) {
      spans.push(...(code.startsWith('if', index) ? branches(code, index, values) : cases(code, index, values)));
    }
  }
  return [...spans, ...expressionsIn(code, values, isDead)];
}

/** `word === "undo" && undo();`, `word === "undo" ? undo() : status();` */
function expressionsIn(code: string, values: KnownValues, isDead: (position: number) => boolean): readonly Span[] {
  const found = code.matchAll(/(?<=^|[;{}\n])[ \t]*([^\s;{}?&|][^;{}?&|\n]*)(&&|\?(?![?.]))/g);
  return Array.from(found).flatMap(({ index, 0: whole, 1: condition = '', 2: sign = '' }): readonly Span[] => {
    const second = index + whole.length;
    const start = second - sign.length - condition.length;
    const [, end] = bodyAt(code, second);
    const rest = outerCode(code.slice(second, end));
    const isWhole =
      isBalanced(condition) &&
      !/^(?:return|if|for|while|else|case|const|let|var)\b|=>|(?<![=!<>])=(?!=)/.test(condition);
    const holds =
      isDead(start) || !isStatement(code, start) || !isWhole ? null : values.holds(start, second - sign.length);
    const colon = rest.indexOf(':');
    const isPlain = holds !== null && !/[?,]|\|\||&&/.test(rest);
    if (!isPlain || (sign === '?' && colon < 0)) {
      return [];
    }
    return sign === '&&'
      ? holds
        ? []
        : [[second, end]]
      : holds
        ? [[second + colon + 1, end]]
        : [[second, second + colon]];
  });
}

function isBalanced(code: string): boolean {
  let level = 0;
  for (const character of code) {
    level += bracketStep(character);
    if (level < 0) {
      return false;
    }
  }
  return level === 0;
}

function branches(code: string, index: number, values: KnownValues): readonly Span[] {
  if (/\belse\s*$/.test(code.slice(Math.max(0, index - 20), index))) {
    return [];
  }
  const chain = chainAt(code, index);
  const dead: Span[] = [];
  let isSettled = false;
  let isFirst = true;
  for (const { condition, body } of chain) {
    const holds: boolean | null = isSettled ? false : condition === null ? true : values.holds(...condition);
    if (holds === false) {
      dead.push(withoutBrace(code, body));
      continue;
    }
    if (holds === true && isFirst && leaves(code, body) && isStatement(code, index)) {
      dead.push(...restOfBlock(code, index, chain.at(-1)?.body[1] ?? body[1]));
    }
    isSettled = holds === true;
    isFirst = false;
  }
  return dead;
}

/** The statements of a block. */
function withoutBrace(code: string, [from, to]: Span): Span {
  return [from, code[from - 1] === '{' && code[to - 1] === '}' ? to - 1 : to];
}

function chainAt(code: string, index: number): readonly Branch[] {
  const chain: Branch[] = [];
  for (let at = index; ; ) {
    const head = /^\s*(?:if\s*\(|)/.exec(code.slice(at))?.[0] ?? '';
    const open = at + head.length;
    const isElse = !head.trimEnd().endsWith('(');
    const close = isElse ? open : endOfBracket(code, open);
    const body = bodyAt(code, isElse ? open : close + 1);
    chain.push({ condition: isElse ? null : [open, close], body });
    // The `else` behind a condition within one belongs to the inner.
    const isNested = /^(?:if|for|while)\b/.test(code.slice(body[0], body[0] + 8)) && code[body[0] - 1] !== '{';
    const [next] = isElse || isNested ? [] : (/^\s*else\b/.exec(code.slice(body[1])) ?? []);
    if (next === undefined || chain.length > 100) {
      return chain;
    }
    at = body[1] + next.length;
  }
}

/** A block, or one statement. */
function bodyAt(code: string, from: number): Span {
  const start = from + (/^\s*/.exec(code.slice(from))?.[0].length ?? 0);
  if (code[start] === '{') {
    return [start + 1, endOfBracket(code, start + 1) + 1];
  }
  // The statement of one that is a statement itself ends where its own does.
  const inner = /^(?:if|for|while)\s*\(/.exec(code.slice(start))?.[0].length;
  if (inner !== undefined) {
    return [start, bodyAt(code, endOfBracket(code, start + inner) + 1)[1]];
  }
  let level = 0;
  for (let index = start; index < code.length; index += 1) {
    level += bracketStep(code.charAt(index));
    const isEnd = level === 0 && (code[index] === ';' || code[index] === '\n');
    if (level < 0 || isEnd) {
      return [start, level < 0 ? index : index + 1];
    }
  }
  return [start, code.length];
}

/** Does one of the statements of a block itself leave what the block stands in? */
function leaves(code: string, [from, to]: Span): boolean {
  let level = 0;
  let start = from;
  for (let index = from; index < to; index += 1) {
    const character = code.charAt(index);
    level += bracketStep(character);
    if (level === 0 && /[;\n}]/.test(character)) {
      start = index + 1;
    } else if (level === 0 && index === start + blanksAt(code, start) && leaving.test(code.slice(start, start + 200))) {
      return !goesOn.test(code.slice(from, index));
    }
  }
  return false;
}

const blanksAt = (code: string, from: number): number => /^\s*/.exec(code.slice(from, from + 200))?.[0].length ?? 0;

/** Is it a statement of a block itself, and not the only one of a loop or of another condition? */
function isStatement(code: string, index: number): boolean {
  const before = code.slice(0, index).trimEnd();
  const last = before.at(-1) ?? '';
  if (before === '' || /[{};]/.test(last)) {
    return true;
  }
  const isNewLine = code.slice(before.length, index).includes('\n');
  if (last === ')') {
    const open = bracketAround(code, before.length - 1);
    return isNewLine && open >= 0 && !loneHead.test(code.slice(Math.max(0, open - 20), open));
  }
  return isNewLine && /[\w$\]"]/.test(last) && !/\b(?:else|do)$/.test(before);
}

/** What comes behind in the block, but for functions: these can be called before. */
function restOfBlock(code: string, index: number, from: number): readonly Span[] {
  const open = bracketAround(code, index);
  if (open >= 0 && code[open] !== '{') {
    return [];
  }
  const end = open < 0 ? code.length : endOfBracket(code, open + 1);
  const isSwitch = open >= 0 && isHeadOf('switch', code, open);
  const label = isSwitch ? /\b(?:case\b|default\s*:)/.exec(code.slice(from, end))?.index : undefined;
  const to = label === undefined ? end : from + label;
  const spans: Span[] = [];
  let start = from;
  for (const { index: at, 0: whole } of code.slice(from, to).matchAll(/\bfunction\b[^(]*\(/g)) {
    const place = from + at;
    if (place >= start) {
      spans.push([start, place]);
      const body = code.indexOf('{', endOfBracket(code, place + whole.length));
      start = body < 0 ? to : Math.min(to, endOfBracket(code, body + 1) + 1);
    }
  }
  return [...spans, [start, to]];
}

function isHeadOf(word: string, code: string, open: number): boolean {
  const before = code.slice(0, open).trimEnd();
  const bracket = before.endsWith(')') ? bracketAround(code, before.length - 1) : -1;
  return bracket >= 0 && new RegExp(`\\b${word}\\s*$`).test(code.slice(Math.max(0, bracket - 20), bracket));
}

/** `switch (command) { case 'reset': … break; }` */
function cases(code: string, index: number, values: KnownValues): readonly Span[] {
  const open = code.indexOf('(', index) + 1;
  const close = endOfBracket(code, open);
  const brace = close + 1 + blanksAt(code, close + 1);
  const subject = values.valueOf(open, close);
  if (subject === null || code[brace] !== '{') {
    return [];
  }
  const end = endOfBracket(code, brace + 1);
  const labels = labelsIn(code, brace + 1, end);
  const answers = labels.map(({ value }) => {
    const known = value === null ? null : values.valueOf(...value);
    return known?.kind === 'one' && typeof known.value === 'string' ? values.isText(subject, known.value) : null;
  });
  const chosen = answers.indexOf(true);
  const isSettled = chosen >= 0 && !answers.slice(0, chosen).includes(null);
  const spans: Span[] = [];
  let mayCome = false;
  for (const [at, { behind, value }] of labels.entries()) {
    const to = labels[at + 1]?.start ?? end;
    const answer = answers[at] ?? null;
    const isOpen = value === null ? chosen < 0 : answer !== false && !(isSettled && at !== chosen);
    mayCome ||= isOpen;
    if (!mayCome) {
      spans.push([behind, to]);
    } else if (leaves(code, [behind, to]) || leavesBlock(code, behind, to)) {
      mayCome = false;
    }
  }
  return spans;
}

/** `case 'x': { …; break; }` */
function leavesBlock(code: string, from: number, to: number): boolean {
  const start = from + blanksAt(code, from);
  return (
    code[start] === '{' &&
    endOfBracket(code, start + 1) < to &&
    leaves(code, [start + 1, endOfBracket(code, start + 1)])
  );
}

interface Label {
  readonly start: number;
  readonly behind: number;
  /** Null: the one for all others. */
  readonly value: Span | null;
}

function labelsIn(code: string, from: number, to: number): readonly Label[] {
  const labels: Label[] = [];
  let level = 0;
  for (let index = from; index < to; index += 1) {
    level += bracketStep(code.charAt(index));
    const [word] = level === 0 ? (/^(?<![\w$.])(?:case\b|default\s*:)/.exec(code.slice(index, index + 40)) ?? []) : [];
    if (word === undefined || /[\w$.]/.test(code.charAt(index - 1))) {
      continue;
    }
    const colon = word.startsWith('default') ? index + word.length - 1 : code.indexOf(':', index);
    labels.push({
      start: index,
      behind: colon + 1,
      value: word.startsWith('default') ? null : [index + word.length, colon],
    });
    index = colon;
  }
  return labels;
}
