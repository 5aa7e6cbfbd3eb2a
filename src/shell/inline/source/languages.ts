/** How a language's programs start processes. */
export interface Language {
  readonly name: string;
  /** Subcommands that come before the file with a program. */
  readonly verbs?: RegExp;
  /** Options whose value is a program; bundles end with the letter. */
  readonly inline: RegExp;
  /** What follows on such a program, it is given: no options of the interpreter are among it. */
  readonly inlineIsLast?: true;
  /** Options that take another value. */
  readonly valued: RegExp;
  /** Up to and with the opening parenthesis of a call that starts a process. */
  readonly calls: RegExp;
  /** The beginning of a command between quotes of its own, as in `` `git push` ``: the last character is the quote. */
  readonly quoted: RegExp | null;
  readonly interpolation: RegExp;
  /** Options that name a program which runs before. */
  readonly loads?: RegExp;
  /** The variable that holds further options. */
  readonly variable?: string;
  /** How a program names others, of the same directory: the first group that takes part. */
  readonly modules: RegExp;
  /** Further directories in which they are looked for: as a program names one, and the variable that lists some. */
  readonly directories?: { readonly named: RegExp; readonly variable: string };
  /** The first group of {@link modules} has dots between directories. */
  readonly isDotted?: boolean;
  /** What is put behind such a name. */
  readonly endings: readonly string[];
  /** The same for a program that is started, where that is another file of a package. */
  readonly mains?: readonly string[];
  /** Options with which a program is only looked at. */
  readonly checks?: RegExp;
  /** Options with which no program is read from the input. */
  readonly inputless?: RegExp;
  /** What {@link loads} names is the program; only these read another one from the input. */
  readonly consoles?: RegExp;
  /** What a program that starts processes surely mentions. */
  readonly needs?: RegExp;
}

const never = /(?!)/;

/** `node --help`, and of those that start it: `tsx`, `ts-node`, `vite-node`; all of them take the value as a word of its own, too. */
const valuedOfNode = new RegExp(
  `^(?:-[COP]|--(?:${[
    'allow-(?:fs|child|net)[\\w-]*|build-snapshot-config|conditions|cwd|compiler(?:-options)?|config|cpu-prof-\\w+|diagnostic-dir',
    'disable-(?:proto|warning)|dns-result-order|env-file(?:-if-exists)?|experimental-(?:config-file|default-type|policy|sea-config)',
    'heap-prof-\\w+|heapsnapshot-\\w[\\w-]*|icu-data-dir|ignore|input-type|inspect-(?:port|publish-uid)|localstorage-file',
    'max-http-header-size|mode|network-family-autoselection-attempt-timeout|openssl-config|policy-integrity|project|redirect-warnings',
    'report-(?:dir|directory|filename|signal)|root|secure-heap(?:-min)?|snapshot-blob',
    'test-(?!only|force|update|isolation=)[\\w-]+|title|tls-(?:cipher-list|keylog)|trace-(?:event-[\\w-]+|require-module)|tsconfig',
    'unhandled-rejections|use-largepages|v8-pool-size|watch-(?:path|kill-signal)',
  ].join('|')}))$`,
);

/** Options before a template: `execa({ cwd })\`git push\``. It is read as a text then. */
const beforeTemplate = '(?!\\s*\\{[^{}`]*\\}\\s*\\)`)';

const callsOfJavascript = new RegExp(
  [
    // Many things have a method called so: expressions, databases.
    String.raw`(?<![\w$]|(?<!\b(?:child_process|cp|childProcess|child|process|proc|shelljs)|\))\.)(?:exec|\$\$?)\s*\(${beforeTemplate}`,
    String.raw`(?<!(?<!\\)[\w$])(?:execSync|execFile|execFileSync|spawn|spawnSync|execa|execaSync|execaCommand|execaCommandSync)\s*\(${beforeTemplate}`,
    String.raw`(?:\bspawn|["']cross-spawn["']\s*\))\s*\.\s*sync\s*\(`,
    String.raw`["'](?:execa|cross-spawn)["']\s*\)\s*\(`,
    String.raw`(?:\bexeca|["']execa["']\s*\))\s*\.\s*(?:sync|command|commandSync)\s*\(`,
    // tinyexec's.
    String.raw`(?<![\w$.])x\s*\((?=\s*["']git["']\s*,)`,
    String.raw`\bBun\.spawn(?:Sync)?\s*\(`,
    String.raw`\bnew\s+Deno\.Command\s*\(|\bDeno\.run\s*\(\s*\{[^}]*?\bcmd\s*:`,
  ].join('|'),
  'g',
);

