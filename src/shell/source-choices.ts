/** More variables than this are not looked for. */
const maximumNames = 30;

const literal = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
const value = String.raw`(?:${literal}|\[[^[\]\n]*\]|None|null|undefined)`;
const condition = String.raw`!?[A-Za-z_$][\w$.]*(?:\s*[=!]==?\s*(?:[\w$.]+|${literal}))?`;

/** `A if CONDITION else B` */
const inPython = new RegExp(
  String.raw`(?<first>${value})\s+if\s+(?<condition>[^\n:{}]{1,100}?)\s+else\s+(?<second>${value})`,
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
  const ways = [true, false].map((takesFirst) =>
    [inPython, inScripts, alone].reduce(
      (text, pattern) =>
        text.replace(pattern, (whole, ...rest) => {
          const choice: Choice = rest.at(-1);
          return chosen(whole, choice, truthOf(choice.condition) ?? takesFirst);
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

function chosen(whole: string, { first, second }: Choice, holds: boolean): string {
  return (holds ? first : (second ?? whole)).padEnd(whole.length);
}

/** What conditions say that are a variable which is given one value; null where that can't be told. */
function truthsIn(source: string): (condition: string) => boolean | null {
  const known = new Map<string, boolean | null>();
  return (condition) => {
    const [, negation, name] = /^(!|not\s+)?([A-Za-z_$][\w$]*)$/.exec(condition.trim()) ?? [];
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
