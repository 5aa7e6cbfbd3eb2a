import { beginningOf, openPart, type UnknownWord, type Word } from '../simple-command.ts';
import { wholePattern } from '../words/pattern.ts';
import { entryTest } from './find-entry-tests.ts';
import { type Candidate, type FindNode, mayReach, type Truth } from './find-evaluation.ts';

/** A call of find, read: find(1) "EXPRESSION". */
export interface FindExpression {
  readonly starts: readonly Word[];
  /** Words that name an action, by their position: `-exec`, `-delete`, `-print`. */
  readonly actions: readonly { readonly name: string; readonly at: number; readonly command: readonly Word[] }[];
  /** What the names asked for surely end with, where only one is. */
  readonly suffix: string;
  /** Has a pattern a part that is not known? */
  readonly hasOpenPattern: boolean;
  /** May this action (null: the printing that find does by itself) be done to the file? */
  mayReach(action: number | null, file: Candidate): boolean;
}

const always = (): Truth => true;
const open = (): Truth => null;

/** Tests by a pattern: what of the file it is compared with, and whether its letter case counts. */
const patternTests: Readonly<Record<string, { readonly of: 'name' | 'path'; readonly flags: string }>> = {
  '-name': { of: 'name', flags: '' },
  '-iname': { of: 'name', flags: 'i' },
  '-path': { of: 'path', flags: '' },
  '-wholename': { of: 'path', flags: '' },
  '-ipath': { of: 'path', flags: 'i' },
  '-iwholename': { of: 'path', flags: 'i' },
};

/** Options that hold for the whole expression, and tests that are true wherever they stand. */
const options = new Set([
  '-depth',
  '-d',
  '-xdev',
  '-mount',
  '-follow',
  '-noleaf',
  '-warn',
  '-nowarn',
  '-daystart',
  '-true',
  '-ignore_readdir_race',
]);
/** Tests without an argument of which nothing is known here. */
const bareTests = new Set(['-executable', '-readable', '-writable', '-nouser', '-nogroup']);
/** Actions, and how many words follow each. */
const actionArguments: Readonly<Record<string, number>> = {
  '-print': 0,
  '-print0': 0,
  '-ls': 0,
  '-delete': 0,
  '-quit': 0,
  '-printf': 1,
  '-fprint': 1,
  '-fprint0': 1,
  '-fls': 1,
  '-fprintf': 2,
};
/** Actions with a command. */
const runningActions = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/**
 * What an unknown part of a pattern is taken for. `nothing`: for what fits no file that matters. `empty`: for a variable
 * that is not set (`-name "*$Q*"`), in the pattern of a hidden name for anything. `anything`: always for that.
 */
export type OpenPatterns = 'nothing' | 'empty' | 'anything';

/** Reads the words that follow `find`. A word that is not known is a test that may hold, but for a part of a pattern. */
export function readFind(words: readonly Word[], openPatterns: OpenPatterns): FindExpression {
  return new FindReader(words, openPatterns).read();
}

class FindReader {
  readonly #words: readonly Word[];
  readonly #actions: { name: string; at: number; command: readonly Word[] }[] = [];
  /** Patterns for names that whatever is found must have: not those behind `!`, or beside `-o`. */
  readonly #names: string[] = [];
  #position = 0;
  #least = 0;
  #most = Number.POSITIVE_INFINITY;
  #isDepthFirst = false;
  #isExtended = false;
  readonly #openPatterns: OpenPatterns;
  #hasOpenPattern = false;

  constructor(words: readonly Word[], openPatterns: OpenPatterns) {
    this.#words = words;
    this.#openPatterns = openPatterns;
  }

  read(): FindExpression {
    while (/^-(?:[HLP]+|O\d)$/.test(this.#text())) {
      this.#position += 1;
    }
    const start = this.#position;
    while (this.#position < this.#words.length && !/^(?:-.|[(!,)]$)/.test(this.#text())) {
      this.#position += 1;
    }
    const given = this.#words.slice(start, this.#position);
    const expression = this.#list();
    const reach = { least: this.#least, most: this.#most, isDepthFirst: this.#isDepthFirst };
    return {
      starts: given.length === 0 ? [{ kind: 'known', value: '.' }] : given,
      actions: this.#actions,
      suffix: this.#names.length === 1 ? (/[^*?\]]*$/.exec(this.#names[0] ?? '')?.[0] ?? '') : '',
      hasOpenPattern: this.#hasOpenPattern,
      mayReach: (action, file) => mayReach(expression, reach, action, file),
    };
  }

  /** The word as far as it is known; the empty one at the end. */
  #text(): string {
    return beginningOf(this.#words[this.#position]);
  }

  #next(): string {
    this.#position += 1;
    return this.#text();
  }

  #list(): FindNode {
    return this.#joined('list', [','], () => this.#joined('either', ['-o', '-or'], () => this.#both()));
  }

  #joined(kind: 'either' | 'list', operators: readonly string[], read: () => FindNode): FindNode {
    const named = this.#names.length;
    const parts = [read()];
    while (operators.includes(this.#text())) {
      this.#position += 1;
      parts.push(read());
    }
    if (parts.length > 1) {
      this.#names.length = named;
    }
    return { kind, parts };
  }

  #both(): FindNode {
    const parts: FindNode[] = [];
    while (this.#position < this.#words.length && !['-o', '-or', ',', ')'].includes(this.#text())) {
      if (this.#text() === '-a' || this.#text() === '-and') {
        this.#position += 1;
      } else {
        parts.push(this.#primary());
      }
    }
    return { kind: 'both', parts };
  }