const javascript: Omit<Language, 'name' | 'inline' | 'valued'> = {
  directories: { named: /(?!)/g, variable: 'NODE_PATH' },
  calls: callsOfJavascript,
  modules:
    /(?:\brequire|\bimport)\s*\(\s*["']((?:\.{1,2})?\/[^"']+)["']|\b(?:from|import)\s+["']((?:\.{1,2})?\/[^"']+)["']/g,
  endings: ['', '.js', '.cjs', '.mjs', '.ts', '/index.js'],
  quoted: /(?<![\w$])(?:(?:Bun\.)?\$|execa(?:Sync)?)(?:\(\s*\{[^{}`]*\}\s*\))?`/g,
  interpolation: /\$\{/,
};

/** Languages whose interpreters take a program from the command line, a row each. */
export const languages: ReadonlyMap<RegExp, Language> = new Map<RegExp, Language>([
  [
    /^(?:python|pypy)[0-9.]*$/,
    {
      name: 'python',
      needs: /pexpect|runpy|invoke|fabric|subprocess|\bos\b|\bpty\b|commands|asyncio|popen|__import__|exec/i,
      inline: /^-(?:(?![WXm])[a-zA-Z])*?c(.*)$/s,
      inlineIsLast: true,
      valued: /^-[WX]$/,
      loads: /^-(?:(?![WXc])[a-zA-Z])*?m(.*)$/s,
      consoles: /^(?:code|asyncio|pdb|IPython|bpython|ptpython)$/,
      modules:
        /(?:(?:^|[\n;])\s*(?:import|from)\s+|\b(?:import_module|run_module|__import__)\s*\(\s*["'])\.*([\w.]+)|\b(?:run_path|execfile|exec\s*\(\s*(?:compile\s*\(\s*)?open|spec_from_file_location)\s*\(\s*(?:["']\w*["']\s*,\s*)?["']([^"']+)["']/g,
      directories: { named: /\bsys\.path\.(?:insert|append)\([^()"']*["']([^"']+)["']/g, variable: 'PYTHONPATH' },
      isDotted: true,
      endings: ['.py', '/__init__.py', '/__main__.py'],
      mains: ['/__main__.py', '.py'],
      calls:
        /(?<!(?<!\\)[\w.]|\bdef )(?!asyncio\s*\.\s*run\b)(?:os\s*\.\s*|subprocess\s*\.\s*|sp\s*\.\s*|commands\s*\.\s*|pty\s*\.\s*|pexpect\s*\.\s*|asyncio\s*\.\s*|invoke\s*\.\s*)?(?:system|popen|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|exec[lv]p?e?|spawn[lv]?p?e?|posix_spawnp?|create_subprocess_(?:exec|shell))\s*\((?:\s*shlex\.split\(|\s*(?:os\s*\.\s*)?P_\w+\s*,)?|__import__\([^)]*\)\s*\.\s*\w+\s*\(/g,
      quoted: null,
      interpolation: never,
    },
  ],
  [
    /^(?:node|nodejs|tsx|tsnd|ts-node(?:-\w+)?|babel-node|esno|vite-node|jiti|node-dev|supervisor)$/,
    {
      name: 'node',
      // `tsx watch FILE`
      verbs: /^watch$/,
      inline: /^(?:-[a-zA-Z]*[ep]|--eval|--print)(?:=(.*))?$/s,
      valued: valuedOfNode,
      loads: /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=(.*))?$/s,
      variable: 'NODE_OPTIONS',
      checks: /^(?:-c|--check)$/,
      inputless: /^(?:--test|--watch|-v|--version|-h|--help)$/,
      ...javascript,
    },
  ],
  [
    /^bun$/,
    {
      name: 'bun',
      verbs: /^run$/,
      inline: /^(?:-e|--eval|-p|--print)(?:=(.*))?$/s,
      loads: /^(?:-r|--preload|--require|--import)(?:=(.*))?$/s,
      valued:
        /^(?:-[cdlF]|--(?:env-file|cwd|config|port|conditions|define|drop|loader|filter|tsconfig-override|extension-order|main-fields|install|title|shell|user-agent|dns-result-order|unhandled-rejections|console-depth|max-http-header-size))$/,
      ...javascript,
    },
  ],
  [
    /^deno$/,
    {
      name: 'deno',
      verbs: /^(?:run|serve|test|bench)$/,
      inline: /^eval$/,
      valued: /^(?:-[cL]|--(?:config|import-map|cert|log-level|lock|seed|location|env-file))$/,
      ...javascript,
    },
  ],
  [
    /^zx$/,
    {
      name: 'zx',
      inline: /^(?:-e|--eval)(?:=(.*))?$/s,
      valued: /^--(?:cwd|shell|prefix|postfix|ext|env|registry)$/,
      ...javascript,
    },
  ],
  [
    /^perl[0-9.]*$/,
    {
      name: 'perl',
      // Letters whose value follows in the same word end a bundle: `-Mre`.
      inline: /^-(?:(?![FIMmx])[a-zA-Z\d])*?[eE](.*)$/s,
      valued: /^-[IMm]$/,
      modules: /\b(?:require|do)\s*\(?\s*["']([^"']+)["']/g,
      endings: [''],
      checks: /^-(?:(?![eimx])[a-z])*c/,
      calls:
        /(?<![\w$@>:])(?:(?:system|exec|readpipe)\s*\(?|open[23]\s*\((?:[^,"'();]*,)+|open\s*\(?\s*(?:my\s*)?\$?\w+\s*,\s*(?:["'](?:-\||\|-)["']\s*,|(?=["']\s*\||["'][^"']*\|\s*["'])))/g,
      quoted: /`|\bqx\s*[^\s\w=,;]/g,
      interpolation: /[$@][\w{]/,
    },
  ],
  [
    /^ruby[0-9.]*$/,
    {
      name: 'ruby',
      // The same: `-rrake`.
      inline: /^-(?:(?![CEFIKTWrx])[a-zA-Z])*?e(.*)$/s,
      valued: /^-[IC]$/,
      loads: /^-r(.*)$/s,
      variable: 'RUBYOPT',
      modules: /\b(?:require|require_relative|load)\s*\(?\s*["']([^"']+)["']/g,
      endings: ['', '.rb'],
      checks: /^-(?:(?![eirx])[a-z])*c/,
      calls:
        /(?<![\w$@])(?:(?:Kernel|Process|IO|Open3|Open4|PTY)\s*(?:\.|::)\s*)?(?:system|exec|spawn|popen[0-9a-z]*|capture[23]e?|pipeline)\s*[( ](?:\s*(?:\{[^{}]*\}|\w*env\w*)\s*,)?|(?<![\w$@.])(?:Kernel\s*\.\s*)?open\s*\(?\s*(?=["']\s*\|)/g,
      quoted: /`|%x\s*[^\s\w=,;]/g,
      interpolation: /#\{/,
    },
  ],
  [
    /^php[0-9.]*$/,
    {
      name: 'php',
      inline: /^-r(.*)$/s,
      valued: /^-[dcz]$/,
      modules: /\b(?:require|include)(?:_once)?\s*\(?\s*["']([^"']+)["']/g,
      endings: [''],
      checks: /^-l$/,
      calls: /(?<![\w$>:])(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)\s*\(/g,
      quoted: /`/g,
      interpolation: /[${]\w/,
    },
  ],
  [
    /^(?:lua|luajit)[0-9.]*$/,
    {
      name: 'lua',
      inline: /^-e(.*)$/s,
      valued: /^-l$/,
      modules: /\b(?:dofile|require)\s*\(?\s*["']([^"']+)["']/g,
      endings: ['', '.lua'],
      calls: /\b(?:os\.execute|io\.popen)\s*\(/g,
      quoted: null,
      interpolation: never,
    },
  ],
  [
    /^(?:Rscript|R|littler)$/,
    {
      name: 'R',
      inline: /^-e(.*)$/s,
      valued: /^-f$/,
      modules: /\bsource\s*\(\s*["']([^"']+)["']/g,
      endings: [''],
      calls: /(?<![\w.$])(?:base::)?(?:system2?|shell|pipe)\s*\(/g,
      quoted: null,
      interpolation: never,
    },
  ],
  [
    /^julia$/,
    {
      name: 'julia',
      inline: /^(?:-[eE]|--eval|--print)(?:=(.*))?$/s,
      valued: /^-[CJpt]$/,
      loads: /^(?:-L|--load)(?:=(.*))?$/s,
      modules: /\binclude\s*\(\s*"([^"]+)"/g,
      endings: [''],
      calls: /(?<![\w.])(?:run|read|readchomp|pipeline)\s*\(/g,
      quoted: /`/g,
      interpolation: /\$[\w(]/,
    },
  ],
]);

export function languageOf(program: string): Language | null {
  for (const [names, language] of languages) {
    if (names.test(program)) {
      return language;
    }
  }
  return null;
}
