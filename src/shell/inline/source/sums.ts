import type { SourceArgument } from './argument.ts';

const name = String.raw`[A-Za-z_$][\w$]*`;
const namesOnly = new RegExp(String.raw`^${name}(?:\s*\+\s*${name})+$`);

/**
 * A sum of variables, as the list or the text that it makes: `GIT + args`. What one of them holds tells which.
 *
 * @param code the program, its strings and comments blanked
 */
export function withSum(argument: SourceArgument, { source, code }: Record<'source' | 'code', string>): SourceArgument {
  if (argument.kind !== 'other' || !namesOnly.test(argument.written)) {
    return argument;
  }
  const names = argument.written.split('+').map((one) => one.trim());
  const kinds = new Set(names.flatMap((one) => kindsOf(one, source, code)));
  if (kinds.size !== 1) {
    return argument;
  }
  return kinds.has('list')
    ? { kind: 'list', items: names.map((one) => ({ kind: 'name', name: one, isSpread: true })) }
    : { kind: 'text', text: names.map((expression) => ({ expression })) };
}

/** What a variable is given, as far as that is written there: lists, texts, or both. */
function kindsOf(variable: string, source: string, code: string): readonly ('list' | 'text')[] {
  const own = `(?<![\\w$.])${variable.replaceAll('$', '\\$')}(?![\\w$])`;
  const given = Array.from(
    code.matchAll(new RegExp(`${own}\\s*(?::[^=\\n]{1,60})?=(?![=>])\\s*`, 'g')),
    ({ index, 0: whole }) => source.slice(index).slice(whole.trimEnd().length).trimStart(),
  );
  const isRest = new RegExp(`[(,]\\s*\\*${own}`).test(code);
  return [
    ...given.flatMap((value) =>
      /^[[(]/.test(value) ? ['list' as const] : /^[rRbBuUfF]{0,2}["'`]/.test(value) ? ['text' as const] : [],
    ),
    ...(isRest ? ['list' as const] : []),
  ];
}
