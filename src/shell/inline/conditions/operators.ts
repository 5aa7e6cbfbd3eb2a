import { bracketStep } from '../source/brackets.ts';

/** What puts two expressions together. */
export type Operator = 'or' | 'and' | 'nullish' | 'equal' | 'unequal' | 'in' | 'not in' | '<' | '>' | '<=' | '>=';

interface Found {
  readonly operator: Operator;
  readonly from: number;
  readonly to: number;
}

/** Those that bind the least come first. */
const precedence: Readonly<Record<'python' | 'script', readonly (readonly [RegExp, Operator])[]>> = {
  python: [
    [/(?<!\w)or(?!\w)/g, 'or'],
    [/(?<!\w)and(?!\w)/g, 'and'],
    [/(?<!\w)not\s+in(?!\w)/g, 'not in'],
    [/(?<!\w)in(?!\w)/g, 'in'],
    [/==|(?<!\w)is(?!\s+not\b|\w)/g, 'equal'],
    [/!=|(?<!\w)is\s+not(?!\w)/g, 'unequal'],
    [/<=/g, '<='],
    [/>=/g, '>='],
    [/(?<![<>])<(?![<=])/g, '<'],
    [/(?<![<>])>(?![>=])/g, '>'],
  ],
  script: [
    [/\|\|(?!=)/g, 'or'],
    [/&&(?!=)/g, 'and'],
    [/\?\?(?!=)/g, 'nullish'],
    [/(?<![!=<>])===?/g, 'equal'],
    [/!==?/g, 'unequal'],
    [/<=/g, '<='],
    [/>=/g, '>='],
    [/(?<!<)<(?![<=])/g, '<'],
    [/(?<![>=])>(?![>=])/g, '>'],
  ],
};

/** Does it ask whether its sides hold? */
export const isLogical = (operator: Operator): boolean => /^(?:or|and|nullish)$/.test(operator);

/** Compares two numbers; null where the operator is another one. */
export function ordered(operator: Operator, left: number, right: number): boolean | null {
  switch (operator) {
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    default:
      return null;
  }
}

/** The code with what stands in brackets blanked. */
export function outerCode(code: string): string {
  let level = 0;
  return Array.from(code, (character) => {
    const step = bracketStep(character);
    level += step === -1 ? -1 : 0;
    const shown = level === 0 ? character : ' ';
    level += step === 1 ? 1 : 0;
    return shown;
  }).join('');
}

/** The operator by which an expression is taken apart first; null where it has none, or several that compare. */
export function operatorIn(outer: string, isPython: boolean): Found | null {
  if (!/[|&=!<>?]|\b(?:or|and|in|is)\b/.test(outer)) {
    return null;
  }
  const all = precedence[isPython ? 'python' : 'script'].map(([pattern, operator]) => places(outer, pattern, operator));
  const logical = all.find(([first]) => first !== undefined && isLogical(first.operator));
  if (logical !== undefined) {
    return logical[0] ?? null;
  }
  const [only, ...others] = all.flat();
  const isIn = only?.operator === 'in' && others.length === 0;
  const [notIn] = all.flat().filter(({ operator }) => operator === 'not in');
  return notIn !== undefined && all.flat().length === 2 ? notIn : others.length === 0 || isIn ? (only ?? null) : null;
}

function places(outer: string, pattern: RegExp, operator: Operator): readonly Found[] {
  return Array.from(outer.matchAll(pattern), ({ index, 0: found }) => ({
    operator,
    from: index,
    to: index + found.length,
  }));
}
