import { bracketStep, endOfBracket } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import { endOfBody, pythonFunctions, type SourceFunction, scriptFunctions } from './source/functions.ts';
import type { Language } from './source/languages.ts';

/** A stretch of a program that comes only where a call has ended in one way. */
export interface Decision {
  /** That it succeeds, or that it prints nothing. */
  readonly by: 'success' | 'silence';
  readonly from: number;
  readonly to: number;
}

/** A call in a program. */
export interface PlacedCall {
  readonly position: number;
  readonly argumentsAt: number;
}

const module = String.raw`(?:[\w$]+\s*\.\s*|require\(\s*\)\s*\.\s*)?`;
/** What stands before a call that its statement makes in any case: `out = `, `console.log(`. */
const surely = new RegExp(
  String.raw`^\s*(?:(?:const|let|var)\s+)?(?:([\w$]+)\s*=\s*)?(?:await\s+)?(?:(?:console\s*\.\s*\w+|String|str|print)\s*\(\s*)*${module}$`,
);
const asks = new RegExp(String.raw`^\s*if\b\s*(?:\(\s*)?(not\b\s*|!\s*)?${module}$`);
/** What is taken of an answer: `.stdout.strip()`. */
const taken =
  /^(?:\s*\.\s*(?:toString|trim|strip|rstrip|decode|read|stdout|returncode|status|length)\b(?:\(\s*(?:["'][\w-]*["'])?\s*\))?)*/;
const isAnything = /^\s*(?:(?:!==?|>)\s*(?:0|""|'')\s*)?/;
/** What ends a program, a function or a round of a loop, whatever it tells people before. */
const leaves =
  /^\s*(?:\{\s*)?(?:(?:print|console\s*\.\s*\w+)\s*\([^;\n]*\)\s*[;\n]\s*)*(?:(?:sys\s*\.\s*|os\s*\.\s*_|process\s*\.\s*)?exit\s*\(|quit\s*\(|(?:raise|throw|return|continue)\b)/;
/** Begins a block, or stands before the one statement of it. */
const header = /(?:^|[;{}])\s*(?:if|elif|else|for|while|with|try|except|finally|do|def|class|async|case|default)\b/;
/** Goes on in the next line. */
const goesOn = /(?:[,(?:&|=+]|=>)$/;
/** Another place where a name may be another thing. */
const definition = /\b(?:def|class|lambda|function)\b|=>/;
const definitions = /\b(?:def|lambda|function)\b|=>/g;
/** In a function, what makes a call depend on something else, or failures stay inside. */
const branches = /\b(?:if|elif|else|for|while|try|except|catch|finally|with|switch|and|or|yield|async)\b|\?|&&|\|\|/;
/** From here on JavaScript's order is not that of the text. */
const reordered = /\bfunction\s*\*?\s*[\w$]+\s*\(|\bcase\b|\bdefault\s*:/g;

/** What the calls of a program in Python or JavaScript decide about what comes after them. */
export class InlineDecisions {
  readonly #source: string;
  readonly #code: string;
  readonly #isPython: boolean;
  readonly #end: number;
  #functions: readonly SourceFunction[] | null = null;
  #brackets: readonly Bracket[] | null = null;
  readonly #helpers = new Map<number, SourceFunction | null>();

  /** @param end where the program's own text ends, behind which stand the modules that it loads */
  constructor({ name }: Language, source: string, end: number) {
    this.#source = source;
    this.#isPython = name === 'python';
    this.#code = codeOf(source, this.#isPython);
    this.#end = end;
  }

  /** What comes only where the call has succeeded, or has printed nothing. */
  at(call: PlacedCall): readonly Decision[] {
    const start = call.position < this.#end ? this.#startOf(call.position) : null;
    const before = start === null ? '' : this.#code.slice(start, call.position);
    const end = endOfBracket(this.#code, call.argumentsAt) + 1;
    const question = asks.exec(before);
    if (start !== null && question !== null) {
      return this.#answered(call, { start, end, isNegated: question[1] !== undefined, taken: '' });
    }
    const [whole, variable] = surely.exec(before) ?? [];
    if (start === null || whole === undefined || this.#isConditional(end)) {
      return [];
    }
    const to = this.#endOfBlock(start);
    const asked = variable === undefined ? [] : this.#askedLater(variable, call, end, to);
    return this.#throws(call, end) ? [...asked, { by: 'success', from: end, to }] : asked;
  }

  /**
   * What comes only where the command of a helper has succeeded: `def run(c): check_call(c, shell=True)`.
   *
   * @param at where the arguments begin with which the program calls the helper
   */
  through(call: PlacedCall, at: number): readonly Decision[] {
    const helper = this.#helpers.get(call.position) ?? this.#helperOf(call);
    this.#helpers.set(call.position, helper);
    const name = helper?.name.replaceAll('$', '\\$') ?? '';
    const use = new RegExp(`(?<![\\w$.])${name}\\s*\\($`).exec(this.#code.slice(Math.max(0, at - 80), at));
    const position = use === null ? this.#end : Math.max(0, at - 80) + use.index;
    const start = helper === null || position >= this.#end ? null : this.#startOf(position);
    const end = endOfBracket(this.#code, at) + 1;
    return start === null || !surely.test(this.#code.slice(start, position)) || this.#isConditional(end)
      ? []
      : [{ by: 'success', from: end, to: this.#endOfBlock(start) }];
  }

  /** The function around a call that surely makes it, and fails where that does; null where there is none. */
  #helperOf(call: PlacedCall): SourceFunction | null {
    const end = endOfBracket(this.#code, call.argumentsAt) + 1;
    this.#functions ??= (this.#isPython ? pythonFunctions : scriptFunctions)(this.#code);
    const helper = this.#functions.findLast(({ start, end }) => start <= call.position && call.position < end);
    const inside = helper === undefined ? '' : this.#code.slice(Math.max(0, helper.start - 8), call.position);
    const isDecorated = /(?:^|\n)[ \t]*@[^\n]*\s*$/.test(this.#code.slice(0, helper?.start ?? 0));
    const isPlain = !branches.test(inside) && Array.from(inside.matchAll(definitions)).length === 1;
    const isOne = this.#functions.filter(({ name }) => name === helper?.name).length === 1;
    return helper !== undefined &&
      isPlain &&
      isOne &&
      !isDecorated &&
      this.#throws(call, end) &&
      !this.#isConditional(end)
      ? helper
      : null;
  }

  /** Python's `run(…) if ready else None` */
  #isConditional(end: number): boolean {
    return this.#isPython && /^[^;\n]*\bif\b/.test(this.#code.slice(end));
  }

  /** `if check_output(…): sys.exit()`, `if not check_output(…): …` */
  #answered(
    call: PlacedCall,
    { start, end, isNegated, taken: before }: { start: number; end: number; isNegated: boolean; taken: string },
  ): readonly Decision[] {
    const taking = taken.exec(this.#source.slice(end))?.[0] ?? '';
    const compared = isAnything.exec(this.#source.slice(end + taking.length))?.[0] ?? '';
    const close = end + taking.length + compared.length;
    const by = this.#kindOf(call, before + taking);
    if (by === null || this.#code[close] !== (this.#isPython ? ':' : ')') || (isNegated && compared.trim() !== '')) {
      return [];
    }
    const body = { from: close + 1, to: this.#endOfBranch(start, close + 1) };
    return isNegated
      ? [{ by, ...body }]
      : leaves.test(this.#code.slice(body.from, body.to))
        ? [{ by, from: body.to, to: this.#endOfBlock(start) }]
        : [];
  }

  /** `dirty = check_output(…)`, and then `if dirty: sys.exit()` */
  #askedLater(variable: string, call: PlacedCall, end: number, to: number): readonly Decision[] {
    const name = variable.replaceAll('$', '\\$');
    const given = new RegExp(
      `(?<![\\w$.])${name}\\s*(?:[+:]?=(?![=>])|,[^;\\n()]*=)|\\b(?:for|as)\\s+${name}(?![\\w$])`,
      'g',
    );
    const question = new RegExp(`\\bif\\b\\s*(?:\\(\\s*)?(not\\b\\s*|!\\s*)?${name}(?![\\w$])`, 'g');
    question.lastIndex = end;
    const before = taken.exec(this.#source.slice(end))?.[0] ?? '';
    const isWhole = /^[ \t]*(?:[;\n#]|\/\/|$)/.test(this.#source.slice(end + before.length));
    const found = isWhole && Array.from(this.#code.matchAll(given)).length === 1 ? question.exec(this.#code) : null;
    const start = found === null || found.index >= to ? null : this.#startOf(found.index);
    const between = this.#code.slice(end, found?.index);
    if (
      found === null ||
      start === null ||
      definition.test(between) ||
      this.#code.slice(start, found.index).trim() !== ''
    ) {
      return [];
    }
    const isNegated = found[1] !== undefined;
    return this.#answered(call, { start, end: found.index + found[0].length, isNegated, taken: before });
  }

  /** What a question about an answer asks; null where it is always yes, or not known. */
  #kindOf(call: PlacedCall, taking: string): Decision['by'] | null {
    const name = this.#nameOf(call);
    const given = this.#code.slice(call.argumentsAt, endOfBracket(this.#code, call.argumentsAt));
    if (/^(?:run|spawnSync)$/.test(name) && /\.\s*(?:returncode|status)\b/.test(taking)) {
      return 'success';
    }
    if (/^(?:system|call)$/.test(name)) {
      return taking === '' ? 'success' : null;
    }
    const isCaught = /^(?:check_output|getoutput)$/.test(name) || (name === 'popen' && /\.\s*read\b/.test(taking));
    const isKept = name === 'run' && /\.\s*stdout\b/.test(taking) && /\bcapture_output\b|\bPIPE\b/.test(given);
    // What node's functions answer is an object, which is never nothing.
    const isText = /\.\s*(?:toString|trim|length)\b/.test(taking) || /\bencoding\b/.test(given);
    const isRead = /^exec(?:File)?Sync$/.test(name) && isText && !/\bstdio\b/.test(given);
    return isCaught || isKept || isRead ? 'silence' : null;
  }

  #throws(call: PlacedCall, end: number): boolean {
    const name = this.#nameOf(call);
    const isChecked =
      name === 'run' && this.#isPython && /\bcheck\s*=\s*True\b/.test(this.#code.slice(call.argumentsAt, end));
    return isChecked || /^(?:exec(?:File)?Sync|execaSync|check_output|check_call)$/.test(name);
  }

  /** The name of a function that the program has not made itself; empty where it has. */
  #nameOf({ position, argumentsAt }: PlacedCall): string {
    const [, module, name = ''] = /(\.\s*)?(\w+)\s*\(\s*$/.exec(this.#code.slice(position, argumentsAt)) ?? [];
    const own = new RegExp(
      `\\b(?:def|function)\\s+${name}\\b|(?<![\\w$.])${name}\\s*=\\s*(?:async\\b\\s*)?(?:\\(|function|lambda|\\w+\\s*=>)`,
    );
    return module === undefined && own.test(this.#code) ? '' : name;
  }

  /** Where the statement begins that stands there; null where it is a part of another one, or of a line with a condition. */
  #startOf(position: number): number | null {
    const code = this.#code;
    const line = code.lastIndexOf('\n', position - 1) + 1;
    const ends = this.#isPython ? /;/g : /[;{}]/g;
    const last = Array.from(code.slice(line, position).matchAll(ends)).at(-1);
    const start = last === undefined ? line : line + last.index + 1;
    const bracket = this.#bracketAround(start);
    const around = bracket === null ? '' : code.charAt(bracket.open);
    if (this.#isPython) {
      const isPart = code[line - 2] === '\\' || (last !== undefined && header.test(code.slice(line, start)));
      return around !== '' || isPart ? null : start;
    }
    const before = code.slice(0, start).trimEnd();
    const previous = before.slice(before.lastIndexOf('\n') + 1);
    const isNew =
      /(?:^|[;{}])$/.test(before) || (levelOf(previous) === 0 && !header.test(previous) && !goesOn.test(previous));
    return (around === '' || around === '{') && isNew ? start : null;
  }

  /** Where the block of a statement ends, within which what follows on it comes after it. */
  #endOfBlock(start: number): number {
    return Math.min(this.#end, this.#isPython ? this.#endOfIndent(start, 0) : this.#endOfBraces(start));
  }

  /** Where the block of an `if` ends. @param start of its statement @param from behind its condition */
  #endOfBranch(start: number, from: number): number {
    if (!this.#isPython) {
      const open = from + (/^\s*/.exec(this.#code.slice(from))?.[0].length ?? 0);
      return Math.min(endOfBody(this.#code, open), this.#firstReordered(from));
    }
    const line = this.#code.indexOf('\n', from);
    const isOneLine = line < 0 || this.#code.slice(from, line).trim() !== '';
    return isOneLine ? (line < 0 ? this.#code.length : line) : this.#endOfIndent(from, 1, start);
  }

  /** The next line that stands further out. @param more 1: or as far */
  #endOfIndent(from: number, more: 0 | 1, start = from): number {
    const line = this.#code.lastIndexOf('\n', start - 1) + 1;
    const indent = (/^[ \t]*/.exec(this.#code.slice(line))?.[0].length ?? 0) + more;
    const outer = indent === 0 ? null : new RegExp(`\\n[ \\t]{0,${indent - 1}}(?=[^\\s)\\]}])`, 'g');
    if (outer !== null) {
      outer.lastIndex = from;
    }
    return outer?.exec(this.#code)?.index ?? this.#code.length;
  }

  #endOfBraces(start: number): number {
    return Math.min(this.#bracketAround(start)?.close ?? this.#code.length, this.#firstReordered(start));
  }

  /** The innermost bracket that is open there. */
  #bracketAround(position: number): Bracket | null {
    this.#brackets ??= bracketsIn(this.#code);
    const last = this.#brackets.findLast(({ open }) => open < position) ?? null;
    let around = last;
    while (around !== null && around.close < position) {
      around = around.around;
    }
    return around;
  }

  #firstReordered(from: number): number {
    reordered.lastIndex = from;
    return reordered.exec(this.#code)?.index ?? this.#code.length;
  }
}

function levelOf(code: string): number {
  return Array.from(code).reduce((level, character) => level + bracketStep(character), 0);
}

interface Bracket {
  readonly open: number;
  close: number;
  readonly around: Bracket | null;
}

/** By where they open. */
function bracketsIn(code: string): readonly Bracket[] {
  const brackets: Bracket[] = [];
  let around: Bracket | null = null;
  for (const { index, 0: character } of code.matchAll(/[()[\]{}]/g)) {
    if (bracketStep(character) > 0) {
      around = { open: index, close: code.length, around };
      brackets.push(around);
    } else if (around !== null) {
      around.close = index;
      around = around.around;
    }
  }
  return brackets;
}
