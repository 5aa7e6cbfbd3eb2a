import { isOpen, type MakeScope } from './make-expansion.ts';
import { partedAt } from './make-lines.ts';

/** `ifeq (A,B)`, `ifeq "A" 'B'`, `ifdef NAME` and their opposites. */
const directive = /^\s*(ifn?eq|ifn?def)\b\s*(.*)$/;

type Answering = (directive: string) => boolean | null | undefined;

type Expand = (text: string) => string;

/** Does a condition hold? undefined: the line is none; null: that can't be told. */
export function conditionOf(line: string, expand: Expand, scope: MakeScope): boolean | null | undefined {
  const [, name = '', rest = ''] = directive.exec(line) ?? [];
  if (name === '') {
    return undefined;
  }
  const answer = name.endsWith('eq') ? areEqual(rest, expand) : isDefined(expand(rest).trim(), scope);
  return answer === null || !name.startsWith('ifn') ? answer : !answer;
}

function areEqual(rest: string, expand: Expand): boolean | null {
  const [one, other] = sidesOf(rest.trim()).map(expand);
  if (one === undefined || other === undefined) {
    return null;
  }
  return !isOpen(one) && !isOpen(other) ? one === other : one === other ? true : null;
}

function sidesOf(text: string): readonly string[] {
  const inside = /^\((.*)\)$/s.exec(text)?.[1];
  if (inside !== undefined) {
    const [one, , other] = partedAt(inside, /,/y) ?? [];
    return one === undefined || other === undefined ? [] : [one.trim(), other.trim()];
  }
  const [, , first, , second] = /^(["'])(.*?)\1\s*(["'])(.*?)\3$/s.exec(text) ?? [];
  return first === undefined || second === undefined ? [] : [first, second];
}

/** Whether it has a value, which may well be an empty one when it is expanded. */
function isDefined(name: string, { variables, environment }: MakeScope): boolean | null {
  const value = variables.get(name) ?? environment(name);
  return isOpen(name) || value === null ? null : value !== '';
}

/** Conditions around a line, and which of their branches a reading takes. */
export class Conditionals {
  /** The most branches of one condition that may be taken where nothing tells which. */
  ways = 1;
  readonly #way: number;
  readonly #open: Branches[] = [];

  /** @param way which of the branches that can't be told is taken: the first, the second … */
  constructor(way: number) {
    this.#way = way;
  }

  /** Does a line here count? */
  get counts(): boolean {
    return this.#open.every(({ counts }) => counts);
  }

  /** Takes a line that begins, changes or ends a condition. @returns whether it does */
  take(line: string, answer: Answering): boolean {
    const [, keyword = '', rest = ''] = /^\s*(if\w+|else|endif)\b\s*(.*)$/.exec(line) ?? [];
    if (keyword === 'endif') {
      this.#open.pop();
    } else if (keyword === 'else') {
      this.#otherwise(rest, answer);
    } else if (directive.test(line)) {
      const around = this.counts;
      this.#open.push({ around, isDone: false, undecided: 0, counts: false });
      this.#enter(around ? answer(line) : false);
    } else {
      return false;
    }
    return true;
  }

  #otherwise(rest: string, answer: Answering): void {
    const last = this.#open.at(-1);
    if (last !== undefined) {
      last.counts = false;
      this.#enter(!last.around || last.isDone ? false : rest === '' ? true : answer(rest));
    }
  }

  #enter(answer: boolean | null | undefined): void {
    const last = this.#open.at(-1);
    if (last === undefined) {
      return;
    }
    const isUndecided = answer === null || answer === undefined;
    const takes = isUndecided ? last.undecided === this.#way : answer;
    last.undecided += isUndecided ? 1 : 0;
    this.ways = Math.max(this.ways, last.undecided + (last.undecided === 0 ? 0 : 1));
    last.counts = last.around && takes && !last.isDone;
    last.isDone ||= last.counts;
  }
}

interface Branches {
  /** Does what stands around it count? */
  readonly around: boolean;
  /** Has one of the branches been taken? */
  isDone: boolean;
  /** How many of them could not be told. */
  undecided: number;
  counts: boolean;
}
