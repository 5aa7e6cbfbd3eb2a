import { Conditionals, conditionOf } from './make-conditions.ts';
import { escapedText, expanded, isOpen, type MakeScope, splitWords } from './make-expansion.ts';
import { type MakeLine, MakeLines, partedAt } from './make-lines.ts';

/** A rule as it was written; its targets are patterns where they have a `%`. */
export interface MakeRule {
  readonly targets: readonly string[];
  /** `a b: %.o: %.c`: the pattern that gives the stem. */
  readonly stemPattern: string | null;
  readonly prerequisites: readonly string[];
  readonly orderOnly: readonly string[];
  /** `a:: b`: each such rule of a target stands for itself. */
  readonly isApart: boolean;
  readonly recipe: readonly string[];
}

/** `NAME = VALUE`, for the targets that fit alone or for all. */
export interface MakeAssignment {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly overrides: boolean;
  readonly exports: boolean;
}

/** What a makefile says, where it is read in one of the ways in which it may be. */
export interface Makefile {
  readonly rules: readonly MakeRule[];
  readonly scope: MakeScope;
  readonly variables: MakeVariables;
  readonly ofTargets: readonly { readonly target: string; readonly assignment: MakeAssignment }[];
  /** What `$(shell …)` and `!=` run while it is read. */
  readonly commands: readonly string[];
  /** Files that it includes and that are not there. */
  readonly missing: readonly string[];
  /** `$(error …)`: nothing is made. */
  readonly stops: boolean;
  /** In how many ways it may be read. */
  readonly ways: number;
}

/** What make knows before it reads a makefile. */
export interface MakeGiven {
  readonly base: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly environmentWins: boolean;
  readonly environment: (name: string) => string | null;
  readonly exists: (path: string) => boolean | null;
  /** The makefiles that a name in `include` stands for, each with its text (null: it is not there). */
  readonly included: (name: string) => readonly { readonly name: string; readonly text: string | null }[];
  /** The first makefile's name: `$(lastword $(MAKEFILE_LIST))` is how it says where it stands. */
  readonly name: string;
  /** What make was asked for. */
  readonly targets: readonly string[];
}

/** The variables of a makefile (GNU make manual "Setting Variables", "The override Directive"). */
export class MakeVariables {
  readonly values: Map<string, string>;
  readonly #given: MakeGiven;
  /** Those that were expanded when they were set. */
  readonly #simple: Set<string>;
  readonly exported: Set<string>;
  /** `export` alone. */
  exportsAll: boolean;

  constructor(given: MakeGiven, before: MakeVariables | null = null) {
    this.#given = given;
    this.values = new Map(before?.values ?? given.variables);
    this.#simple = new Set(before === null ? [] : before.#simple);
    this.exported = new Set(before?.exported ?? given.variables.keys());
    this.exportsAll = before?.exportsAll ?? false;
  }

