import { bracketStep } from './brackets.ts';
import { codeOf } from './code.ts';

/** More variables than this are not looked for. */
const maximumNames = 30;

const literal = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
const value = String.raw`(?:${literal}|\[[^[\]\n]*\]|None|null|undefined)`;
const condition = String.raw`!?[A-Za-z_$][\w$.]*(?:\s*[=!]==?\s*(?:[\w$.]+|${literal}))?`;

/** `A if CONDITION else B`; of a sum the whole is chosen or not. */
const inPython = new RegExp(
  String.raw`(?<!\+\s*)(?<first>${value})\s+if\s+(?<condition>[^\n:{}]{1,100}?)\s+else\s+(?<second>${value})`,
  'g',
);
/** `CONDITION ? A : B` */
const inScripts = new RegExp(
  String.raw`(?<![\w$.!])(?<condition>${condition})\s*\?\s*(?<first>${value})\s*:\s*(?<second>${value})`,
  'g',
);
/** `CONDITION && A`, `VALUE || A`: what it is otherwise stays as it is written. */
const alone = new RegExp(
  String.raw`(?<![\w$.!])(?<condition>${condition})\s*(?:&&|\|\||\?\?|\bor\b)\s*(?<first>${literal})(?=\s*[,\])};\n])`,
  'g',
);

/**
 * The two sources of a program with one of both values in the place of each conditional expression: the first, and the
 * second. One where there is none, or where all of the conditions are known. Positions stay as they are.
 */
export function choicesIn(source: string): readonly string[] {
  const truthOf = truthsIn(source);
  // What `A && B` is without B counts where it is taken away.
  const isFiltered = /\bfilter\(\s*Boolean\s*\)/.test(source);
  const ways = [true, false].map((takesFirst) =>
    [inPython, inScripts, alone].reduce(
      (text, pattern) =>
        text.replace(pattern, (whole, ...rest) => {
          const choice: Choice = rest.at(-1);
          const second = choice.second ?? (isFiltered && /&&/.test(whole) ? 'false' : whole);
          return ((truthOf(choice.condition) ?? takesFirst) ? choice.first : second).padEnd(whole.length);
        }),
      source,
    ),
  );
  return [...new Set(ways)];
}

interface Choice {
  readonly first: string;
  readonly second?: string;
  readonly condition: string;
}

/** What conditions say that are a variable which is given one value; null where that can't be told. */
function truthsIn(source: string): (condition: string) => boolean | null {
  const known = new Map<string, boolean | null>();
  return (condition) => {
    const [, negation, name] = /^(!|not\s+)?([A-Za-z_$][\w$]*|[01])$/.exec(condition.trim()) ?? [];
    const literal = { true: true, True: true, 1: true, false: false, False: false, 0: false }[name ?? ''];
    if (literal !== undefined) {
      return literal === (negation === undefined);
    }
    if (name === undefined || (known.size >= maximumNames && !known.has(name))) {
      return null;
    }
    const truth = known.has(name) ? (known.get(name) ?? null) : truthOfName(name, source);
    known.set(name, truth);
    return truth === null ? null : truth === (negation === undefined);
  };
}

function truthOfName(name: string, source: string): boolean | null {
  const definition = String.raw`(?<![\w$.])${name.replaceAll('$', '\\$')}\s*=(?!=)\s*([\w.]*)`;
  const [only, ...others] = source.matchAll(new RegExp(definition, 'g'));
  const truth = { true: true, false: false }[only?.[1]?.toLowerCase() ?? ''];
  return others.length > 0 ? null : (truth ?? null);
}

/**
 * The values between which a conditional expression chooses: `A if CONDITION else B`, `CONDITION ? A : B`, `A || B`.
 *
 * @returns none where it is no such expression
 */
export function alternativesIn(written: string, isPython: boolean): readonly string[] {
  const code = outermost(written, isPython);
  if (isPython) {
    const from = code.search(/\sif\s/);
    const to = code.search(/\selse\s/);
    return from < 0 || to < from
      ? halves(written, code, /\s(?:or|and)\s/)
      : [written.slice(0, from), written.slice(to + ' else '.length)];
  }
  const from = code.search(/(?<!\?)\?(?![?.])/);
  const to = code.indexOf(':', from);
  return from < 0 || to < from
    ? halves(written, code, /\|\||&&|\?\?/)
    : [written.slice(from + 1, to), written.slice(to + 1)];
}

/** Is a choice between values the outermost thing in an expression: `'git ' + verb if ready else 'ls'`? */
export function isChoice(written: string): boolean {
  return /\sif\s[\s\S]*\selse\s|\s(?:or|and)\s|\|\||&&|(?<!\?)\?(?!\.)/.test(outermost(written, false));
}

function halves(written: string, code: string, operator: RegExp): readonly string[] {
  const found = operator.exec(code);
  return found === null ? [] : [written.slice(0, found.index), written.slice(found.index + found[0].length)];
}

/** An expression with all blanked that stands between brackets or quotes. */
function outermost(written: string, isPython: boolean): string {
  let level = 0;
  return codeOf(written, isPython).replace(/[\s\S]/g, (character) => {
    const step = bracketStep(character);
    level += step;
    return level === 0 && step === 0 ? character : '_';
  });
}
