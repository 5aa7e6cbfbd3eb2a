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
  const ways = [true, false].map((takesFirst) =>
    [inPython, inScripts, alone].reduce(
      (text, pattern) => text.replace(pattern, (whole, ...rest) => chosen(whole, rest.at(-1), source, takesFirst)),
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

function chosen(whole: string, choice: Choice, source: string, takesFirst: boolean): string {
  const holds = truthOf(choice.condition, source) ?? takesFirst;
  return (holds ? choice.first : (choice.second ?? whole)).padEnd(whole.length);
}

/** Of a variable that is given a value once; null where that can't be told. */
function truthOf(condition: string, source: string): boolean | null {
  const [, negation, name] = /^(!|not\s+)?([A-Za-z_$][\w$]*)$/.exec(condition.trim()) ?? [];
  if (name === undefined) {
    return null;
  }
  const given = [
    ...source.matchAll(new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', '\\$')}\s*=(?!=)\s*([\w.]*)`, 'g')),
  ];
  const [only] = given;
  const truth = given.length !== 1 ? undefined : { true: true, false: false }[only?.[1]?.toLowerCase() ?? ''];
  return truth === undefined ? null : truth === (negation === undefined);
}
