import { listedWords } from '../../../listed-words.ts';
import type { KeptText } from '../../script-overlay.ts';
import { type ExactTexts, exactTexts } from './exact-texts.ts';
import type { Language } from './languages.ts';
import { readLiteral } from './literal.ts';

type Kind = 'python' | 'script';

/** What may run a text of the program, or code that it has written, as if it were its own; by the rest of the program. */
const runsTexts: Readonly<Record<Kind, RegExp>> = {
  python:
    /(?<!\b(?:re|regex)\s*\.\s*)\bcompile\b|\b(?:exec|eval|execfile|__\w+__|getattr|globals|locals|breakpoint|run_path|run_module|get_type_hints|ForwardRef|singledispatch\w*|methodcaller|attrgetter|dictConfig|addsitedir|path_hooks|unsafe_load|\w*UnsafeLoader)\b|^[ \t]+(?:import|from)\b|\bsys\s*\.\s*(?:path|modules|meta_path)\b/m,
  script:
    /\b(?:eval|Function|constructor|_compile|_load|_extensions|dlopen|binding|Reflect|globalThis|createRequire|setTimeout|setInterval|fork|getBuiltinModule|loadEnvFile)\b|\bimport\s*(?:\(|\.\s*meta)|\b__(?:file|dir)name\b|\[\s*["'`][^\]\n]*["'`]\s*\+/,
};

/** The modules that a program names: Python's statements, and what a script requires or imports. */
const loads: Readonly<Record<Kind, RegExp>> = {
  python: /(?:^|[\n;])[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+([\w.]+)[ \t]+import\b)/g,
  script: /\brequire\s*\(\s*(?:["'`]([^"'`\n]*)["'`])?|\b(?:from|import)\s*["']([^"'\n]*)["']/g,
};

/** Modules that run no text which they are given, and load none that lies beside the program. */
const harmlessModules: Readonly<Record<Kind, ReadonlySet<string>>> = {
  python: new Set(
    listedWords(`__future__ abc argparse array ast base64 binascii bisect calendar collections configparser contextlib copy csv
    dataclasses datetime decimal difflib enum errno fileinput fnmatch fractions functools getpass git glob gzip hashlib heapq html
    io itertools json locale logging math mimetypes numbers operator os pathlib platform pprint random re regex requests secrets
    shlex shutil signal socket stat statistics string struct subprocess sys tempfile textwrap time toml tomllib tomlkit traceback
    types typing unicodedata urllib uuid warnings weakref xml yaml zipfile zlib zoneinfo`),
  ),
  script: new Set(
    listedWords(`assert assert/strict buffer child_process console crypto events fs fs/promises http https net os path process
    querystring readline readline/promises stream stream/promises string_decoder timers timers/promises url util zlib glob fast-glob
    globby fs-extra execa js-yaml yaml semver`),
  ),
};

/** Writes a file, which may then be a module. */
const writes = /\bopen\s*\(|\bwrite\w*\s*\(|\b(?:copy|move|rename|extract|unpack)\w*\s*\(/;

/** Behind a call that starts a process: git alone. Another one could run a file that the text is written to. */
const gitAlone = /^\s*\[?\s*(["'`])git(?:\1|\s[^;&|`$()<>\n"']*\1)/;

type Span = readonly [start: number, end: number];

const isInert = ([start, end]: Span, { marks }: ExactTexts): boolean =>
  marks[start] === true && marks[end - 1] === true;

/** What of a program's texts and comments looks like code. */
export interface InertTexts {
  /** Whether it is code, for each span. */
  readonly counts: readonly boolean[];
  /** The texts in which something stands that is none. */
  readonly texts: readonly KeptText[];
}

/**
 * What of a program in Python or JavaScript is a text or a comment, which nothing in the program runs. A file that such a
 * text is written to is judged when it runs.
 *
 * @param spans where something stands that would count, were it code: a part of `require("x").sync(` is none
 * @returns null: all of them count, as far as one can tell
 */
export function inertTexts(language: Language, source: string, spans: readonly Span[]): InertTexts | null {
  const kind = kindOf(language);
  const read = kind === null || spans.length === 0 ? null : exactTexts(source, kind === 'python');
  const inert = read === null ? [] : spans.filter((span) => isInert(span, read));
  if (kind === null || read === null || inert.length === 0 || mayRunTexts(language, kind, source, read)) {
    return null;
  }
  return {
    counts: spans.map((span) => !isInert(span, read)),
    texts: [...new Set(inert.flatMap(([start]) => textAround(start, source, read, language)))].map((text) => ({
      language: language.name,
      text,
    })),
  };
}

/**
 * Matches that are code; all of them where that can't be told.
 *
 * @param kept takes the texts in which others stand
 */
export function codeMatches(
  language: Language,
  source: string,
  pattern: RegExp,
  kept: KeptText[],
): readonly RegExpExecArray[] {
  const matches = [...source.matchAll(pattern)];
  const inert = inertTexts(
    language,
    source,
    matches.map(({ index, 0: call }) => [index, index + call.length]),
  );
  kept.push(...(inert?.texts ?? []));
  return inert === null ? matches : matches.filter((_, at) => inert.counts[at]);
}

function kindOf({ name }: Language): Kind | null {
  return name === 'python' ? name : /^(?:node|bun|deno)$/.test(name) ? 'script' : null;
}

function mayRunTexts({ calls, quoted }: Language, kind: Kind, source: string, read: ExactTexts): boolean {
  const inCode = (pattern: RegExp) =>
    [...source.matchAll(pattern)].filter(({ index, 0: call }) => !isInert([index, index + call.length], read));
  const code = Array.from(read.marks, (isText, at) => (isText && source[at] !== '\n' ? ' ' : source.charAt(at)));
  // A module that is loaded behind it may be what was written.
  const written = code.join('').search(writes);
  const isLoaded = inCode(loads[kind]).some(
    ({ index, 1: named, 2: from }) =>
      (kind === 'python' && written >= 0 && index > written) || !isHarmless(named ?? from ?? '', kind),
  );
  const startsOthers =
    inCode(calls).some(({ index, 0: call }) => !gitAlone.test(source.slice(index + call.length))) ||
    (quoted !== null &&
      inCode(quoted).some(({ index, 0: call }) => !gitAlone.test(source.slice(index + call.length - 1))));
  return isLoaded || startsOthers || runsTexts[kind].test(code.join(''));
}

/** @param names of modules, as a program writes them: `os.path, re as r`, `node:fs`; empty: worked out */
function isHarmless(names: string, kind: Kind): boolean {
  const known = harmlessModules[kind];
  return names
    .split(',')
    .map((name) => name.trim().split(/\s/)[0] ?? '')
    .every((name) => known.has(kind === 'python' ? (name.split('.')[0] ?? '') : name.replace(/^node:/, '')));
}

/** The innermost text that a position stands in; none for a comment. */
function textAround(position: number, source: string, { texts }: ExactTexts, language: Language): readonly string[] {
  const around = texts.filter(([start, end]) => start <= position && position < end);
  const [start, end] = around.reduce((inner, one) => (one[0] >= inner[0] ? one : inner), [-1, -1] as const);
  const literal = start < 0 ? null : readLiteral(source, start, language.interpolation);
  return literal === null
    ? []
    : literal.kind === 'string' && literal.value !== null
      ? [literal.value]
      : [source.slice(start, end)];
}
