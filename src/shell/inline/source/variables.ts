import type { SourceArgument } from './argument.ts';
import { argumentsAt, readArgument } from './arguments.ts';
import { bracketStep, endOfValue } from './brackets.ts';
import type { SourceCode } from './code.ts';
import { wholeText } from './command.ts';
import { endOfBody } from './functions.ts';

/** A text up to the end of its statement, taken apart or not. */
const literalLine =
  /^[ \t]*(?:[rRbBfF]{0,2}"{3}[\s\S]*?"{3}|[rRbBfF]{0,2}'{3}[\s\S]*?'{3}|`(?:[^`\\]|\\[\s\S])*`|(["'])(?:(?!\1)[^\\\n]|\\.)*\1|[fr]?"[^"\n]*"|[fr]?'[^'\n]*')(?:\.(?:strip|trim)\(\))?(?:\.(?:split|splitlines)\([^()\n]*\))?(?=[ \t]*(?:;|\n|$|#|\/\/))/;

/** A list that is made longer more often than this is not followed. */
const maximumChanges = 100;

/** A change of a list that leaves what is in it in its order. */
const lengthens = /(?:\+=|\.\s*(?:append|extend|push|unshift|insert))$/;

/** Where a variable is given a value or changed. */
export function changesOf(given: string, code: string): readonly RegExpExecArray[] {
  const name = given.replaceAll('$', '\\$');
  const change =
    '=(?!=|>)|\\+=|\\[[^\\n=]*\\]\\s*[-+*/|&]?=(?!=)|\\.\\s*(?:append|extend|insert|push|unshift|splice)\\b';
  return [...code.matchAll(new RegExp(`(?<![\\w$.])${name}\\s*(?:${change})`, 'g'))];
}

/** What a variable holds that is given a literal once, and is never changed but by making a list longer; else null. */
export function heldBy(given: string, read: SourceCode): SourceArgument | null {
  if (!/^[\w$]+$/.test(given)) {
    return null;
  }
  const [first, ...others] = changesOf(given, read.code);
  if (
    first === undefined ||
    others.length > maximumChanges ||
    !/^[\w$]+\s*=$/.test(first[0]) ||
    !others.every(([change]) => lengthens.test(change))
  ) {
    return null;
  }
  const value = valueAt(read, first.index + first[0].length);
  if (others.length === 0 || value?.kind !== 'list') {
    return others.length === 0 ? value : null;
  }
  return lengthened(given, value.items, others, (other) =>
    isBeside(read.code, first.index, other.index) ? additionAt(read, other) : null,
  );
}

/** @param addition what a change adds; null where that is not known */
function lengthened(
  name: string,
  items: readonly SourceArgument[],
  changes: readonly RegExpExecArray[],
  addition: (change: RegExpExecArray) => readonly SourceArgument[] | null,
): SourceArgument | null {
  const open: SourceArgument = { kind: 'name', name: `${name}…`, isSpread: true };
  let made = items;
  for (const change of changes) {
    const added = addition(change);
    const isBefore = /(?:unshift|insert)$/.test(change[0]);
    if (isBefore && added === null) {
      return null;
    }
    made = isBefore ? [...(added ?? []), ...made] : [...made, ...(added ?? [open])];
  }
  return { kind: 'list', items: made };
}

function valueAt({ source, code, interpolation }: SourceCode, from: number): SourceArgument | null {
  const list = /^[ \t]*[[(]/.exec(source.slice(from));
  if (list !== null) {
    const end = endOfValue(code, from + list[0].length - 1);
    const methods = /^(?:\s*\.\s*(?:filter|concat|join|slice)\([^()]*\))*/.exec(source.slice(end))?.[0].length ?? 0;
    const isWhole = /^[ \t]*(?:;|\n(?!\s*\.)|$|#|\/\/)/.test(source.slice(end + methods));
    const value = isWhole ? readArgument(source.slice(from, end + methods), interpolation) : null;
    return value?.kind === 'other' ? null : value;
  }
  const line = literalLine.exec(source.slice(from));
  return line === null ? sumAt({ source, code, interpolation }, from) : readArgument(line[0], interpolation);
}

/** `'v' + version`, `'bot/%s' % name`: a text of which a part is not known; null where it is one of several. */
function sumAt({ source, code, interpolation }: SourceCode, from: number): SourceArgument | null {
  const end = endOfBody(code, from);
  const isOne = !/\?|\|\||&&|\b(?:if|else|or|and)\b/.test(code.slice(from, end));
  const written = isOne ? source.slice(from, end).replace(/[;\s]+$/, '') : '';
  const value = /["'`]/.test(written) ? readArgument(written, interpolation) : null;
  return value?.kind === 'text' ? value : null;
}

/** What a list is made longer by; null where that is not written there. */
function additionAt(read: SourceCode, { 0: change, index }: RegExpExecArray): readonly SourceArgument[] | null {
  const from = index + change.length;
  if (change.endsWith('+=')) {
    const value = valueAt(read, from);
    return value?.kind === 'list' ? value.items : null;
  }
  const open = /^\s*\(/.exec(read.code.slice(from));
  const given = open === null ? null : argumentsAt(read.source, read.code, from + open[0].length, read.interpolation);
  const [only, ...others] = given ?? [];
  if (change.endsWith('insert')) {
    return wholeText(only) === '0' ? others : null;
  }
  return change.endsWith('extend') ? (only?.kind === 'list' ? only.items : null) : given;
}

/** Statements of which those that follow on the same line are not a part. */
const earlierStatements =
  /^([ \t]*)(?![ \t}]|(?:if|for|while|with|else|elif|try|except|def|class|case|default|do)\b)\S[^\n]*;[ \t]*$/;

/** What stands before a statement in its line; only blanks where that is whole statements. */
function indentOf(code: string, position: number): string {
  const before = code.slice(code.lastIndexOf('\n', position - 1) + 1, position);
  return before.replace(/\b(?:const|let|var)\s+$/, '').replace(earlierStatements, '$1');
}

/** Does a statement follow another in the same block, so that it comes as surely? */
function isBeside(code: string, first: number, second: number): boolean {
  const own = indentOf(code, first);
  let level = 0;
  for (let index = first; index < second && level >= 0; index += 1) {
    level += bracketStep(code.charAt(index));
  }
  return (
    level === 0 && /^\s*$/.test(own) && indentOf(code, second) === own && !hasOuterLine(code.slice(first, second), own)
  );
}

/** A line that stands further out ends the block. */
function hasOuterLine(between: string, indent: string): boolean {
  return indent !== '' && new RegExp(`\\n[ \\t]{0,${indent.length - 1}}(?=[^\\s)\\]}])`).test(between);
}