  #primary(): FindNode {
    const at = this.#position;
    const text = this.#text();
    if (text === '!' || text === '-not') {
      this.#position += 1;
      const named = this.#names.length;
      const of = this.#primary();
      this.#names.length = named;
      return { kind: 'not', of };
    }
    if (text === '(') {
      this.#position += 1;
      const inner = this.#list();
      this.#position += 1;
      return inner;
    }
    if (runningActions.has(text)) {
      return this.#command(text, at);
    }
    const count = Object.hasOwn(actionArguments, text) ? actionArguments[text] : undefined;
    if (count !== undefined) {
      this.#position += 1 + count;
      this.#isDepthFirst ||= text === '-delete';
      this.#actions.push({ name: text, at, command: [] });
      return { kind: 'action', at };
    }
    if (text === '-prune') {
      this.#position += 1;
      return { kind: 'prune' };
    }
    return { kind: 'test', holds: this.#test(text) };
  }

  /** Up to `;` or `+`. */
  #command(name: string, at: number): FindNode {
    const rest = this.#words.slice(at + 1);
    const end = rest.findIndex((word) => word.kind === 'known' && (word.value === ';' || word.value === '+'));
    const command = end === -1 ? rest : rest.slice(0, end);
    this.#position = at + command.length + 2;
    this.#actions.push({ name, at, command });
    return { kind: 'action', at };
  }

  #test(name: string): (file: Candidate) => Truth {
    const isKnown = this.#words[this.#position]?.kind === 'known';
    if (!isKnown || bareTests.has(name)) {
      this.#position += 1;
      return open;
    }
    if (name === '-empty') {
      this.#position += 1;
      return (file) => file.isEmpty();
    }
    if (options.has(name)) {
      this.#position += 1;
      this.#isDepthFirst ||= name === '-depth' || name === '-d';
      return always;
    }
    const value = this.#next();
    const word = this.#words[this.#position];
    this.#position += 1;
    return word?.kind === 'known' ? this.#valuedTest(name, value) : this.#openTest(name, word);
  }

  /**
   * A name or path with an unknown part. What is no word by itself, may be within brackets, or comes of a listing of
   * which something is known, may be anything.
   */
  #openTest(name: string, word: UnknownWord | undefined): (file: Candidate) => Truth {
    const pattern = Object.hasOwn(patternTests, name) ? patternTests[name] : undefined;
    if (word === undefined || pattern === undefined || word.mayExpandToSeveral || word.fits !== undefined) {
      return open;
    }
    const shape = word.shape ?? `${word.prefix}${openPart}${word.suffix}`;
    if (/[[\]\\]/.test(shape)) {
      return open;
    }
    this.#hasOpenPattern = true;
    const isAny = this.#openPatterns === 'anything' || /(?:^|\/)\.[^/]/.test(shape);
    const patterns = [
      ...(word.oneOf ?? word.mayBe ?? []),
      ...(this.#openPatterns === 'nothing' ? [] : [shape.replaceAll(openPart, isAny ? '*' : '')]),
    ];
    const tests = patterns.map((value) => this.#patternTest(pattern, value));
    return (file) => (tests.every((test) => test(file) === false) ? false : null);
  }

  /** A test, or an option that counts as a true one, with its argument. */
  #valuedTest(name: string, value: string): (file: Candidate) => Truth {
    const pattern = Object.hasOwn(patternTests, name) ? patternTests[name] : undefined;
    if (pattern !== undefined) {
      return this.#patternTest(pattern, value);
    }
    switch (name) {
      case '-mindepth':
        this.#least = Number(value);
        return always;
      case '-maxdepth':
        this.#most = Number(value);
        return always;
      case '-regextype':
        this.#isExtended = value !== 'emacs' && value !== 'findutils-default' && value !== 'posix-basic';
        return always;
      case '-regex':
      case '-iregex':
        return this.#expressionTest(value, name === '-iregex' ? 'i' : '');
      default:
        return entryTest(name, value) ?? open;
    }
  }

  /** The whole path. In Emacs' syntax groups and alternatives have a backslash, in the extended one they have none. */
  #expressionTest(text: string, flags: string): (file: Candidate) => Truth {
    const source = this.#isExtended
      ? text
      : text.replace(/\\?[(){}|]/g, (mark) => (mark.length === 2 ? mark.slice(1) : `\\${mark}`));
    if (!isSoonMatched(source)) {
      return open;
    }
    try {
      const expression = new RegExp(`^(?:${source})$`, `s${flags}`);
      return ({ path }) => expression.test(path);
    } catch {
      return open;
    }
  }

  #patternTest({ of, flags }: { readonly of: 'name' | 'path'; readonly flags: string }, pattern: string) {
    const source = wholePattern([{ kind: 'glob', text: pattern }])?.source;
    if (of === 'name' && flags === '') {
      this.#names.push(pattern);
    }
    if (source === undefined) {
      return open;
    }
    const expression = new RegExp(source, flags);
    return ({ path }: Candidate): Truth => expression.test(of === 'path' ? path : path.replace(/^.*\/(?=[^/])/s, ''));
  }
}

/** Is a path soon compared with it? Each repetition multiplies the steps, one of a group without an end. */
function isSoonMatched(expression: string): boolean {
  return !/\)[*+{]/.test(expression) && (expression.match(/[*+{]/g)?.length ?? 0) <= 3;
}
