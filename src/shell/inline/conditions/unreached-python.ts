import { bracketStep } from '../source/brackets.ts';
import type { KnownValue, Span } from './known-value.ts';
import type { KnownValues } from './known-values.ts';

/** A statement of Python in its lines, without what stands further in below it. */
interface Statement {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  readonly indent: number;
  /** What begins a block, up to its colon: `if`. */
  readonly keyword: string | null;
  /** Behind the colon. */
  readonly bodyAt: number;
}

/** Ends what a statement stands in: the program, a function, a round of a loop. */
const leaving =
  /^(?:(?:sys\s*\.\s*exit|os\s*\.\s*_exit|exit|quit|(?:parser|ap|argparser)\s*\.\s*(?:error|exit))\s*\(|(?:raise|return|continue|break)\b)/;

const compound = /^(?:async\s+)?(if|elif|else|while|for|try|except|finally|with|def|class|match|case)\b/;

/** What a program in Python surely never comes to. @param code texts and comments blanked */
export function unreachedOfPython(code: string, values: KnownValues): readonly Span[] {
  const statements = statementsOf(code);
  return new Blocks(code, values, statements).unreached(0, statements.length);
}

/** Reads blocks, which are statements that follow each other as far in as the first. */
class Blocks {
  readonly #code: string;
  readonly #values: KnownValues;
  readonly #all: readonly Statement[];

  constructor(code: string, values: KnownValues, all: readonly Statement[]) {
    this.#code = code;
    this.#values = values;
    this.#all = all;
  }

  /** @param from the first statement @param to behind the last */
  unreached(from: number, to: number): readonly Span[] {
    const spans: Span[] = [];
    for (let at = from; at < to; ) {
      const chain = this.#chainAt(at, to);
      const { dead, leaves } = this.#chain(chain);
      spans.push(...dead);
      const next = chain.at(-1)?.to ?? at + 1;
      if (leaves && next < to) {
        return [...spans, this.#span(next, to)];
      }
      at = next;
    }
    return spans;
  }

  #span(from: number, to: number): Span {
    return [this.#all[from]?.start ?? 0, this.#all[to - 1]?.end ?? this.#code.length];
  }

  /** A statement with its block, and the `elif` and `else` that belong to it. */
  #chainAt(at: number, to: number): readonly Branch[] {
    const branches: Branch[] = [];
    const indent = this.#all[at]?.indent ?? 0;
    for (let index = at; index < to; ) {
      const statement = this.#all[index];
      const isNext = branches.length === 0 || /^(?:elif|else)$/.test(statement?.keyword ?? '');
      if (statement === undefined || !isNext || (branches.length > 0 && statement.indent !== indent)) {
        break;
      }
      const end = this.#endOfBody(index, to);
      branches.push({ statement, body: index + 1, to: end });
      index = end;
      if (!/^(?:if|elif)$/.test(statement.keyword ?? '')) {
        break;
      }
    }
    return branches;
  }

  #endOfBody(at: number, to: number): number {
    const indent = this.#all[at]?.indent ?? 0;
    let end = at + 1;
    while (end < to && (this.#all[end]?.indent ?? 0) > indent) {
      end += 1;
    }
    return end;
  }

  /** Where nothing comes, and whether nothing comes behind. */
  #chain(chain: readonly Branch[]): { readonly dead: readonly Span[]; readonly leaves: boolean } {
    const dead: Span[] = [];
    let isSettled = false;
    let mayPass = true;
    for (const branch of chain) {
      const isLone = branch === chain[0] && branch.statement.keyword === 'else';
      const holds: boolean | null = isSettled ? false : isLone ? null : this.#holds(branch.statement);
      if (holds === false) {
        dead.push(...this.#bodyOf(branch));
        continue;
      }
      const inner = this.#inner(branch);
      dead.push(...inner);
      const isChosen = holds === true && mayPass;
      if (isChosen && this.#leaves(branch)) {
        return { dead: [...dead, ...this.#others(chain, branch)], leaves: true };
      }
      isSettled = holds === true;
      mayPass = false;
    }
    return { dead, leaves: false };
  }

  /** The bodies behind one that surely comes. */
  #others(chain: readonly Branch[], chosen: Branch): readonly Span[] {
    return chain.slice(chain.indexOf(chosen) + 1).flatMap((branch) => this.#bodyOf(branch));
  }

  /** Whether what a statement begins comes; null where that is not known. A plain statement comes. */
  #holds({ keyword, start, bodyAt }: Statement): boolean | null {
    switch (keyword) {
      case 'if':
      case 'elif':
      case 'while': {
        const holds = this.#values.holds(start + keyword.length, bodyAt - 1);
        return keyword === 'while' && holds === true ? null : holds;
      }
      case 'else':
        return true;
      case null:
        return true;
      default:
        return null;
    }
  }

  #inner(branch: Branch): readonly Span[] {
    return branch.statement.keyword === 'match' ? this.#cases(branch) : this.unreached(branch.body, branch.to);
  }

  /** `match command:`, `case "reset":` */
  #cases({ statement, body, to }: Branch): readonly Span[] {
    const subject = this.#values.valueOf(statement.start + 'match'.length, statement.bodyAt - 1);
    const dead: Span[] = [];
    let isSettled = false;
    for (let at = body; at < to; ) {
      const one = this.#all[at];
      const end = this.#endOfBody(at, to);
      if (one?.keyword === 'case') {
        const branch = { statement: one, body: at + 1, to: end };
        const holds: boolean | null = isSettled ? false : this.#matches(one, subject);
        dead.push(...(holds === false ? this.#bodyOf(branch) : this.unreached(branch.body, end)));
        isSettled ||= holds === true;
      }
      at = end;
    }
    return dead;
  }

  /** Patterns of texts alone, without a condition. */
  #matches({ start, bodyAt }: Statement, subject: KnownValue | null): boolean | null {
    const from = start + 'case'.length;
    const written = this.#code.slice(from, bodyAt - 1);
    if (subject === null || !/^[\s|"]*$/.test(written)) {
      return null;
    }
    let at = from;
    const answers = written.split('|').map((text) => {
      const value = this.#values.valueOf(at, at + text.length);
      at += text.length + 1;
      return value?.kind === 'one' && typeof value.value === 'string'
        ? this.#values.isText(subject, value.value)
        : null;
    });
    return answers.includes(true) ? true : answers.includes(null) ? null : false;
  }

  #bodyOf({ statement, body, to }: Branch): readonly Span[] {
    return body < to ? [this.#span(body, to)] : statement.keyword === null ? [] : [[statement.bodyAt, statement.end]];
  }

  /** Does a block that comes leave what it stands in? */
  #leaves({ statement, body, to }: Branch): boolean {
    const isPlain = statement.keyword === null;
    if (isPlain || body >= to) {
      return this.#parts(isPlain ? statement.start : statement.bodyAt, statement.end).some((text) =>
        leaving.test(text),
      );
    }
    const indent = this.#all[body]?.indent;
    return this.#all
      .slice(body, to)
      .some((one) => one.indent === indent && one.keyword === null && this.#leaves({ statement: one, body: to, to }));
  }

  /** The statements of a line. */
  #parts(from: number, to: number): readonly string[] {
    const parts = [''];
    let level = 0;
    for (const character of this.#code.slice(from, to)) {
      level += bracketStep(character);
      if (character === ';' && level === 0) {
        parts.push('');
      } else {
        parts.push((parts.pop() ?? '') + character);
      }
    }
    return parts.map((text) => text.trim());
  }
}

