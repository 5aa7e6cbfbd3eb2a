import type { Language } from './source/languages.ts';

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
      `(?:\\b\\w+\\s*\\.\\s*)?\\bTimer\\(\\s*[\\w.]+\\s*,\\s*(?:function\\s*=\\s*)?${named}\\s*,\\s*(?:args\\s*=\\s*)?[[(]`,
      'g',
    ),
    call: '$<name>(',
  },
  {
    pattern: new RegExp(
      `(?:\\b\\w+\\s*\\.\\s*)?\\b(?:register|submit|apply_async|call_soon|partial|run_in_executor\\(\\s*\\w+\\s*,|call_later\\(\\s*[\\d.]+\\s*,)\\(?\\s*${named}\\s*,\\s*(?=["'[*f])`,
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

/** `commands.each(&method(:system))` */
const ruby: readonly Handing[] = [
  {
    pattern: /(?<method>\.\s*(?:each|map|all\?|any\?|select|reject))\s*\(?\s*&\s*method\(\s*:(?<name>\w+)\s*\)\s*\)?/g,
    call: '$<method> { |each| $<name>(each) }',
  },
];

const rows: Readonly<Record<string, readonly Handing[]>> = {
  python,
  ruby,
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
  const called = handings.reduce((text, { pattern, call }) => text.replace(pattern, call), source);
  return name === 'python'
    ? withCalledObjects(withPrinted(called))
    : handings === javascript
      ? withBound(called)
      : called;
}

/** `print("git push", file=p.stdin)`, as `p.stdin.write("git push")`. */
function withPrinted(source: string): string {
  const printed =
    /\bprint\(((?:[^()\n]|\([^()\n]*\)){1,400}?),\s*file\s*=\s*([\w.]+\.stdin)\b(?:\s*,\s*(?:flush|end|sep)\s*=\s*[^(),\n]+)*\s*\)/g;
  return source.replace(printed, (_, given: string, input: string) => {
    const words = given.trim().replace(/,\s*(?:flush|end|sep)\s*=\s*[^,]*/g, '');
    return `${input}.write(${words.includes(',') ? `' '.join([${words}])` : words})`;
  });
}

/** `git = Git()` and `git("push")`, where the class says in `__call__` what that does: a call of that function. */
function withCalledObjects(source: string): string {
  const [only, ...others] = source.includes('__call__') ? source.matchAll(/\bdef\s+__call__\s*\(/g) : [];
  const of = only === undefined ? undefined : [...source.slice(0, only.index).matchAll(/\bclass\s+(\w+)/g)].at(-1)?.[1];
  if (of === undefined || others.length > 0) {
    return source;
  }
  const made = String.raw`(?<![\w.])${of}\([^()\n]*\)`;
  const names = Array.from(
    source.matchAll(new RegExp(`(?<![\\w.])(\\w+)\\s*=\\s*${made}`, 'g')),
    ([, name = '']) => name,
  );
  const called = [...new Set(names)].map((name) => String.raw`(?<![\w.]|\bdef\s+)${name}(?=\s*\()`);
  return source.replace(new RegExp([String.raw`${made}(?=\s*\()`, ...called].join('|'), 'g'), '__call__');
}

/** `const git = execFileSync.bind(null, 'git')`: its calls as those of the function, with what it is given before. */
function withBound(source: string): string {
  const bound =
    /\b(?:const|let|var)\s+(?<alias>[\w$]+)\s*=\s*(?<name>[\w$.]+?)\s*\.\s*bind\(\s*[\w$.]+\s*(?:,\s*(?<given>[^()]*?)\s*)?\)/g;
  const found = source.includes('.bind(') ? Array.from(source.matchAll(bound), ({ groups }) => groups ?? {}) : [];
  return found.reduce((text, { alias = '', name = '', given = '' }) => {
    const use = new RegExp(`(?<![\\w$.])${alias.replaceAll('$', '\\$')}\\s*\\(`, 'g');
    return text.replace(use, () => (given === '' ? `${name}(` : `${name}(${given}, `));
  }, source);
}
