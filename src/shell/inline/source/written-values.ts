import type { OpenText } from './argument.ts';
import { writtenAt } from './arguments.ts';
import { bracketStep, endOfBracket } from './brackets.ts';
import type { Language } from './languages.ts';
import { unescaped } from './literal.ts';
import { endOfText } from './texts.ts';
import { itemsOf, textValue, type Value } from './value.ts';
import { writingOf } from './value-forms.ts';
import { blankedCode } from './written-code.ts';

/** What a name stands for; null where that is not known. */
export type Held = (name: string) => Value | null;

/** Begins an expression of which nothing is replaced any more. */
const sealed = '…';
/** The same for as long as a function is left: it belongs to what calls the function. */
const callers = '‥';
const isShut = (written: string): boolean => written.startsWith(sealed) || written.startsWith(callers);

/** A text with the expressions that the language puts into it. */
export function textWith(text: string, language: Language): OpenText {
  const writing = writingOf(language);
  return writing === null
    ? [text]
    : text
        .split(writing.inserted)
        .map((part, at) => (at % 2 === 1 ? { expression: part.trim() } : unescaped(part)))
        .filter((part) => part !== '');
}

/** A value as it is written; several where the language takes a list in a list apart. */
export function readValues(written: string, language: Language): readonly Value[] {
  const text = written.trim();
  const value = readValue(text, language);
  const isFlat = writingOf(language)?.flattens === true && !text.startsWith('[');
  return value.kind === 'list' && isFlat ? value.items : [value];
}

/** An expression: a text, a list, a table, or something else. */
export function readValue(written: string, language: Language): Value {
  const text = written.trim();
  const summands = summandsOf(text, language);
  if (summands.length > 1) {
    return sumOf(
      summands.map((summand) => readValue(summand, language)),
      text,
    );
  }
  return readText(text, language) ?? readList(text, language) ?? { kind: 'open', written: text };
}

