import { type ExactTexts, exactTexts } from './exact-texts.ts';
import type { Language } from './languages.ts';
import { readLiteral } from './literal.ts';

type Kind = 'python' | 'script';

/** What may run a text of the program, or code that it has written, as if it were its own; by the rest of the program. */
const runsTexts: Readonly<Record<Kind, RegExp>> = {
  python:
    /(?<!\b(?:re|regex)\s*\.\s*)\bcompile\b|\b(?:exec|eval|execfile|__\w+__|getattr|globals|locals|run_path|run_module)\b|\b(?:import|from)\s[^\n;]*\b(?:builtins|code|codeop|ctypes|cffi|cProfile|doctest|importlib|pdb|profile|pty|pexpect|runpy|timeit|trace)\b|^[ \t]+(?:import|from)\b/m,
  script:
    /\b(?:eval|Function|constructor|vm|Worker|_compile|dlopen|binding|Reflect|globalThis|createRequire|setTimeout|setInterval)\b|\bimport\s*(?:\(|\.\s*meta)|\b__(?:file|dir)name\b/,
};

/** Loads a module: Python's statement, and `require` of anything but one by its name. */
const loads: Readonly<Record<Kind, RegExp>> = {
  python: /\b(?:import|from)\s/g,
  script: /\brequire\s*\((?!\s*["'](?:node:)?[a-z@])/g,
};

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
  readonly texts: readonly string[];
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
  const [[first] = []] = inert;
  if (kind === null || read === null || first === undefined || mayRunTexts(language, kind, { source, read, first })) {
    return null;
  }
  return {
    counts: spans.map((span) => !isInert(span, read)),
    texts: [...new Set(inert.flatMap(([start]) => textAround(start, source, read, language)))],
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
  kept: string[],
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

function mayRunTexts(
  { calls, quoted }: Language,
  kind: Kind,
  { source, read, first }: { readonly source: string; readonly read: ExactTexts; readonly first: number },
): boolean {
  const inCode = (pattern: RegExp) =>
    [...source.matchAll(pattern)].filter(({ index, 0: call }) => !isInert([index, index + call.length], read));
  const code = Array.from(read.marks, (isText, at) => (isText && source[at] !== '\n' ? ' ' : source.charAt(at)));
  // A module that is loaded behind it may be what was written.
  const isLoaded = inCode(loads[kind]).some(({ index }) => kind === 'script' || index > first);
  const startsOthers =
    inCode(calls).some(({ index, 0: call }) => !gitAlone.test(source.slice(index + call.length))) ||
    (quoted !== null &&
      inCode(quoted).some(({ index, 0: call }) => !gitAlone.test(source.slice(index + call.length - 1))));
  return isLoaded || startsOthers || runsTexts[kind].test(code.join(''));
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
