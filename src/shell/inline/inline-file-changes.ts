import { type Call, framed, originOf, type Shell, through } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import type { KeptText } from '../script-overlay.ts';
import { knownWord } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { type EditedText, withReplacements } from './edited-text.ts';
import { InlineFunctions } from './inline-functions.ts';
import { codeMatches } from './source/inert-texts.ts';
import type { Language } from './source/languages.ts';
import { readLiteral } from './source/literal.ts';
import { withPathObjects } from './source/path-objects.ts';
import { withPathsJoined } from './source/paths.ts';
import type { Places } from './source/places.ts';
import { withLoopsUnrolled } from './source/written-loops.ts';
import { WrittenContents } from './written-content.ts';

const maximumCalls = 200;
/** So much behind an argument tells what becomes of it. */
const maximumRest = 200;

/** A function of a language that changes the file which its first literal names. */
interface FileCall {
  /** Up to and with the opening parenthesis. */
  readonly calls: RegExp;
  /** `remove file` fails for a directory; `copy` and `move` write to what the second literal names; `copy tree`: a directory, with all that is in it. */
  readonly change: 'remove' | 'remove file' | 'write' | 'mode' | 'move' | 'copy' | 'copy tree';
  /** What must follow the first literal: a mode for writing. */
  readonly followedBy?: RegExp;
  /** All of its literals are files. */
  readonly takesAll?: true;
  /** What the program says besides, without which the name is another function's. */
  readonly where?: RegExp;
}

