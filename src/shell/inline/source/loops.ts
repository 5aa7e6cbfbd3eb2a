import { bracketStep, endOfValue } from './brackets.ts';
import { namesOf, type Target, targetIn } from './targets.ts';
import { chosenFrom } from './walks.ts';

/** A loop of an inline program: `for cmd in (…):`, `for (const c of […])`, `[…].forEach((c) => …)`. */
export interface SourceLoop {
  /** What each value is called, or the parts of it. */
  readonly target: Target;
  /** The names in it. */
  readonly names: readonly string[];
  /** What it goes through, as it is written: a list, or the name of one. */
  readonly values: string;
  /** It goes through the keys of an object: `for (const k in steps)`. */
  readonly isOfKeys: boolean;
  /** Where the loop is written. */
  readonly at: number;
  /** From where on the names have a value. */
  readonly start: number;
}

const statements =
  /\bfor[ \t]+(?!\(\s*(?:const|let|var)\b)(?<python>[\w, \t()*]+?)[ \t]+in\b|\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+(?<script>[\w$]+|\[[^\]=;]*\]+|\{[^}=;]*\})\s+(?<kind>of|in)\b/g;
const methods =
  /\.\s*(?:forEach|map|flatMap)\s*\(\s*(?:async\s*)?(?:\(\s*(?<script>[\w$]+|\[[^\]=;]*\]+|\{[^}=;]*\})\s*(?:,[^()=]*)?\)|(?<only>[\w$]+))\s*=>/g;

/** The loops in their order. @param code the source, its strings and comments blanked */
export function loopsOf(source: string, code: string): readonly SourceLoop[] {
  const loops: SourceLoop[] = [];
  const add = (written: string, loop: Omit<SourceLoop, 'target' | 'names'>) => {
    const target = targetIn(written);
    if (target !== null) {
      loops.push({ ...loop, target, names: namesOf(target) });
    }
  };
  for (const match of code.matchAll(statements)) {
    const { python, script, kind } = match.groups ?? {};
    const behind = match.index + match[0].length;
    // Where strings are blanked, nobody sees where one begins.
    const from = behind + (/^\s*/.exec(source.slice(behind))?.[0].length ?? 0);
    const to = endOfSplit(source, from) ?? endOfMembers(code, endOfTable(code, from));
    const around = openBefore(code, match.index, python !== undefined);
    const values = behindValues.test(code.slice(to, to + 80)) ? chosenFrom(source.slice(from, to)) : '';
    const isOfKeys = kind === 'in';
    add(python ?? script ?? '', { values, isOfKeys, at: match.index, start: around ?? to });
  }
  for (const match of code.matchAll(methods)) {
    const values = source.slice(startOfValue(code, match.index), match.index);
    const { script, only } = match.groups ?? {};
    const start = match.index + match[0].length;
    add(script ?? only ?? '', { values, isOfKeys: false, at: match.index, start });
  }
  return loops.sort((a, b) => a.start - b.start);
}

/** What goes through the entries of a table, or the values of something. */
const walks = /^(?:Object\s*\.\s*(?:entries|values|keys)|sorted|list|tuple|reversed|enumerate|zip)\s*(?=\()/;
const walked = /^\s*\.\s*(?:items|values|keys|entries)\s*\(\s*\)/;

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
function openBefore(code: string, to: number, isPython: boolean): number | null {
  let level = 0;
  for (let index = to - 1; index >= Math.max(0, to - longestComprehension); index -= 1) {
    level -= bracketStep(code.charAt(index));
    if (level < 0) {
      return code[index] === '{' && !isPython ? null : index;
    }
  }
  return null;
}
