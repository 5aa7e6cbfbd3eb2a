import { codeOf, type SourceToken, stringsOf } from './code.ts';
import { quotedText } from './decoded-literals.ts';
import type { Language } from './languages.ts';
import { unescaped } from './literal.ts';

const readable = /^(?:python|node|bun|deno|zx)$/;

/** What is done with a text right where it is written, and changes but its blanks. */
const dedenting = /(?:\b(?:textwrap|inspect)\s*\.\s*)?\b(dedent|cleandoc)\s*\(\s*$/;
const stripping = /^\s*\.\s*(strip|trim|lstrip|trimStart|rstrip|trimEnd)\(\s*\)/;

/** How far before a text what is done with it may begin. */
const reach = 40;

/**
 * The source of a program in Python or JavaScript with the texts that it makes of its literals in place of these:
 * `textwrap.dedent("""…""").strip()`. Of a text into which something is put, only what stands at its ends is cut.
 */
export function withSettledTexts({ name }: Language, source: string): string {
  if (!readable.test(name) || !/\b(?:dedent|cleandoc|l?strip|rstrip|trim(?:Start|End)?)\s*\(/.test(source)) {
    return source;
  }
  let settled = '';
  let from = 0;
  for (const token of stringsOf(source, name === 'python')) {
    const found = token.start < from ? null : settledAt(source, token);
    if (found !== null) {
      settled += source.slice(from, found.start) + found.text;
      from = found.end;
    }
  }
  return settled + source.slice(from);
}

/** What stands in place of a text with what is done with it; null where nothing is, or it is not known. */
function settledAt(source: string, token: SourceToken): { start: number; end: number; text: string } | null {
  const [, prefix = '', quote = ''] = /^([a-zA-Z]*)(.*)$/.exec(token.opener) ?? [];
  const isOpen = /f/i.test(prefix) || (quote === '`' && source.slice(token.start, token.end).includes('${'));
  const body = source.slice(token.start + token.opener.length, token.end - quote.length);
  if (/b/i.test(prefix) || token.end - token.start < token.opener.length + quote.length) {
    return null;
  }
  const call = dedenting.exec(source.slice(Math.max(0, token.start - reach), token.start));
  const close = call === null ? null : /^\s*,?\s*\)/.exec(source.slice(token.end));
  if (call !== null && (close === null || isOpen)) {
    return null;
  }
  let text = isOpen || /r/i.test(prefix) ? body : unescaped(body);
  text = call === null ? text : withoutIndent(text, call[1] === 'cleandoc');
  let end = token.end + (close?.[0].length ?? 0);
  let isChanged = call !== null;
  for (let cut = stripping.exec(source.slice(end)); cut !== null; cut = stripping.exec(source.slice(end))) {
    text = stripped(text, cut[1] ?? '', isOpen);
    end += cut[0].length;
    isChanged = true;
  }
  const start = token.start - (call === null ? 0 : call[0].length);
  return isChanged ? { start, end, text: isOpen ? token.opener + text + quote : quotedText(text) } : null;
}

/** @param isOpen it is what is written in the source, in which a line may go on behind a backslash */
function stripped(text: string, method: string, isOpen: boolean): string {
  const isStart = !/^(?:rstrip|trimEnd)$/.test(method);
  const left = isStart ? text.trimStart() : text;
  const start = isStart && isOpen ? left.replace(/^(?:\\\n\s*)+/, '') : left;
  const end = /^(?:lstrip|trimStart)$/.test(method) ? start : start.trimEnd();
  // What stands behind a backslash is no blank.
  return isOpen && end.endsWith('\\') ? start : end;
}

/** Python's textwrap.dedent, and inspect.cleandoc, which leaves the first line and empty ones at the ends out. */
function withoutIndent(text: string, isDocumentation: boolean): string {
  const [first = '', ...others] = text.split('\n');
  const lines = (isDocumentation ? others : [first, ...others]).map((line) => (line.trim() === '' ? '' : line));
  const indents = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const indent = indents.reduce((common, one) => commonStart(common, one), indents[0] ?? '');
  const cut = lines.map((line) => line.slice(line === '' ? 0 : indent.length));
  if (isDocumentation) {
    const all = [first.trim() === '' ? '' : first.trimStart(), ...cut];
    const isSaid = (line: string) => line !== '';
    return all.slice(Math.max(0, all.findIndex(isSaid)), all.findLastIndex(isSaid) + 1).join('\n');
  }
  return cut.join('\n');
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return one.slice(0, length);
}

const literal = String.raw`(?:[rR]?"(?:[^"\\\n]|\\.)*"|[rR]?'(?:[^'\\\n]|\\.)*'|-?\d+)`;
const template = String.raw`\x60(?:[^\x60\\]|\\[\s\S])*\x60`;
const listed = (item: string) => String.raw`${item}(?:\s*,\s*${item})*`;
const scriptValue = `(?:${literal}|${template})`;

/** `kind, text = "fix", "more"`, `[a, b] = […]` */
const rows = new RegExp(
  String.raw`(?<=^|[\n;{}])(?<before>[ \t]*)(?<by>(?:(?:const|let|var)[ \t]+)?)(?:(?<open>[[(])[ \t]*)?(?<names>[A-Za-z_$][\w$]*(?:[ \t]*,[ \t]*[A-Za-z_$][\w$]*)+)(?:[ \t]*[\])])?[ \t]*=[ \t]*(?:(?<list>[[(])[ \t]*)?(?<values>${listed(literal)})(?:[ \t]*[\])])?(?=[ \t]*(?:[;\n]|$))`,
  'g',
);
/** `const type = 'fix', text = 'more'` */
const declarations = new RegExp(
  String.raw`(?<=^|[\n;{}])(?<before>[ \t]*)(?<by>const|let|var)[ \t]+(?<pairs>[A-Za-z_$][\w$]*[ \t]*=[ \t]*${scriptValue}(?:\s*,\s*[A-Za-z_$][\w$]*[ \t]*=[ \t]*${scriptValue})+)(?=[ \t]*(?:[;\n]|$))`,
  'g',
);

/** The source of a program in which each variable that is given a literal has a statement of its own. */
export function withSingleAssignments({ name }: Language, source: string): string {
  if (!readable.test(name)) {
    return source;
  }
  const isPython = name === 'python';
  const parted = inCode(source, rows, isPython, (groups) =>
    // In JavaScript a comma puts statements behind each other.
    isPython || (groups.open === '[' && groups.list === '[') ? partedRow(groups) : null,
  );
  return isPython ? parted : inCode(parted, declarations, isPython, partedDeclaration);
}

type Groups = Readonly<Partial<Record<string, string>>>;

/** Replaces what matches, but for what stands in a text or a comment. @param make null: it stays as it is */
function inCode(source: string, pattern: RegExp, isPython: boolean, make: (groups: Groups) => string | null): string {
  let code: string | null = null;
  return source.replace(pattern, (whole: string, ...found: unknown[]) => {
    const groups = found.at(-1) as Groups;
    const offset = found.at(-3) as number;
    const { before = '', by = '', open = '', names, pairs } = groups;
    const start = offset + before.length;
    const plain = /^[\w$\s,[(]*/.exec(by + open + (names ?? pairs ?? ''))?.[0] ?? '';
    code ??= codeOf(source, isPython);
    const isCode = code.slice(start, start + plain.length) === source.slice(start, start + plain.length);
    return isCode ? (make(groups) ?? whole) : whole;
  });
}

function partedRow({ before = '', by = '', names = '', values = '' }: Groups): string | null {
  const variables = names.split(',').map((name) => name.trim());
  const given = Array.from(values.matchAll(new RegExp(literal, 'g')), ([value]) => value);
  return variables.length === given.length && new Set(variables).size === variables.length
    ? before + variables.map((name, at) => `${by.trim()} ${name} = ${given[at]}`.trim()).join('; ')
    : null;
}

function partedDeclaration({ before = '', by = '', pairs = '' }: Groups): string {
  const all = pairs.matchAll(new RegExp(String.raw`([A-Za-z_$][\w$]*)[ \t]*=[ \t]*(${scriptValue})`, 'g'));
  return before + Array.from(all, ([, name, value]) => `${by} ${name} = ${value}`).join('; ');
}
