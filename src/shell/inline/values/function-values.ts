/** A name of the program that stands for a function which starts processes or changes files. */
export interface HeldName {
  /** Where it stands, as the source of a pattern. */
  readonly pattern: string;
  /** How the function is called. */
  readonly call: string;
  /** Where it holds. */
  readonly from: number;
  readonly to: number;
}

/** A place in a program where such a function stands, and is not called. */
export interface FunctionValue {
  readonly start: number;
  readonly end: number;
  /** How it is called. */
  readonly call: string;
}

const ofPython: Readonly<Record<string, string>> = {
  subprocess: 'run|call|check_call|check_output|Popen|getoutput|getstatusoutput',
  os: 'system|popen|remove|unlink|rmdir|removedirs|renames?|replace|chmod|truncate|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?',
  shutil: 'rmtree|move|copy2?|copyfile|copytree',
  asyncio: 'create_subprocess_exec|create_subprocess_shell',
};
const ofScripts: Readonly<Record<string, string>> = {
  child_process: 'exec|execSync|execFile|execFileSync|spawn|spawnSync',
  fs: '(?:rm|rmdir|unlink|rename|chmod|copyFile|cp|truncate|writeFile|appendFile)(?:Sync)?',
  execa: 'execa|execaSync|execaCommand|execaCommandSync',
};
/** How scripts name these modules. */
const modulesOfScripts: Readonly<Record<string, string>> = {
  child_process: 'child_process|childProcess|cp',
  fs: 'fs|fsp|fse|fsPromises|fs\\s*\\.\\s*promises',
};

const pythonMembers = new RegExp(
  `(?<![\\w.])(?:${Object.entries(ofPython)
    .map(([module, names]) => `${module}\\s*\\.\\s*(?:${names})`)
    .join('|')})(?!\\w)`,
  'g',
);
const scriptMembers = new RegExp(
  `(?<![\\w$.])(?:${Object.entries(modulesOfScripts)
    .map(([module, own]) => `(?:${own}|require\\(\\s*\\))\\s*\\.\\s*(?:${ofScripts[module] ?? ''})`)
    .join('|')})(?![\\w$])`,
  'g',
);

const pythonImports = /\bfrom\s+(subprocess|os|shutil|asyncio)\s+import\s+(?:\(([^)]*)\)|([^\n;]*))/g;
const scriptImports =
  /\{([^{}]*)\}\s*=\s*(?:(?:await\s+import|require)\(\s*["'](?:node:)?([\w-]+)(?:\/promises)?["']\s*\)|(child_process|cp|fs|fsp))|\bimport\s*(?:\w+\s*,\s*)?\{([^{}]*)\}\s*from\s*["'](?:node:)?([\w-]+)(?:\/promises)?["']/g;

/** The names under which a program has such functions from their modules. */
export function importedFunctions(isPython: boolean, source: string): readonly HeldName[] {
  const lists = isPython
    ? Array.from(
        source.matchAll(pythonImports),
        ([, module = '', inner, line]) => [module, inner ?? line ?? ''] as const,
      )
    : Array.from(
        source.matchAll(scriptImports),
        ([, given, from, own, imported, by]) =>
          [
            (from ?? own ?? by ?? '').replace(/^cp$/, 'child_process').replace(/^fs(?:p|-extra)$/, 'fs'),
            given ?? imported ?? '',
          ] as const,
      );
  return lists.flatMap(([module, list]) =>
    namesIn(isPython, module, list).map(([name, call]) => ({
      pattern: plainName(name),
      call,
      from: 0,
      to: source.length,
    })),
  );
}

function namesIn(isPython: boolean, module: string, list: string): readonly (readonly [string, string])[] {
  const own = isPython ? ofPython : ofScripts;
  const names = Object.hasOwn(own, module) ? (own[module] ?? '') : '';
  const isOwn = new RegExp(`^(?:${names})$`);
  const items = list.trim() === '*' ? names.split('|') : list.split(',');
  return items.flatMap((item) => {
    const [name = '', alias = name] = item.trim().split(/\s*:\s*|\s+as\s+/);
    return names !== '' && isOwn.test(name) && /^[\w$]+$/.test(alias)
      ? [[alias, isPython ? `${module}.${name}` : name] as const]
      : [];
  });
}

/** What makes no value of the name that it stands before. */
const beforeOther =
  /(?:\b(?:def|function|class|import|from|as|new|typeof|except|del|global|nonlocal|const|let|var|is|not|in|instanceof)\s+|[=!]==?\s*|->\s*|@)$/;
const behindOther = /^\s*(?:[([`]|\?\.|\.|=(?!>)|[!=]==?|=>|\bis\b)/;

/**
 * Where functions stand that start processes or change files, without being called.
 *
 * @param code strings, comments and lists of imports blanked
 */
export function functionValues(code: string, isPython: boolean, names: readonly HeldName[]): readonly FunctionValue[] {
  const members = Array.from(code.matchAll(isPython ? pythonMembers : scriptMembers), ({ index, 0: whole }) => {
    const call = whole.replace(/\s+/g, '');
    return { start: index, end: index + whole.length, call: isPython ? call : (call.split('.').at(-1) ?? '') };
  });
  const own = names.flatMap((name) => usesOf(code, name)).filter(({ start, end }) => !isKey(code, start, end));
  return [...members, ...own]
    .filter(
      ({ start, end }) =>
        !beforeOther.test(code.slice(Math.max(0, start - 20), start)) && !behindOther.test(code.slice(end, end + 20)),
    )
    .sort((a, b) => a.start - b.start);
}

/** `{ exec: own }`, `def f(run: Callable)`: the name of something else. */
const isKey = (code: string, start: number, end: number): boolean =>
  /[{,(]\s*$/.test(code.slice(Math.max(0, start - 40), start)) && /^\s*:/.test(code.slice(end, end + 10));

/** Where a name stands. */
export function usesOf(code: string, { pattern, call, from, to }: HeldName): readonly FunctionValue[] {
  return Array.from(code.matchAll(new RegExp(pattern, 'g')), ({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
    call,
  })).filter(({ start }) => from <= start && start < to);
}

const escaped = (name: string): string => name.replaceAll('$', '\\$');

/** `run` */
export const plainName = (name: string): string => `(?<![\\w$.])${escaped(name)}(?![\\w$])`;
/** `self.run`, `this.run` */
export const fieldName = (name: string): string =>
  `(?<![\\w$.])(?:self|this|cls)\\s*\\.\\s*#?${escaped(name)}(?![\\w$])`;
/** `table.run`, `table[which]`, `table.get(which)` */
export const memberName = (table: string, name: string): string =>
  `(?<![\\w$.])${escaped(table)}\\s*(?:\\.\\s*${escaped(name)}(?![\\w$])|\\.\\s*get\\([^()\\n]*\\)|\\[[^[\\]\\n]*\\])`;