/** `'text'`, `"text #{x}"`, `q(text)`, `%q(text)`, `12`; null for anything else. */
function readText(text: string, language: Language): Value | null {
  if (/^-?\d+$/.test(text)) {
    return textValue(text);
  }
  const perl = language.name === 'perl' ? /^(qq?)\s*([^\w\s,;=])/ : /^%([qQ]?)([{([<|!])/;
  const [opener = '', name = ''] = (language.name === 'php' ? null : perl.exec(text)) ?? [];
  const quote = opener === '' ? /^["']/.exec(text)?.[0] : opener;
  if (quote === undefined || endOfText(text, quote.length, language.name) !== text.length - 1) {
    return null;
  }
  const body = text.slice(quote.length, -1);
  const isRaw = quote === "'" || name === 'q';
  return isRaw ? textValue(body.replace(/\\(['\\])/g, '$1')) : { kind: 'text', text: textWith(body, language) };
}

/** `[…]`, `(…)`, `%w[…]`, `qw(…)`, `{ key => value }`; null for anything else. */
function readList(text: string, language: Language): Value | null {
  const [words] = /^(?:%[wWi]|qw\s*)(?=[^\w\s])/.exec(text) ?? [];
  if (words !== undefined) {
    const isWhole = endOfText(text, words.length + 1, '') === text.length - 1;
    const items = text.slice(words.length + 1, -1).split(/\s+/);
    return isWhole ? { kind: 'list', items: items.filter((item) => item !== '').map(textValue) } : null;
  }
  const [opener] = /^(?:array\s*\(|[[({])/.exec(text) ?? [];
  const code = opener === undefined ? '' : blankedCode(language, text);
  const items = opener === undefined ? null : writtenAt(text, code, opener.length);
  if (opener === undefined || items === null || endOfBracket(code, opener.length) !== text.length - 1) {
    return null;
  }
  const rows = items.map((item) => rowOf(item, language));
  const pairs = rows.filter((row) => row !== null);
  if (pairs.length === rows.length && pairs.length > 0 && (opener !== '[' || language.name === 'php')) {
    return { kind: 'table', rows: pairs };
  }
  const [only = '', ...others] = items;
  if (opener === '(' && others.length === 0 && language.name !== 'perl') {
    return readValue(only, language);
  }
  return opener === '{' || pairs.length > 0
    ? null
    : { kind: 'list', items: items.flatMap((item) => readValues(item, language)) };
}

/** `key => value`, `key: value`; null for anything else. */
function rowOf(written: string, language: Language): readonly [Value, Value] | null {
  const [whole = '', name, mark] = /^\s*:?(?:["']?([\w-]+)["']?)\s*(=>|:(?!:))\s*/.exec(written) ?? [];
  const isRow = name !== undefined && (mark === '=>' || language.name === 'ruby');
  return isRow ? [textValue(name), readValue(written.slice(whole.length), language)] : null;
}

/** What stands between the signs that put texts together, outside of brackets and texts. */
function summandsOf(text: string, language: Language): readonly string[] {
  const sign = writingOf(language)?.joins ?? '';
  const code = text.includes(sign) && /["'[%]|\bq[qw]?\b/.test(text) ? blankedCode(language, text) : '';
  const summands: string[] = [];
  let level = 0;
  let start = 0;
  for (let index = 0; index < code.length; index += 1) {
    level += bracketStep(code.charAt(index));
    const isSign = level === 0 && code[index] === sign && code[index + 1] !== sign && code[index - 1] !== sign;
    if (isSign) {
      summands.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...summands, text.slice(start)];
}

/** Lists make a list, texts and what is not known a text. */
function sumOf(summands: readonly Value[], written: string): Value {
  if (summands.some(({ kind }) => kind === 'list')) {
    const items = summands.map((summand) => itemsOf([summand]) ?? spreadOf(summand));
    return items.includes(null)
      ? { kind: 'open', written }
      : { kind: 'list', items: items.flatMap((some) => some ?? []) };
  }
  return summands.some(({ kind }) => kind === 'text')
    ? { kind: 'text', text: summands.flatMap((summand) => partsOf(summand) ?? [{ expression: written }]) }
    : { kind: 'open', written };
}

/** Ruby's `["git"] + args`: as many as it has. */
const spreadOf = (value: Value): readonly Value[] | null =>
  value.kind === 'open' ? [{ kind: 'open', written: `*${value.written}` }] : null;

const partsOf = (value: Value): OpenText | null =>
  value.kind === 'text' ? value.text : value.kind === 'open' ? [{ expression: value.written }] : null;

/** The value with all names replaced whose values are known. */
export function withValues(value: Value, held: Held, language: Language): readonly Value[] {
  switch (value.kind) {
    case 'text':
      return [{ kind: 'text', text: value.text.flatMap((part) => partWith(part, held, language)) }];
    case 'list':
      return [{ kind: 'list', items: value.items.flatMap((item) => withValues(item, held, language)) }];
    case 'table':
      return [
        {
          kind: 'table',
          rows: value.rows.map(([key, one]) => {
            const [only, ...others] = withValues(one, held, language);
            return [key, only === undefined || others.length > 0 ? one : only] as const;
          }),
        },
      ];
    case 'open':
      return evaluated(value.written, held, language) ?? [value];
  }
}

function partWith(part: OpenText[number], held: Held, language: Language): OpenText {
  const values = typeof part === 'string' ? null : evaluated(part.expression, held, language);
  const [only, ...others] = values ?? [];
  if (values === null || only === undefined) {
    return values === null ? [part] : [];
  }
  const flattens = writingOf(language)?.flattens === true;
  const texts = others.length > 0 && !flattens ? [null] : values.map(partsOf);
  return texts.includes(null)
    ? [part]
    : texts.flatMap((text, at) => (at === 0 ? (text ?? []) : [' ', ...(text ?? [])]));
}

/** What an expression comes to with the values of its names; null where that is not known. */
function evaluated(written: string, held: Held, language: Language): readonly Value[] | null {
  const writing = writingOf(language);
  if (writing === null || isShut(written)) {
    return null;
  }
  if (writing.name.test(written)) {
    const value = held(written);
    return value === null
      ? null
      : /^[@%]/.test(written) && writing.flattens && value.kind === 'list'
        ? value.items
        : [value];
  }
  const value = (inner: string): readonly Value[] => {
    // Of a list of Perl all items are meant here.
    const whole = writing.flattens && /^[@%]\w+$/.test(inner) ? held(inner) : null;
    return whole === null ? withValues(readValue(inner, language), held, language) : [whole];
  };
  for (const [form, make] of writing.forms) {
    const groups = form.exec(written)?.groups;
    const made = groups === undefined ? null : make(groups, value);
    if (made !== null && !made.some((one) => one.kind === 'open' && one.written === written)) {
      return made;
    }
  }
  return null;
}

/** The names whose values a value depends on. Elements belong to their list or table. */
export function namesOf(value: Value, language: Language): readonly string[] {
  switch (value.kind) {
    case 'text':
      return value.text.flatMap((part) => (typeof part === 'string' ? [] : namesIn(part.expression, language)));
    case 'list':
      return value.items.flatMap((item) => namesOf(item, language));
    case 'table':
      return value.rows.flatMap(([, one]) => namesOf(one, language));
    case 'open':
      return namesIn(value.written, language);
  }
}

function namesIn(written: string, language: Language): readonly string[] {
  const names = isShut(written) ? [] : (written.match(writingOf(language)?.names ?? /(?!)/g) ?? []);
  return language.name === 'perl' ? names.map(containerOf) : names;
}

/** `$_[0]` belongs to `@_`, `$h{x}` to `%h`, `$r->[0]` to `$r`. */
function containerOf(name: string): string {
  const [, sign = '', bare = '', behind = ''] = /^([$@%])\{?\s*(\$?\w+)\s*\}?\s*(.*)$/.exec(name) ?? [];
  if (bare.startsWith('$')) {
    return bare;
  }
  return sign === '$' && behind === '[' ? `@${bare}` : sign === '$' && behind === '{' ? `%${bare}` : sign + bare;
}

/**
 * The value outside of a function, with what the function is given: what is not known of it stays so, as a name elsewhere
 * has nothing to do with one of the same name in the function.
 */
export function outside(value: Value, held: Held, language: Language): readonly Value[] {
  const given: Held = (name) => {
    const one = held(name);
    return one === null ? null : rewritten(one, (written) => (isShut(written) ? written : callers + written));
  };
  return withValues(value, given, language).map((one) =>
    rewritten(one, (written) =>
      written.startsWith(callers) ? written.slice(1) : written.startsWith(sealed) ? written : sealed + written,
    ),
  );
}

/** The value with its expressions written in another way. */
function rewritten(value: Value, change: (written: string) => string): Value {
  switch (value.kind) {
    case 'text':
      return {
        kind: 'text',
        text: value.text.map((part) => (typeof part === 'string' ? part : { expression: change(part.expression) })),
      };
    case 'list':
      return { kind: 'list', items: value.items.map((item) => rewritten(item, change)) };
    case 'table':
      return { kind: 'table', rows: value.rows.map(([key, one]) => [key, rewritten(one, change)] as const) };
    case 'open':
      return { kind: 'open', written: change(value.written) };
  }
}

/** As it is shown and handed on. */
export const unsealed = (written: string): string => written.replace(sealed, '');
