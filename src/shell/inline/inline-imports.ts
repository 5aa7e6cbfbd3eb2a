/** Names that a program gives to modules and functions that start processes, by the patterns that give them. */
const renamings: readonly { readonly pattern: RegExp; readonly module: boolean }[] = [
  {
    pattern: /\b(?<name>subprocess|os|pty|shutil)\s+as\s+(?<=\bimport\b[\w.,\t ]*)(?<alias>\w+)/g,
    module: true,
  },
  {
    pattern:
      /\b(?<name>system|popen|run|call|check_call|check_output|Popen|getoutput|rmtree|remove|unlink)\s+as\s+(?<=\bimport\b[\w\s,(]*)(?<alias>\w+)/g,
    module: false,
  },
  {
    pattern:
      /\b(?<name>exec|execSync|execFile|execFileSync|spawn|spawnSync)\s*(?::|(?<=\bimport\b[\w\s,{]*)\s+as\s+)\s*(?<alias>[\w$]+)/g,
    module: false,
  },
  {
    pattern:
      /\b(?:const|let|var)\s+(?<alias>[\w$]+)\s*=\s*(?:await\s+import|require)\(\s*["'](?:node:)?(?<name>child_process|shelljs)["']\s*\)/g,
    module: true,
  },
  {
    pattern:
      /\bimport\(\s*["'](?:node:)?(?<name>child_process)["']\s*\)\s*\.then\(\s*(?:async\s*)?\(?\s*(?<alias>[\w$]+)\s*\)?\s*=>/g,
    module: true,
  },
  {
    pattern: /\bimport\s+(?:\*\s+as\s+)?(?<alias>[\w$]+)\s+from\s+["'](?:node:)?(?<name>child_process|shelljs)["']/g,
    module: true,
  },
  {
    pattern:
      /(?<![\w.$])(?<alias>\w+)\s*=\s*(?:os|subprocess|pty|commands)\s*\.\s*(?<name>system|popen|run|call|check_call|check_output|Popen|getoutput|execvp?|spawnvp?)\b(?!\s*\()/g,
    module: false,
  },
  {
    pattern:
      /\b(?:const|let|var)\s+(?<alias>[\w$]+)\s*=\s*(?:require\(\s*["'](?:node:)?child_process["']\s*\)|child_process|cp)\s*\.\s*(?<name>exec|execSync|execFile|execFileSync|spawn|spawnSync)\b(?!\s*\()/g,
    module: false,
  },
  {
    pattern:
      /\b(?:const|let|var)\s+(?<alias>[\w$]+)\s*=\s*(?:[\w$]+\.|require\(\s*["'](?:node:)?util["']\s*\)\.)?promisify\(\s*[\w.()"':]*\b(?<name>exec|execFile)\s*\)(?!\s*\()/g,
    module: false,
  },
  {
    pattern:
      /(?<![\w.$])(?<alias>\w+)\s*=\s*(?:functools\s*\.\s*)?partial\(\s*(?:(?:os|subprocess)\s*\.\s*)?(?<name>system|popen|run|call|check_call|check_output|Popen|getoutput)\s*(?:\)|,\s*\w+\s*=)/g,
    module: false,
  },
  {
    pattern:
      /\b(?<name>(?:writeFile|appendFile|rm|rmdir|unlink|rename|chmod|copyFile|cp|truncate)(?:Sync)?)\s*(?::\s*|(?<=\bimport\b[\w\s,{]*)\s+as\s+)(?<alias>[\w$]+)(?=[^{}]*\}\s*(?:=\s*(?:await\s+import|require)\b|from\b))/g,
    module: false,
  },
  {
    pattern:
      /(?<alias>\$\w+)\s*=(?![=>])\s*(?:[^;\n]*[?:]\s*)?["'](?<name>system|exec|shell_exec|passthru|popen|proc_open)["']/g,
    module: false,
  },
];

/**
 * The source with names that it made itself (`import subprocess as s`) replaced by what they stand for, and members that
 * are named by strings (`process['exec' + 'Sync']`) by plain ones.
 */
export function resolveImports(source: string): string {
  let resolved = source
    .replace(/\b(?:importlib\s*\.\s*import_module|__import__)\s*\(\s*(["'])(\w+)\1\s*\)/g, '$2')
    .replace(/\bgetattr\s*\(\s*([\w.]+)\s*,\s*(["'])(\w+)\2\s*\)/g, '$1.$3')
    .replace(
      /\b(?:Kernel\s*\.\s*)?(?:public_send|__send__|send|call_user_func)\s*\(\s*(?::|["'])(\w+)["']?\s*,\s*/g,
      '$1(',
    )
    .replace(/\bpromisify\s*\(\s*[\w.()"':]*\b(exec|execFile)\s*\)\s*\(/g, '$1(')
    .replace(/(["'])(\w*)\1\s*\+\s*(["'])(\w*)\3/g, '$1$2$4$1')
    .replace(/(["'\]])\s*\]\s*\+\s*\[\s*(?=["'])/g, '$1, ')
    .replace(/(?<=[\w$)])\s*(?:\?\.)?\[\s*(["'])([A-Za-z_]\w*)\1\s*\](?=\s*[([])/g, '.$2');
  for (const { pattern, module } of renamings) {
    for (const { groups } of resolved.matchAll(pattern)) {
      const { name = '', alias = '' } = groups ?? {};
      const use = new RegExp(`(?<![\\w$.])${alias.replaceAll('$', '\\$')}(?=${module ? '\\s*\\.' : '\\s*\\('})`, 'g');
      resolved = resolved.replace(use, () => name);
    }
  }
  const finders = /\bimport\b[\w,\t ]*\b(?:which|find_executable)\b/.test(resolved) ? ownFinders : finder;
  return withPlacedWords(resolved).replace(finders, '$1$2$1');
}

/** `subprocess.run(check=True, args=['git', 'log'])`: the words come first where they have no name. */
function withPlacedWords(source: string): string {
  return source.includes('args')
    ? source.replace(
        namedWords,
        (_, call: string, before: string, words: string) =>
          call + words + before.replace(/^(?=\S)/, ', ').replace(/,\s*$/, ''),
      )
    : source;
}

const namedWords =
  /(\b(?:subprocess\s*\.\s*(?:run|call|check_call|check_output|Popen)|(?<![\w.])(?:check_call|check_output|Popen))\s*\(\s*)((?:\w+\s*=\s*[\w.]+\s*,\s*)*)args\s*=(?!=)\s*(\[[^[\]\n]*\]|[\w.]+|"[^"\n]*"|'[^'\n]*')(?=\s*[,)])/g;

/** What a program goes on with where none of that name is found: the name itself, or not at all. */
const otherwise = String.raw`(?:\s*or\s+(?:(["'])(?:/[\w./-]*/)?\2\3|(?:sys\s*\.\s*)?exit\([^()\n]*\)))?`;

/** Where a program lies that is called so: `shutil.which('git')`. */
const finder = new RegExp(String.raw`\bshutil\s*\.\s*which\s*\(\s*(["'])([\w.-]+)\1\s*\)${otherwise}`, 'g');
/** The same where the function was imported by its name. */
const ownFinders = new RegExp(
  String.raw`(?<![\w$])(?:shutil\s*\.\s*)?(?:which|find_executable)\s*\(\s*(["'])([\w.-]+)\1\s*\)${otherwise}`,
  'g',
);
