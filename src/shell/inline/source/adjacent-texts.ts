import { bracketStep } from './brackets.ts';
import { codeOf, type SourceToken, stringsOf } from './code.ts';

/** A quote, and another one with nothing between them but blanks and comments. */
const mayBeBeside = /["'](?:[ \t]*(?:#[^\n]*|\\)?\n)*[ \t]*[rRbBuUfF]{0,2}["']/;

/**
 * A Python program with texts that stand beside each other made one: `"git push " "origin"`, also on lines of their own
 * between brackets (The Python Language Reference, "String literal concatenation"). Texts of different kinds become a
 * sum between brackets.
 */
export function withAdjacentTexts(source: string): string {
  const strings = mayBeBeside.test(source) ? stringsOf(source, true) : [];
  const code = strings.length < 2 ? '' : codeOf(source, true);
  let joined = '';
  let index = 0;
  let level = 0;
  let counted = 0;
  for (let at = 0; at < strings.length; at += 1) {
    const group = [strings[at] ?? nothing];
    for (; counted < (group[0]?.start ?? 0); counted += 1) {
      level += bracketStep(code.charAt(counted));
    }
    for (
      let next = strings[at + 1];
      next !== undefined && areBeside(group, next, code, level);
      next = strings[at + 1]
    ) {
      group.push(next);
      at += 1;
    }
    if (group.length > 1) {
      joined += source.slice(index, group[0]?.start) + oneOf(group, source);
      index = group.at(-1)?.end ?? index;
    }
  }
  return joined + source.slice(index);
}

const nothing: SourceToken = { start: 0, end: 0, opener: '' };

/** @param level in how many brackets they stand: outside of any, a line ends a statement */
function areBeside(group: readonly SourceToken[], next: SourceToken, code: string, level: number): boolean {
  const last = group.at(-1) ?? nothing;
  const between = code.slice(last.end, next.start).replaceAll('\\\n', '');
  return between.trim() === '' && (level > 0 || !between.includes('\n'));
}

function oneOf(group: readonly SourceToken[], source: string): string {
  const texts = group.map(({ start, end }) => source.slice(start, end));
  const [opener = '', ...others] = group.map((one) => one.opener);
  const quote = opener.replace(/^\w*/, '');
  const bodies = group.map(({ start, end, opener: own }) =>
    source.slice(start + own.length, end - own.replace(/^\w*/, '').length),
  );
  const isPlain = [opener, ...others].every((one) => /^["']$/.test(one));
  const fits = others.every((one) => one === opener) || (isPlain && bodies.every((body) => !/["'\\]/.test(body)));
  return fits ? opener + bodies.join('') + quote : `(${texts.join(' + ')})`;
}
