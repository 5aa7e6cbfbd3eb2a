import type { OpenText, SourceArgument } from './argument.ts';
import { unescaped } from './literal.ts';

/** Reads an expression within another one. */
export type ReadExpression = (written: string) => SourceArgument;

/** A text of one line. */
const text = String.raw`[rRbBuU]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const percent = new RegExp(String.raw`^(${text})\s*%\s*([\s\S]+)$`);
const method = new RegExp(String.raw`^(${text})\s*\.\s*format\s*\(([\s\S]*)\)$`);
const conversion = /%[-+ #0]*\d*(?:\.\d+)?[sdirux]/;
const field = /\{(\w*)(?:![rsa])?(?::[^{}]*)?\}/;

/** Python's `'git log -%d' % count`, `'git push origin {}'.format(branch)`; null for everything else. */
export function formattedText(written: string, read: ReadExpression): SourceArgument | null {
  const [, template, values] = percent.exec(written) ?? [];
  if (template !== undefined && values !== undefined) {
    const given = read(values);
    const items = given.kind === 'list' ? given.items : [given];
    const parts = bodyOf(template).split(conversion);
    return parts.length === items.length + 1 && !/%(?!%)/.test(parts.join(''))
      ? inserted(
          parts.map((part) => part.replaceAll('%%', '%')),
          items,
        )
      : null;
  }
  const [, pattern, list] = method.exec(written) ?? [];
  const given = list === undefined ? null : read(`[${list}]`);
  if (pattern === undefined || given?.kind !== 'list') {
    return null;
  }
  const parts = bodyOf(pattern).split(field);
  const names = parts.filter((_, at) => at % 2 === 1);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const items = names.map((name, at) => fieldOf(name, at, given.items, read));
  return /[{}]/.test(texts.join('')) ? null : inserted(texts, items);
}

function fieldOf(name: string, at: number, given: readonly SourceArgument[], read: ReadExpression): SourceArgument {
  const unknown: SourceArgument = { kind: 'other', written: name === '' ? 'a value' : name };
  if (/^\d*$/.test(name)) {
    return given[name === '' ? at : Number(name)] ?? unknown;
  }
  const values = given.flatMap((one) => {
    const value = one.kind === 'other' ? /^(\w+)\s*=(?!=)\s*([\s\S]*)$/.exec(one.written) : null;
    return value?.[1] === name ? [read(value[2] ?? '')] : [];
  });
  return values[0] ?? unknown;
}

/** What stands between the quotes. */
function bodyOf(literal: string): string {
  const body = literal.replace(/^\w?["']|["']$/g, '');
  return /^[rR]/.test(literal) ? body : unescaped(body);
}

function inserted(parts: readonly string[], items: readonly SourceArgument[]): SourceArgument {
  return {
    kind: 'text',
    text: parts.flatMap((part, at) => {
      const item = at === 0 ? undefined : items[at - 1];
      return item === undefined ? [part] : [...textOfArgument(item), part];
    }),
  };
}

/** What an argument is as a part of a text. */
export function textOfArgument(argument: SourceArgument): OpenText {
  switch (argument.kind) {
    case 'text':
      return argument.text;
    case 'name':
      return [{ expression: argument.name }];
    case 'other':
      return /^-?\d+$/.test(argument.written) ? [argument.written] : [{ expression: argument.written }];
    case 'list':
      return [{ expression: '…' }];
  }
}
