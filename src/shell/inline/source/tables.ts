import type { SourceArgument } from './argument.ts';
import { argumentsAt, readArgument } from './arguments.ts';
import { endOfValue } from './brackets.ts';
import { codeOf, type SourceCode } from './code.ts';
import { wholeText } from './command.ts';
import { textOfArgument } from './templates.ts';

type Table = readonly (readonly [key: string, value: SourceArgument])[];

const entry = /^(?:(["'])([^"'\\\n]*)\1|([\w$]+))\s*:\s*([\s\S]*)$/;

/** A table of many entries may be asked for each of them: what is read once is kept. */
const read = new WeakMap<SourceArgument, { readonly table: Table | null }>();

function tableIn(argument: SourceArgument | null): Table | null {
  if (argument?.kind !== 'other') {
    return null;
  }
  const known = read.get(argument) ?? { table: tableWritten(argument.written.trim()) };
  read.set(argument, known);
  return known.table;
}

/**
 * `{ log: 'git log -1', … }`, by its keys; null where something else is in it, a key is given twice, or it is no table.
 */
function tableWritten(written: string): Table | null {
  if (!/^\{[\s\S]*\}$/.test(written)) {
    return null;
  }
  const entries = argumentsAt(written, codeOf(written, false), 1, /\$\{/) ?? [];
  const pairs = entries.map((one) => {
    const [, , quoted, plain, value] = one.kind === 'other' ? (entry.exec(one.written) ?? []) : [];
    const key = quoted ?? plain;
    return key === undefined || value === undefined ? null : ([key, readArgument(value, /\$\{/)] as const);
  });
  const table = pairs.filter((one) => one !== null);
  return table.length === pairs.length && new Set(table.map(([key]) => key)).size === table.length ? table : null;
}

/** What changes a table after it was made. */
const changes = String.raw`(?:\s*(?:\.\s*[\w$]+|\[[^\]\n]*\]))+\s*(?:[-+*/|&?]*=(?![=>])|\.\s*(?:push|append)\b)|\s*\.\s*(?:update|setdefault|pop|clear|set|assign)\s*\(`;

/** The table that a variable is given once, and that nothing changes; null where it is given none. */
export function tableHeldBy(name: string, { source, code }: SourceCode): SourceArgument | null {
  const named = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const given = [...code.matchAll(new RegExp(`${named}\\s*(?::[^=;\\n]*)?=(?![=>])\\s*(?=\\{)`, 'g'))];
  const assigned = [...code.matchAll(new RegExp(`${named}\\s*(?::[^=;\\n]*)?[-+|&?]*=(?![=>])`, 'g'))];
  const [only] = given;
  const isChanged = new RegExp(`${named}(?:${changes})|\\b(?:assign\\s*\\(\\s*|del\\s+)${named}`).test(code);
  if (only === undefined || assigned.length > 1 || isChanged) {
    return null;
  }
  const from = only.index + only[0].length;
  const end = endOfValue(code, from);
  // Another table may be put together with it, or an entry taken from it.
  const isWhole = /^[ \t]*(?:$|[;,)\]}]|(?:as|satisfies)\b|\n(?!\s*[.|]))/.test(code.slice(end));
  return !isWhole ? null : { kind: 'other', written: source.slice(from, end) };
}

/** The entries of a table, its keys or values; null where it is no table. @param which of `entries`, `items`, `values` and `keys` */
export function rowsOf(value: SourceArgument, which: string): readonly SourceArgument[] | null {
  return (
    tableIn(value)?.map(([key, own]): SourceArgument => {
      const name: SourceArgument = { kind: 'text', text: [key] };
      return which === 'keys' ? name : which === 'values' ? own : { kind: 'list', items: [name, own] };
    }) ?? null
  );
}

const member = /^([A-Za-z_$][\w$]*)((?:\s*\.\s*[\w$]+|\s*\[\s*(?:["'][^"'\\\n]*["']|[\w$]+)\s*\])+)$/;
const step = /\.\s*([\w$]+)|\[\s*(?:(["'])([^"'\\\n]*)\2|([\w$]+))\s*\]/g;

/** The names that the members in an argument belong to, or by which they are chosen: `s` and `k` of `s.cmd`, `T[k]`. */
export function memberNames(argument: SourceArgument): readonly string[] {
  switch (argument.kind) {
    case 'other':
      return namesIn(argument.written.replace(/^(?:\*|\.{3})/, ''));
    case 'list':
      return argument.items.flatMap(memberNames);
    case 'text':
      return argument.text.flatMap((part) => (typeof part === 'string' ? [] : namesIn(part.expression)));
    case 'name':
      return [];
  }
}

function namesIn(written: string): readonly string[] {
  const [, root, path = ''] = member.exec(written) ?? [];
  const chosen = Array.from(path.matchAll(step), ([, , , , name]) => name);
  return root === undefined ? [] : [root, ...chosen.filter((name) => name !== undefined)];
}

/** The argument with members in their places whose values are known. @param held what a name holds; null: not known */
export function withMembers(argument: SourceArgument, held: (name: string) => SourceArgument | null): SourceArgument {
  switch (argument.kind) {
    case 'other':
      return memberValue(argument.written, held) ?? argument;
    case 'list':
      return { ...argument, items: argument.items.flatMap((item) => itemsWith(item, held)) };
    case 'text':
      return {
        kind: 'text',
        text: argument.text.flatMap((part) => {
          const value = typeof part === 'string' ? null : memberValue(part.expression, held);
          return value === null ? [part] : textOfArgument(value);
        }),
      };
    case 'name':
      return argument;
  }
}

/** `...s.args`, `*s["args"]`: as many as it has. */
function itemsWith(item: SourceArgument, held: (name: string) => SourceArgument | null): readonly SourceArgument[] {
  const written = item.kind === 'other' ? /^(?:\*|\.{3})([\s\S]+)$/.exec(item.written)?.[1] : undefined;
  const several = written === undefined ? null : memberValue(written, held);
  return several?.kind === 'list' ? several.items : [withMembers(item, held)];
}

/** Where only what chooses a member is known, this is put in: `T["log"]`. */
function memberValue(written: string, held: (name: string) => SourceArgument | null): SourceArgument | null {
  const [, root = '', path = ''] = member.exec(written) ?? [];
  if (root === '') {
    return null;
  }
  const chosen = path.replace(step, (whole, ...[, , , name]: readonly (string | undefined)[]) => {
    const key = name === undefined || /^\d/.test(name) ? null : wholeText(held(name) ?? undefined);
    return key === null ? whole : `[${JSON.stringify(key)}]`;
  });
  const keys = Array.from(chosen.matchAll(step), ([, field, , quoted, name]) => field ?? quoted ?? name ?? '');
  let value = held(root);
  for (const key of keys) {
    const own = value;
    value =
      own?.kind === 'list' && /^\d+$/.test(key)
        ? (own.items[Number(key)] ?? null)
        : (tableIn(own)?.find(([name]) => name === key)?.[1] ?? null);
  }
  return value ?? (chosen === path ? null : { kind: 'other', written: root + chosen });
}

/** A part of what a loop goes through, by its name: `{ name, cmd }`. */
export function fieldsOf(item: SourceArgument, names: readonly string[]): readonly SourceArgument[] {
  const table = tableIn(item);
  return names.map((name) => table?.find(([key]) => key === name)?.[1] ?? { kind: 'other', written: name });
}
