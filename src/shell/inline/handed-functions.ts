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
  // `retry(method(:system), "git push")`, `quietly 3, File.method(:delete), path`
  {
    pattern:
      /(?<![\w.@$:])[a-z_]\w*[?!]?(?<open>\(|[ \t]+)(?:[\w:."'-]+\s*,\s*)*(?<owner>\w+\.)??(?:Kernel\.)?method\(\s*:(?<name>\w+)\s*\)\s*,\s*/g,
    call: '$<owner>$<name>$<open>',
  },
  // `retry(:system, "git push")`
  {
    pattern:
      /(?<![\w.@$:])(?!(?:alias|define|undef|remove)_)[a-z_]\w*[?!]?(?<open>\(|[ \t]+)(?:[\w:."'-]+\s*,\s*)*?:(?<name>system|exec|spawn)\s*,\s*(?=["'%*[])/g,
    call: '$<name>$<open>',
  },
];

/** Functions of PHP that start processes or change files, as a text names them. */
const phpFunctions =
  '(?<name>system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|unlink|rmdir|rename|chmod|copy)';

const php: readonly Handing[] = [
  // `array_map("exec", $commands)`, `array_walk($commands, "exec")`
  {
    pattern: new RegExp(
      `\\barray_map\\(\\s*["']${phpFunctions}["']\\s*,\\s*(?<list>\\[[^\\]]*\\]|\\$\\w+)\\s*\\)`,
      'g',
    ),
    call: 'foreach ($<list> as $$each) $<name>($$each)',
  },
  {
    pattern: new RegExp(
      `\\barray_walk\\(\\s*(?<list>\\[[^\\]]*\\]|\\$\\w+)\\s*,\\s*["']${phpFunctions}["']\\s*\\)`,
      'g',
    ),
    call: 'foreach ($<list> as $$each) $<name>($$each)',
  },
  {
    pattern: new RegExp(
      `\\bcall_user_func_array\\(\\s*["']${phpFunctions}["']\\s*,\\s*\\[(?<given>[^\\]]*)\\]\\s*\\)`,
      'g',
    ),
    call: '$<name>($<given>)',
  },
  // `retry("exec", "git push")`
  {
    pattern: new RegExp(`(?<![\\w$>:])\\w+\\(\\s*(?:[\\w$]+\\s*,\\s*)*["']${phpFunctions}["']\\s*,\\s*(?=["'[$])`, 'g'),
    call: '$<name>(',
  },
];

const rows: Readonly<Record<string, readonly Handing[]>> = {
  python,
  ruby,
  php,
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
  switch (name) {
    case 'python':
      return withCalledObjects(withPrinted(called));
    case 'ruby':
      return withMethodObjects(called);
    default:
      return handings === javascript ? withBound(called) : called;
  }
}

/** `run = dry ? method(:puts) : method(:system)` of Ruby, and `run.call("git push")`, `run.("…")`, `run["…"]`. */
function withMethodObjects(source: string): string {
  const made =
    /(?<![\w.])(?<alias>@?[A-Za-z_]\w*)\s*\|?\|?=\s*[^\n;=]*?\b(?:(?<owner>File|FileUtils|Dir)\.|Kernel\.)?method\(\s*:(?<name>system|exec|spawn|popen|delete|unlink|rmdir|rename|chmod|write|rm\w*|remove\w*|mv|cp\w*)\s*\)/g;
  const found = source.includes('method(') ? Array.from(source.matchAll(made), ({ groups }) => groups ?? {}) : [];
  const direct = source.replace(
    /\b(?:Kernel\.)?((?:\w+\.)?)method\(\s*:(\w+)\s*\)\s*(?:\.\s*call\s*|\.\s*)?(?=\()/g,
    '$1$2',
  );
  return found.reduce((text, { alias = '', owner, name = '' }) => {
    const use = new RegExp(
      `(?<![\\w.@])${alias}(?:\\s*&?\\.\\s*(?:call\\s*)?(?=\\()|(?:\\s*&?\\.\\s*call\\b|(?=\\[[^\\]\\n]*\\])))`,
      'g',
    );
    const call = owner === undefined ? name : `${owner}.${name}`;
    return text
      .replace(use, () => call)
      .replace(new RegExp(`(?<![\\w.])${call.replace('.', '\\.')}\\[([^\\]\\n]*)\\]`, 'g'), `${call}($1)`);
  }, direct);
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