  /** As they are for one target, which may change them. */
  copy(): MakeVariables {
    return new MakeVariables(this.#given, this);
  }

  assign({ name, operator, value, overrides, exports }: MakeAssignment, expand: (text: string) => string): void {
    const inherited = this.#given.environment(name);
    const before = this.values.get(name) ?? inherited;
    if (exports || inherited !== null) {
      this.exported.add(name);
    }
    if (!overrides && (this.#given.variables.has(name) || (this.#given.environmentWins && inherited !== null))) {
      return;
    }
    if (operator === '?' && before !== null) {
      return;
    }
    const isSimple = /^:+$/.test(operator) || (operator === '+' && this.#simple.has(name));
    const text = isSimple ? escapedText(expand(value)) : value;
    this.values.set(name, operator === '+' && before !== null ? `${before} ${text}`.trim() : text);
    if (isSimple) {
      this.#simple.add(name);
    } else if (operator !== '+') {
      this.#simple.delete(name);
    }
  }
}

const modifiers = '(?:(?:export|override|private) +)*';
const assignmentLine = new RegExp(
  `^ *(${modifiers})((?:[^\\s:=#+?!$]|\\$[({][^)}]*[)}])+)\\s*(:{0,3}|\\?|\\+|!)=\\s*(.*)$`,
  's',
);
const definitionLine = new RegExp(`^ *(${modifiers})define\\s+(.+?)\\s*(:{0,3}|\\?|\\+|!)?=?\\s*$`);
/** What ends a rule's targets. */
const ruleColons = /&?::?(?!=)/y;
/** Makefiles that include others more deeply than this are no project's. */
const maximumDepth = 20;

/** Reads makefiles in the order in which make does: conditions and values count as they are at each line. */
class MakeReader {
  readonly rules: MakeRule[] = [];
  readonly ofTargets: { target: string; assignment: MakeAssignment }[] = [];
  readonly commands: string[] = [];
  readonly missing: string[] = [];
  readonly variables: MakeVariables;
  readonly scope: MakeScope;
  stops = false;
  #isUndecided = false;
  #depth = 0;
  readonly #way: number;
  readonly #given: MakeGiven;
  readonly #conditionals: Conditionals;
  /** The recipe that marked lines belong to. */
  #recipe: string[] | null = null;

  constructor(given: MakeGiven, way: number) {
    this.#given = given;
    this.#way = way;
    this.#conditionals = new Conditionals(way);
    this.variables = new MakeVariables(given);
    const { environment, base, exists } = given;
    const { values } = this.variables;
    values.set('MAKECMDGOALS', given.targets.join(' ')).set('MAKEFILE_LIST', given.name);
    this.scope = {
      variables: values,
      environment,
      base,
      exists,
      automatic: new Map(),
      runs: (command) => this.commands.push(command),
      reads: (text) => this.read(text),
    };
  }

  get ways(): number {
    return Math.max(this.#conditionals.ways, this.#isUndecided ? 2 : 1);
  }

  read(text: string): void {
    if (this.#depth > maximumDepth) {
      return;
    }
    this.#depth += 1;
    const lines = new MakeLines(text);
    lines.mark = this.#mark();
    for (let line = lines.next(); line !== null && !this.stops; line = lines.next()) {
      this.#take(line, lines);
      lines.mark = this.#mark();
    }
    this.#depth -= 1;
  }

  #mark(): string {
    return this.variables.values.get('.RECIPEPREFIX')?.charAt(0) || '\t';
  }

  #expand(text: string): string {
    const result = expanded(text, this.scope, this.#way === 0);
    this.#isUndecided ||= result.isUndecided;
    this.stops ||= result.stops;
    return result.text;
  }

  #take(line: MakeLine, lines: MakeLines): void {
    const expand = (text: string) => this.#expand(text);
    const isOfRecipe = line.isMarked && this.#recipe !== null;
    if (!isOfRecipe && this.#conditionals.take(line.text, (directive) => conditionOf(directive, expand, this.scope))) {
      return;
    }
    const definition = isOfRecipe ? null : definitionLine.exec(line.text);
    const defined = definition === null ? '' : lines.definition();
    if (!this.#conditionals.counts) {
      return;
    }
    if (isOfRecipe) {
      this.#recipe?.push(line.raw);
    } else if (definition !== null) {
      const [, words = '', name = '', operator = ''] = definition;
      this.#assign(words, name, operator, defined);
    } else {
      this.#statement(line.text);
    }
  }

  #statement(text: string): void {
    const [, words = '', name, operator = '', value = ''] = assignmentLine.exec(text) ?? [];
    const [, directive = '', rest = ''] =
      /^ *(-include|sinclude|include|export|unexport|undefine)\b[ \t]*(.*)$/.exec(text) ?? [];
    if (name !== undefined) {
      this.#assign(words, name, operator, value.trimEnd());
    } else if (directive.endsWith('include')) {
      this.#include(this.#expand(rest));
    } else if (directive !== '') {
      this.#export(directive, splitWords(this.#expand(rest)));
    } else if (text.trim() !== '') {
      this.#rule(text);
    }
  }

  #assign(words: string, name: string, operator: string, value: string): void {
    this.variables.assign(this.#assignment(words, name, operator, value), (text) => this.#expand(text));
  }

  /** `NAME != COMMAND` has what the command prints. */
  #assignment(words: string, name: string, operator: string, value: string): MakeAssignment {
    const overrides = words.includes('override');
    const exports = words.includes('export');
    const target = this.#expand(name);
    if (operator !== '!') {
      return { name: target, operator, value, overrides, exports };
    }
    const command = this.#expand(value);
    this.commands.push(command);
    return { name: target, operator: '', value: escapedText(`$(${command})`), overrides, exports };
  }