interface Branch {
  readonly statement: Statement;
  /** The first statement of its block; that of the next one where it stands in one line. */
  readonly body: number;
  readonly to: number;
}

/** The statements in their order. */
function statementsOf(code: string): readonly Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < code.length; ) {
    const end = endOfStatement(code, start);
    const text = code.slice(start, end);
    const blanks = /^[ \t\n]*/.exec(text)?.[0] ?? '';
    if (blanks.length < text.length) {
      const own = text.slice(blanks.length);
      const [, keyword = null] = compound.exec(own) ?? [];
      const colon = keyword === null ? -1 : colonIn(own);
      statements.push({
        start: start + blanks.length,
        end,
        indent: blanks.length - blanks.lastIndexOf('\n') - 1,
        keyword: colon < 0 ? null : keyword,
        bodyAt: start + blanks.length + colon + 1,
      });
    }
    start = end + 1;
  }
  return statements;
}

/** At the end of a line, if no bracket is open there and it does not go on. */
function endOfStatement(code: string, start: number): number {
  let level = 0;
  for (let index = start; index < code.length; index += 1) {
    const character = code.charAt(index);
    level += bracketStep(character);
    if (character === '\n' && level <= 0 && code[index - 1] !== '\\') {
      return index;
    }
  }
  return code.length;
}

/** The colon behind which a block begins. */
function colonIn(text: string): number {
  let level = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    level += bracketStep(character);
    if (level === 0 && character === ':' && text[index + 1] !== '=') {
      return index;
    }
  }
  return -1;
}