const python: readonly FileCall[] = [
  {
    calls: /(?<![\w.])(?:os\s*\.\s*(?:rmdir|removedirs)|(?:shutil\s*\.\s*)?rmtree)\s*\(/g,
    change: 'remove',
  },
  { calls: /(?<![\w.])(?:os\s*\.\s*(?:remove|unlink)|unlink)\s*\(/g, change: 'remove file' },
  { calls: /(?<![\w.])(?:os\s*\.\s*(?:rename|renames|replace)|shutil\s*\.\s*move)\s*\(/g, change: 'move' },
  { calls: /(?<![\w.])shutil\s*\.\s*copy(?:file|2)?\s*\(/g, change: 'copy' },
  { calls: /(?<![\w.])(?:shutil\s*\.\s*)?copytree\s*\(/g, change: 'copy tree' },
  { calls: /(?<![\w.])(?:shutil\s*\.\s*)?unpack_archive\s*\(/g, change: 'copy' },
  { calls: /\.\s*extractall\s*\(\s*(?:path\s*=\s*)?/g, change: 'write' },
  { calls: /(?<![\w.])os\s*\.\s*chmod\s*\(/g, change: 'mode' },
  { calls: /(?<![\w.])os\s*\.\s*truncate\s*\(/g, change: 'write' },
  {
    calls: /(?<![\w.])(?:io\s*\.\s*)?open\s*\(/g,
    change: 'write',
    followedBy: /^\s*,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+]/,
  },
  { calls: /\bPath\s*\(/g, change: 'remove', followedBy: /^[\s)]*\)\s*\.\s*(?:unlink|rmdir|rename|replace)\s*\(/ },
  {
    calls: /\bPath\s*\(/g,
    change: 'write',
    followedBy: /^[\s)]*\)\s*\.\s*(?:write_(?:text|bytes)|open\s*\(\s*["'][wax])/,
  },
  { calls: /\bPath\s*\(/g, change: 'mode', followedBy: /^[\s)]*\)\s*\.\s*chmod\s*\(/ },
];

const javascript: readonly FileCall[] = [
  {
    calls:
      /(?<![\w$])(?:(?:rm|rmdir|remove)(?:Sync)?|(?:rimraf|del)(?:["']\s*\))?(?:\s*\.\s*\w+)?|delete(?:A?sync|Sync))\s*\(/g,
    change: 'remove',
  },
  { calls: /(?<![\w$])unlink(?:Sync)?\s*\(/g, change: 'remove file' },
  { calls: /(?<![\w$])(?:rename|move)(?:Sync)?\s*\(/g, change: 'move' },
  { calls: /(?<![\w$])copyFile(?:Sync)?\s*\(/g, change: 'copy' },
  { calls: /(?<![\w$])cp(?:Sync)?\s*\(/g, change: 'copy tree' },
  { calls: /(?<![\w$])(?:chmod|chown)(?:Sync)?\s*\(/g, change: 'mode' },
  {
    calls:
      /(?<![\w$])(?:(?:writeFile|appendFile|truncate)(?:Sync)?|createWriteStream|Bun\.write|writeTextFile(?:Sync)?)\s*\(/g,
    change: 'write',
  },
  { calls: /(?<![\w$])open(?:Sync)?\s*\(/g, change: 'write', followedBy: /^\s*,\s*["'][rs]*[wax+]/ },
];

const perl: readonly FileCall[] = [
  {
    calls: /(?<![\w$@>:"'-])(?:unlink|rmdir|rmtree|remove_tree)\b\s*\(?(?:\s*glob\b\s*\(?)?/g,
    change: 'remove',
    takesAll: true,
  },
  { calls: /(?<![\w$@>:"'-])(?:rename|move)\b\s*\(?/g, change: 'move' },
  { calls: /(?<![\w$@>:-])chmod\b\s*\(?\s*\w+\s*,/g, change: 'mode', takesAll: true },
  { calls: /(?<![\w$@>:-])open\s*\(?\s*(?:my\s*)?\$?\w+\s*,\s*["']\+?[>+]{1,2}["']\s*,/g, change: 'write' },
];

/** Rake has them as methods of its own, too. */
const includesFileUtils = /\b(?:include|extend)\s*\(?\s*(?:::)?(?:FileUtils|Rake)\b/;

const ruby: readonly FileCall[] = [
  { calls: /\b(?:File|Dir|Pathname)\.(?:delete|unlink|rmdir)[\s(]/g, change: 'remove', takesAll: true },
  { calls: /\bFileUtils\.(?:rm|rm_r|rm_f|rm_rf|rmtree|remove\w*)[\s(]/g, change: 'remove' },
  {
    calls: /(?<![\w.:$@])(?:rm|rm_r|rm_f|rm_rf|rmtree|remove_(?:dir|entry\w*|file))[\s(]/g,
    change: 'remove',
    where: includesFileUtils,
  },
  { calls: /(?<![\w.:$@])(?:mv|move)[\s(]/g, change: 'move', where: includesFileUtils },
  { calls: /(?<![\w.:$@])chmod\s*\(?\s*\w+\s*,/g, change: 'mode', where: includesFileUtils },
  { calls: /\b(?:File\.rename|FileUtils\.(?:mv|move))[\s(]/g, change: 'move' },
  { calls: /\bFileUtils\.(?:cp|cp_r|copy|install)[\s(]/g, change: 'copy' },
  { calls: /\b(?:File|FileUtils)\.chmod\s*\(?\s*\w+\s*,/g, change: 'mode' },
  { calls: /\b(?:File|IO)\.(?:bin)?write[\s(]/g, change: 'write' },
  { calls: /\b(?:File\.(?:open|new)|open)\s*\(/g, change: 'write', followedBy: /^\s*,\s*["'][rb]*[wax+]/ },
];

const php: readonly FileCall[] = [
  { calls: /(?<![\w$>:])(?:unlink|rmdir)\s*\(/g, change: 'remove' },
  { calls: /(?<![\w$>:])rename\s*\(/g, change: 'move' },
  { calls: /(?<![\w$>:])copy\s*\(/g, change: 'copy' },
  { calls: /(?<![\w$>:])chmod\s*\(/g, change: 'mode' },
  { calls: /(?<![\w$>:])file_put_contents\s*\(/g, change: 'write' },
];

const rows: Readonly<Record<string, readonly FileCall[]>> = {
  python,
  perl,
  ruby,
  php,
  node: javascript,
  bun: javascript,
  deno: javascript,
};

/** What an inline program does to files that it names. */
export interface FileChanges {
  readonly program: string;
  /** The program with the paths written out that it puts together. */
  readonly source: string;
  readonly changes: readonly SourceChange[];
  /** The texts in which others stand. */
  readonly kept: readonly KeptText[];
}

interface SourceChange extends Omit<NamedChange, 'program' | 'content'> {
  readonly change: FileCall['change'];
  /** What is written, or of which file it is made; null: not known. */
  readonly content: string | EditedText | null;
}

/**
 * The calls of a program that change files which they name literally. Paths that are put together are followed where all
 * of their parts are literal.
 *
 * @param places what the program may ask for
 */
export function readFileChanges(language: Language, program: string, places: Places): FileChanges {
  const unrolled = mayMatter.test(program) ? withLoopsUnrolled(language, program) : program;
  const joined = withPathsJoined(unrolled, language.name === 'python', places);
  const source = language.name === 'python' ? withPathObjects(joined) : joined;
  const named = new NamedPaths(language, source);
  let contents: WrittenContents | null = null;
  const kept: KeptText[] = [];
  const own = (rows[language.name] ?? []).filter(({ where }) => where?.test(source) !== false);
  const changes = own.flatMap(({ calls, change, followedBy, takesAll }) =>
    codeMatches(language, source, calls, kept)
      .slice(0, maximumCalls)
      .flatMap((match) => {
        const start = match.index + match[0].length;
        const further = takesAll === true ? furtherLiterals(source, start, language) : [];
        const paths = [...named.at(start, followedBy), ...further.map((path) => [path, null] as const)];
        const isOneWrite = change === 'write' && paths.length === 1;
        contents ??= isOneWrite ? new WrittenContents(language, source) : null;
        const content = isOneWrite ? (contents?.at(match.index, start) ?? null) : null;
        return paths.map(([path, target]) => ({ change, path, target, content }));
      }),
  );
  return { program, source: joined, changes, kept };
}

/** The changes with what a program makes of the texts of files, as these are when it begins. */
export function withEditsMade(found: FileChanges, { state }: Call, { overlay }: Shell): FileChanges {
  const placeOf = (path: string) => resolvePath(knownWord(path), state.cwd);
  const written = found.changes.map(({ path }) => placeOf(path));
  const changes = found.changes.map((one): SourceChange => {
    if (one.content === null || typeof one.content === 'string') {
      return one;
    }
    const { of, replacements } = one.content;
    const place = placeOf(of);
    // What the program has written there before is not followed.
    const isOnce = written.filter((path) => path === place).length <= (placeOf(one.path) === place ? 1 : 0);
    const text = place === null || !isOnce ? null : overlay.text(place);
    return { ...one, content: text === null ? null : withReplacements(text, replacements), isEdit: true };
  });
  return { ...found, changes };
}

/** Before the processes of a program run: what it writes to files they may read, whichever comes first. */
export function recordWrittenFiles({ changes }: FileChanges, { state }: Call, { overlay }: Shell): void {
  for (const { change, path, content } of changes) {
    const absolute = change === 'write' && content !== null ? resolvePath(knownWord(path), state.cwd) : null;
    if (absolute !== null && typeof content === 'string') {
      overlay.replace(absolute, [...overlay.texts(absolute), { kind: 'text', text: content }]);
    }
  }
}

/** What a program does to files, as the steps of the programs that would do the same (`rm`, `mv`, `chmod`) and as writes. */
export function runInlineFileChanges(
  language: Language,
  { program, source, changes, kept }: FileChanges,
  call: Call,
  shell: Shell,
): void {
  const inner = {
    ...call,
    frame: framed(through(call.frame, `${language.name} program`), { input: null, output: null }),
  };
  runHookChanges(language, source, inner, shell);
  runConfigurationChanges(source, inner, shell);
  runWorktreeChanges(source, inner, shell);
  shell.overlay.keptTexts.push(...kept);
  for (const { change, content, ...named } of changes) {
    emitChange(change, { ...named, content: typeof content === 'string' ? content : null, program }, inner, shell);
  }
}

const text = String.raw`(?:f?"[^"\n\\]*"|f?'[^'\n\\]*'|\`[^\`\n\\]*\`)`;
/** A variable, or a text with what is put into or behind it. */
const variableText = new RegExp(
  String.raw`^\s*(?:[A-Za-z_$][\w$]*|${text}(?:(?:\s*\+\s*(?:[A-Za-z_$][\w$]*|${text}))*|\s*%\s*\w+|\s*\.\s*format\([^()\n]*\)))(?=\s*[,)])`,
);

/** The first and the second argument of a call, as far as it is known. */
type Paths = readonly (readonly [string, string | null])[];

/**
 * The files that the calls of a program name, literally or by variables: `for path in ["a", "b"]: shutil.rmtree(path)`,
 * also within a text: `shutil.rmtree(f'../{name}')`.
 */
class NamedPaths {
  readonly #language: Language;
  readonly #source: string;
  #functions: InlineFunctions | null = null;

  constructor(language: Language, source: string) {
    this.#language = language;
    this.#source = source;
  }

  /** What a call is given whose arguments begin there, in each of its rounds and for each caller of the function around. */
  at(start: number, followedBy: RegExp | undefined): Paths {
    const { paths, target, rest } = literalsAt(this.#source, start, this.#language);
    const isPart = /^\s*(?:[+%]|\.\s*format\b)/.test(rest);
    const made = paths.length === 0 || isPart ? this.#made(start, followedBy) : [];
    return made.length > 0 || followedBy?.test(rest) === false ? made : paths.map((path) => [path, target] as const);
  }

  #made(start: number, followedBy: RegExp | undefined): Paths {
    const rest = this.#source.slice(start, start + maximumRest);
    const expression = variableText.exec(rest)?.[0];
    if (expression === undefined || followedBy?.test(rest.slice(expression.length)) === false) {
      return [];
    }
    this.#functions ??= new InlineFunctions(this.#language, this.#source);
    return this.#functions.textsAt(start).flatMap(([path, target]) => (path === null ? [] : [[path, target] as const]));
  }
}

/** A path that a program puts together matters where it may lead to git's files, the hooks or the guard's. */
const mayMatter = /git|hook|husky|oxide-guard/i;

const removers = 'unlink|remove|rmtree|rmdir|unlinkSync|rmSync|chmod|chmodSync|rename|renameSync|write_text|delete';
/** Called with a name or a text that is put together, or handed on: `map(os.remove, paths)`. */
const removal = new RegExp(
  String.raw`\b(?:${removers})\s*\(\s*(?:[A-Za-z_)\x60]|(["'])[^"'\n]*(?:hooks|\.husky)[^"'\n]*\1\s*\+)|\(\s*(?:\w+|Path\([^()\n]*\))\s*\/[^()\n]*\)\s*\.\s*(?:${removers}|write_bytes|open)\s*\(|\.\s*chmod\s*\(\s*\d|\b(?:map|forEach|for_each|each)\s*\(\s*(?:\w+\s*\.\s*)?(?:${removers})\s*[,)]`,
  'g',
);
/** The same in languages that have other ways to call a function, or to put a text together. */
const ownRemovals: Readonly<Record<string, RegExp>> = {
  ruby: /\b(?:(?:File|Dir|FileUtils)\s*\.\s*(?:delete|unlink|rename|chmod|rm\w*|remove\w*|mv|move)|rm_rf?|rm_f)[\s(]+(?:\w+\s*,\s*)?(?:\*|Dir\b|[a-z_]\w*\b|"[^"\n]*#\{)|&\s*(?::(?:delete|unlink|rmtree)\b|File\s*\.\s*method\s*\(\s*:(?:delete|unlink)\b)/,
  perl: /(?<![\w$@>:-])(?:unlink|rename|chmod|move|rmtree|remove_tree)\b[^;}\n]*?(?:[$@]\w|\bglob\b|\bfor(?:each)?\b|<)/,
  php: /(?<![\w$>:])(?:unlink|rename|chmod)\s*\(\s*(?:\$|"[^"\n]*\$)|\barray_(?:map|walk)\s*\([^;\n]*?["'](?:unlink|chmod)["']/,
};
const hooks = /(["'`])((?:(?!\1)[^\n])*(?:\.git\/hooks|\.husky)(?:\/[^"'`\n]*)?)\1/g;

/** `for p in Path('.git/hooks').iterdir(): p.unlink()`: hooks that a program names, and something that it removes. */
function runHookChanges(language: Language, source: string, call: Call, shell: Shell): void {
  const { name } = language;
  const own = ownRemovals[name];
  const removes =
    codeMatches(language, source, removal, shell.overlay.keptTexts).length > 0 || own?.test(source) === true;
  for (const [, , path = ''] of removes ? withPatternsQuoted(name, source).matchAll(hooks) : []) {
    emitChange(
      'remove',
      { path: path.replace(openEnd, ''), target: null, content: null, program: source },
      call,
      shell,
    );
  }
}

/** The name of a file that is a pattern, or has something put in. */
const openEnd = /\/[^/]*(?:\*|[#$]?\{|\$).*$/;

/** Perl's `<.git/hooks/*>`. */
function withPatternsQuoted(language: string, source: string): string {
  return language === 'perl' ? source.replace(/<([^<>\s"'$]*\/[^<>\s"'$]*)>/g, "'$1'") : source;
}

const treeRemoval = /\b(?:rmtree|rmSync|rm_rf|rm_r|removeSync|rimraf|remove_tree)\b\s*\(?\s*[A-Za-z_$@]/;
const worktreeList = /["'`]worktree["'`]\s*,\s*["'`]list["'`]|\bworktree\s+list\b/;

/** `for line in check_output(["git", "worktree", "list"]): shutil.rmtree(…)`: any of the linked ones may be meant. */
function runWorktreeChanges(source: string, call: Call, shell: Shell): void {
  if (worktreeList.test(source) && treeRemoval.test(source)) {
    const listed = unknownWord('git worktree list', 'what the program removes is not known');
    const argv = [...['rm', '-rf', '--'].map(knownWord), { ...listed, names: 'work trees' as const }];
    shell.run({ ...call, argv, lookup: 'programs' });
  }
}

const writing =
  /\b(?:writeFile|writeFileSync|write_text|write|dump|file_put_contents)\s*\(\s*(?:[A-Za-z_$]|\))|\bopen\s*\(\s*[A-Za-z_][\w.]*\s*,\s*["'][rbt]*[wax+]/;
const configurations = /(["'`])((?:(?!\1)[^\n])*(?:package\.json|oxide-guard\.config\.[cm]?[jt]s(?:on)?))\1/g;

/** `p = 'package.json'; json.dump(data, open(p, 'w'))`: a configuration that a program names, and something that it writes. */
function runConfigurationChanges(source: string, call: Call, shell: Shell): void {
  const named = source.includes('oxide-guard') && writing.test(source) ? source.matchAll(configurations) : [];
  for (const path of new Set(Array.from(named, ([, , name = '']) => name))) {
    emitWrite({ path, content: null, program: source }, call, shell);
  }
}

interface Literals {
  /** The first literal of an argument list; each of them where it is a list, of which one may be taken. */
  readonly paths: readonly string[];
  readonly target: string | null;
  /** What follows the first. */
  readonly rest: string;
}

function literalsAt(source: string, start: number, { interpolation }: Language): Literals {
  const first = readLiteral(source, start, interpolation);
  if (first === null) {
    return { paths: [], target: null, rest: '' };
  }
  const rest = source.slice(first.end, first.end + maximumRest);
  const comma = /^\s*,/.exec(rest)?.[0].length;
  const second = comma === undefined ? null : readLiteral(source, first.end + comma, interpolation);
  const values = first.kind === 'list' ? first.values : [first.value];
  const [, index] = /^\s*\[\s*(-?\d+)\s*\]/.exec(rest) ?? [];
  const taken = index === undefined ? values : [values.at(Number(index)) ?? null];
  return {
    paths: taken.filter((path) => path !== null),
    target: second?.kind === 'string' ? second.value : null,
    rest,
  };
}

/** The literals behind the first argument: `remove_tree("dist", ".git")`. */
function furtherLiterals(source: string, start: number, { interpolation }: Language): readonly string[] {
  const found: string[] = [];
  let literal = readLiteral(source, start, interpolation);
  for (let comma = 0; literal !== null && found.length < maximumCalls; ) {
    comma = /^\s*,/.exec(source.slice(literal.end, literal.end + maximumRest))?.[0].length ?? 0;
    literal = comma === 0 ? null : readLiteral(source, literal.end + comma, interpolation);
    const values = literal === null ? [] : literal.kind === 'list' ? literal.values : [literal.value];
    found.push(...values.filter((value) => value !== null));
  }
  return found;
}

interface NamedChange {
  readonly path: string;
  readonly target: string | null;
  /** What is written, where that is known. */
  readonly content: string | null;
  /** It is made of what was there, which stays where the program ends before. */
  readonly isEdit?: true;
  /** The text of the program that makes it. */
  readonly program: string;
}

function emitChange(change: FileCall['change'], named: NamedChange, call: Call, shell: Shell): void {
  const { path, target, program } = named;
  const run = (...words: readonly string[]) => shell.run({ ...call, argv: words.map(knownWord), lookup: 'programs' });
  switch (change) {
    case 'remove':
      // shelljs takes options as rm does.
      run('rm', '-rf', '--', path.startsWith('-') && target !== null ? target : path);
      break;
    case 'remove file':
      if (!isDirectory(path, call, shell)) {
        run('rm', '-rf', '--', path);
      }
      break;
    case 'mode':
      run('chmod', '--', 'MODE', path);
      break;
    case 'move':
      run('mv', '--', path, target ?? '.');
      break;
    case 'copy tree':
      if (target !== null) {
        run('cp', '-rT', '--', path, target);
      }
      break;
    case 'copy':
      emitWrite({ path: target ?? '', content: null, program }, call, shell);
      break;
    case 'write':
      emitWrite(named, call, shell);
  }
}

function isDirectory(path: string, { state }: Call, { overlay }: Shell): boolean {
  const absolute = resolvePath(knownWord(path), state.cwd);
  return absolute !== null && overlay.isDirectory(absolute);
}

function emitWrite(
  { path: name, content, isEdit, program }: Omit<NamedChange, 'target'>,
  { state, frame, source }: Call,
  shell: Shell,
): void {
  const path = knownWord(name);
  const absolute = resolvePath(path, state.cwd);
  if (absolute !== null) {
    const origin = originOf(source, state, frame);
    if (content === null || isEdit !== true) {
      shell.overlay.write(absolute, content === null ? null : knownWord(content), false);
    }
    const write = {
      kind: 'write',
      path,
      cwd: state.cwd,
      append: false,
      refusesExisting: false,
      content,
      program,
    } as const;
    shell.emit({ ...write, origin });
  }
}
