import { bracketStep } from './brackets.ts';

/** A loop of an inline program: `for cmd in (…):`, `for (const c of […])`, `[…].forEach((c) => …)`. */
export interface SourceLoop {
  /** What each value is called, or each part of it. */
  readonly names: readonly string[];
  /** They are fields of each value: `{ name, cmd }`. */
  readonly areFields: boolean;
  /** What it goes through, as it is written: a list, or the name of one. */
  readonly values: string;
  /** From where on the names have a value. */
  readonly start: number;
}

const statements =
  /\bfor[ \t]+\(?([\w, \t]+?)\)?[ \t]+in\b|\bfor\s*\(\s*(?:const|let|var)\s+(?:\[([\w$, \t]+)\]|([\w$]+)|\{([\w$, \t]+)\})\s+of\b/g;
const methods =
  /\.\s*(?:forEach|map)\s*\(\s*(?:async\s*)?(?:\(\s*(?:\[([\w$, \t]+)\]|([\w$]+)|\{([\w$, \t]+)\})\s*\)|([\w$]+))\s*=>/g;

/** The loops in their order. @param code the source, its strings and comments blanked */
export function loopsOf(source: string, code: string): readonly SourceLoop[] {
  const loops: SourceLoop[] = [];
  for (const match of code.matchAll(statements)) {
    const behind = match.index + match[0].length;
    // Where strings are blanked, nobody sees where one begins.
    const from = behind + (/^\s*/.exec(source.slice(behind))?.[0].length ?? 0);
    const to = endOfSplit(source, from) ?? endOfMembers(code, endOfTable(code, from));
    const around = openBefore(code, match.index);
    const values = behindValues.test(code.slice(to, to + 80)) ? chosenFrom(source.slice(from, to)) : '';
    loops.push({ names: namesOf(match), areFields: match[4] !== undefined, values, start: around ?? to });
  }
  for (const match of code.matchAll(methods)) {
    const values = source.slice(startOfValue(code, match.index), match.index);
    loops.push({
      names: namesOf(match),
      areFields: match[3] !== undefined,
      values,
      start: match.index + match[0].length,
    });
  }
  return loops.sort((a, b) => a.start - b.start);
}

function namesOf([, ...groups]: RegExpExecArray): readonly string[] {
  const written = groups.find((group) => group !== undefined) ?? '';
  return written.split(',').flatMap((name) => name.trim() || []);
}

/** Where a value ends that is a name or stands between brackets. */
export function endOfValue(code: string, from: number): number {
  const name = /^[\w$]+/.exec(code.slice(from))?.[0].length ?? 0;
  let level = 0;
  for (let index = from; name === 0 && index < code.length; index += 1) {
    level += bracketStep(code.charAt(index));
    if (level <= 0) {
      return index + 1;
    }
  }
  return from + name;
}

/** What gives the same values, in another order at most. */
const wrapped = /^(?:sorted|list|tuple|reversed)\(([\s\S]*)\)$/;
/** What leaves some of the values out, or puts them in another order. */
const chosen = /(?:\[\s*-?\w*\s*:\s*-?\w*\s*\]|\.\s*(?:slice|filter|sort|toSorted|reverse|toReversed|copy)\([^()]*\))$/;

/** What all values are that a loop goes through, where it may leave some out: `sorted(files)`, `files[1:]`. */
function chosenFrom(written: string): string {
  const all = written.trim().replace(wrapped, '$1').replace(chosen, '');
  return all === written.trim() ? all : chosenFrom(all);
}

/** What goes through the entries of a table, or the values of something. */
const walks = /^(?:Object\s*\.\s*(?:entries|values|keys)|sorted|list|tuple|reversed)\s*(?=\()/;
const walked = /^\s*\.\s*(?:items|values|keys)\s*\(\s*\)/;

/** Where a value ends of which entries are taken: `Object.entries(T)`, `T.items()`; else as {@link endOfValue}. */
function endOfTable(code: string, from: number): number {
  const walk = walks.exec(code.slice(from))?.[0].length ?? 0;
  const end = endOfValue(code, from + walk);
  return end + (walked.exec(code.slice(end))?.[0].length ?? 0);
}

/** `T["log"]`, `conf.steps`, `T.get("log", [])`: where the members end that are taken of a value. */
function endOfMembers(code: string, from: number): number {
  const step = /^[ \t]*(?:\.\s*[\w$]+|(?=[[(]))/.exec(code.slice(from, from + 80))?.[0];
  if (step === undefined) {
    return from;
  }
  const behind = from + step.length;
  return endOfMembers(code, step.includes('.') ? behind : endOfValue(code, behind));
}

/** What follows on all that a loop goes through; another list may be added to it. */
const behindValues = /^\s*(?:$|[:)\]};]|(?:if|for|async|as)\b)/;

/** Where a text ends that is taken apart: `for line in """…""".strip().splitlines():`; null where none is. */
function endOfSplit(source: string, from: number): number | null {
  const split =
    /^\s*(?:"{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}|"[^"\n]*"|'[^'\n]*'|`[^`]*`|[\w$]+)\s*(?:\.\s*(?:strip|trim)\(\s*\)\s*)?\.\s*(?:splitlines|split)\([^()\n]*\)/;
  const length = split.exec(source.slice(from))?.[0].length;
  return length === undefined ? null : from + length;
}

function startOfValue(code: string, to: number): number {
  const name = /(?:[\w$]+\s*\.\s*)*[\w$]+$/.exec(code.slice(Math.max(0, to - 200), to))?.[0].length ?? 0;
  let level = 0;
  for (let index = to - 1; name === 0 && index >= 0; index -= 1) {
    level -= bracketStep(code.charAt(index));
    if (level <= 0) {
      return index - (/Object\s*\.\s*(?:entries|values|keys)\s*$/.exec(code.slice(0, index))?.[0].length ?? 0);
    }
  }
  return to - name;
}

/** Characters; nobody writes a longer one, and every loop of a program would be looked at up to the program's beginning. */
const longestComprehension = 4096;

/** The bracket that a comprehension stands in: `[run(c) for c in commands]`. */
function openBefore(code: string, to: number): number | null {
  let level = 0;
  for (let index = to - 1; index >= Math.max(0, to - longestComprehension); index -= 1) {
    level -= bracketStep(code.charAt(index));
    if (level < 0) {
      return code[index] === '{' ? null : index;
    }
  }
  return null;
}
