import type { Language } from './languages.ts';

interface Handing {
  readonly pattern: RegExp;
  /** The call that is made of it. */
  readonly call: string;
}

/** Functions of the language itself, which start nothing. */
const harmless =
  '(?!(?:str|int|float|len|bool|repr|ord|chr|tuple|list|dict|set|type|sum|max|min|abs|lambda|Path|Boolean|String|Number|parseInt|parseFloat)\\b)';
const named = `${harmless}(?<name>[A-Za-z_$][\\w$]*(?:\\s*\\.\\s*[A-Za-z_$][\\w$]*)?)`;

const python: readonly Handing[] = [
  { pattern: new RegExp(`\\bmap\\(\\s*${named}\\s*,\\s*`, 'g'), call: '[$<name>(each) for each in ' },
  { pattern: new RegExp(`\\btarget\\s*=\\s*${named}\\s*,\\s*args\\s*=\\s*[[(]`, 'g'), call: '$<name>(' },
  {
    pattern: new RegExp(
      `(?:\\b\\w+\\s*\\.\\s*)?\\b(?:register|submit|apply_async|call_soon|partial|run_in_executor\\(\\s*\\w+\\s*,|(?:Timer|call_later)\\(\\s*[\\d.]+\\s*,)\\(?\\s*${named}\\s*,\\s*(?=["'[*f])`,
      'g',
    ),
    call: '$<name>(',
  },
];

const javascript: readonly Handing[] = [
  {
    pattern: new RegExp(`(?<method>\\.\\s*(?:map|forEach|flatMap|some|every))\\(\\s*${named}\\s*\\)`, 'g'),
    call: '$<method>((each) => $<name>(each))',
  },
];

const rows: Readonly<Record<string, readonly Handing[]>> = {
  python,
  node: javascript,
  bun: javascript,
  deno: javascript,
};

/**
 * The source with functions called that it hands on by their name: `map(os.system, commands)`,
 * `Thread(target=run, args=("git push",))`, `commands.forEach(run)`.
 */
export function withHandedCalls({ name }: Language, source: string): string {
  const handings = Object.hasOwn(rows, name) ? (rows[name] ?? []) : [];
  return handings.reduce((text, { pattern, call }) => text.replace(pattern, call), source);
}