  #export(directive: string, names: readonly string[]): void {
    const { variables } = this;
    variables.exportsAll ||= directive === 'export' && names.length === 0;
    for (const name of names) {
      if (directive === 'export') {
        variables.exported.add(name);
      } else {
        variables.exported.delete(name);
      }
      if (directive === 'undefine') {
        variables.values.delete(name);
      }
    }
  }

  #include(names: string): void {
    for (const { name, text } of splitWords(names).flatMap(this.#given.included)) {
      if (text === null) {
        this.missing.push(name);
      } else {
        this.#recipe = null;
        this.read(text);
      }
    }
    this.#recipe = null;
  }

  /** `TARGETS: PREREQUISITES; RECIPE`, `TARGETS: NAME = VALUE`; other text may become one by being expanded. */
  #rule(text: string): void {
    const [left, colons, right] = partedAt(text, ruleColons) ?? [];
    if (left === undefined || colons === undefined || right === undefined) {
      const line = text.includes('$') ? this.#expand(text) : '';
      // Only a rule is read again: what is none by now is expanded once.
      if (partedAt(line, ruleColons) !== null) {
        this.#rule(line);
      }
      return;
    }
    const targets = splitWords(this.#expand(left));
    const [, words = '', name, operator = '', value = ''] = assignmentLine.exec(right) ?? [];
    if (name !== undefined) {
      const assignment = this.#assignment(words, name, operator, value.trimEnd());
      this.ofTargets.push(...targets.map((target) => ({ target, assignment })));
      return;
    }
    const [needs = right, , inline] = partedAt(right, /\s*;[ \t]*/y) ?? [];
    this.#recipe = inline === undefined ? [] : [inline];
    this.#addRule(targets, this.#expand(needs), colons.includes('::'));
  }

  #addRule(targets: readonly string[], needs: string, isApart: boolean): void {
    const [pattern, , rest] = partedAt(needs, /:(?!\/\/)/y) ?? [];
    const [first = '', orderOnly = ''] = (rest ?? needs).split('|', 2);
    this.rules.push({
      targets,
      stemPattern: pattern === undefined ? null : pattern.trim(),
      prerequisites: splitWords(first),
      orderOnly: splitWords(orderOnly),
      isApart,
      recipe: this.#recipe ?? [],
    });
  }
}

/**
 * Reads a makefile's text.
 *
 * @param way which way is taken at what can't be told: the first, the second …
 */
export function readMakefile(text: string, given: MakeGiven, way: number): Makefile {
  const reader = new MakeReader(given, way);
  reader.read(text);
  const { rules, scope, variables, ofTargets, commands, missing, stops, ways } = reader;
  return { rules, scope, variables, ofTargets, commands, missing, stops, ways };
}

/** The goal where none is named: the first target that is no special one. */
export function defaultGoal({ rules, variables, scope }: Makefile): string | null {
  const named = expanded(variables.values.get('.DEFAULT_GOAL') ?? '', scope, true).text.trim();
  const first = rules.flatMap(({ targets }) => targets).find((target) => !/^\.[^/]*$|%/.test(target));
  return named === '' || isOpen(named) ? (first ?? null) : named;
}
