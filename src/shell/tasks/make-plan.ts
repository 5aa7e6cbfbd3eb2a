import { posix } from 'node:path';
import { expanded, isOpen, type MakeScope, splitWords, stemOf } from './make-expansion.ts';
import { defaultGoal, type Makefile, type MakeRule, type MakeVariables } from './make-reading.ts';

/** A command of a recipe. */
export interface MakeCommand {
  readonly text: string;
  /** `-`: what comes behind it runs as well where it fails. */
  readonly goesOn: boolean;
  /** `+`, `$(MAKE)`: it runs also where nothing is to be made (GNU make manual "Instead of Execution"). */
  readonly always: boolean;
}

/** What make runs for one target, or while it reads. */
export interface MakeJob {
  readonly label: string;
  readonly commands: readonly MakeCommand[];
  /** Variables that the commands find in their environment, as make expands them. */
  readonly environment: readonly (readonly [string, string])[];
  /** `SHELL` and `.SHELLFLAGS`, where the makefile sets them. */
  readonly program: readonly string[] | null;
  /** Does make surely run all of it, as far as nothing fails? */
  readonly isSure: boolean;
  /** The target is no file that may be up to date: make surely comes to it. */
  readonly isDue: boolean;
}

/** More targets than these are planned for no makefile that people write. */
const maximumJobs = 400;

/** What runs for some targets, in order. @param wanted none: the default goal */
export function plannedJobs(makefile: Makefile, wanted: readonly string[], visit: () => void): readonly MakeJob[] {
  const reading = makefile.commands.map((text) => ({ text, goesOn: true, always: true }));
  const plan = new MakePlan(makefile, visit);
  if (reading.length > 0) {
    plan.jobs.push({ label: 'make', commands: reading, environment: [], program: null, isSure: true, isDue: true });
  }
  if (!makefile.stops) {
    const goal = defaultGoal(makefile);
    const targets = wanted.length > 0 ? wanted : goal === null ? [] : [goal];
    for (const target of [...makefile.missing, ...targets]) {
      plan.make(target, makefile.variables);
    }
  }
  return plan.jobs;
}

/** A rule that makes a target, and what `$*` is in it. */
interface Chosen {
  readonly rule: MakeRule;
  readonly stem: string;
}

class MakePlan {
  readonly jobs: MakeJob[] = [];
  readonly #makefile: Makefile;
  readonly #visit: () => void;
  readonly #explicit = new Map<string, MakeRule[]>();
  readonly #patterns: MakeRule[] = [];
  readonly #done = new Set<string>();
  #hasStopped = false;

  constructor(makefile: Makefile, visit: () => void) {
    this.#makefile = makefile;
    this.#visit = visit;
    for (const rule of makefile.rules) {
      const isPattern = rule.stemPattern === null && rule.targets.some((target) => target.includes('%'));
      if (isPattern) {
        this.#patterns.push(rule);
        continue;
      }
      for (const target of rule.targets) {
        this.#explicit.set(target, [...(this.#explicit.get(target) ?? []), rule]);
      }
    }
  }

  make(target: string, around: MakeVariables): void {
    if (this.#done.has(target) || this.#hasStopped || this.jobs.length > maximumJobs) {
      return;
    }
    this.#done.add(target);
    this.#visit();
    const variables = this.#variablesOf(target, around);
    const chosen = this.#rulesOf(target);
    const own = chosen.filter(({ rule }) => rule.isApart);
    for (const group of own.length > 0 ? own.map((one) => [one]) : chosen.length > 0 ? [chosen] : []) {
      this.#makeBy(group, target, variables);
    }
  }

  /** One recipe, behind what all of these rules need. */
  #makeBy(group: readonly Chosen[], target: string, variables: MakeVariables): void {
    const needs = group.flatMap(({ rule, stem }) => rule.prerequisites.map((name) => name.replace('%', () => stem)));
    const ordered = group.flatMap(({ rule, stem }) => rule.orderOnly.map((name) => name.replace('%', () => stem)));
    for (const name of [...needs, ...ordered]) {
      this.make(name, variables);
    }
    const last = group.findLast(({ rule }) => rule.recipe.length > 0);
    if (last !== undefined && !this.#hasStopped) {
      const automatic = new Map([
        ['@', target],
        ['*', last.stem],
        ['<', needs[0] ?? ''],
        ['^', [...new Set(needs)].join(' ')],
        ['?', [...new Set(needs)].join(' ')],
        ['+', needs.join(' ')],
        ['|', ordered.join(' ')],
        ['%', ''],
      ]);
      this.#addJob(target, last.rule.recipe, variables, automatic);
    }
  }

  /** Those that name it; without a recipe among them, also the pattern that fits best; at last `.DEFAULT`. */
  #rulesOf(target: string): readonly Chosen[] {
    const explicit = (this.#explicit.get(target) ?? []).map((rule) => ({
      rule,
      stem: rule.stemPattern === null ? '' : (stemOf(rule.stemPattern, target) ?? ''),
    }));
    if (explicit.some(({ rule }) => rule.recipe.length > 0) || this.#isPhony(target)) {
      return explicit;
    }
    const pattern = this.#patternFor(target);
    const others = pattern === null && explicit.length === 0 ? (this.#explicit.get('.DEFAULT') ?? []) : [];
    return [...explicit, ...(pattern === null ? [] : [pattern]), ...others.map((rule) => ({ rule, stem: '' }))];
  }

  #isPhony(target: string): boolean {
    return this.#explicit.get('.PHONY')?.some(({ prerequisites }) => prerequisites.includes(target)) ?? false;
  }

  /** The shortest stem wins, then the first rule; what a rule needs must be there, or be made. */
  #patternFor(target: string): Chosen | null {
    const fitting = this.#patterns
      .filter(({ recipe }) => recipe.length > 0)
      .flatMap((rule) => {
        const stems = rule.targets.map((pattern) => stemOf(pattern, target)).filter((stem) => stem !== null);
        return stems.map((stem) => ({ rule, stem }));
      })
      .sort((one, other) => one.stem.length - other.stem.length);
    return fitting.find((one) => this.#canBeMade(one)) ?? null;
  }

  #canBeMade({ rule, stem }: Chosen): boolean {
    const { base, exists } = this.#makefile.scope;
    return rule.prerequisites
      .map((name) => name.replace('%', () => stem))
      .every(
        (name) =>
          this.#explicit.has(name) ||
          exists(posix.resolve(base, name)) !== false ||
          this.#patterns.some((other) => other.targets.some((pattern) => stemOf(pattern, name) !== null)),
      );
  }

  /** What is set for a target holds for what it needs as well (GNU make manual "Target-specific"). */
  #variablesOf(target: string, around: MakeVariables): MakeVariables {
    const fitting = this.#makefile.ofTargets.filter(
      (one) => one.target === target || (one.target.includes('%') && stemOf(one.target, target) !== null),
    );
    if (fitting.length === 0) {
      return around;
    }
    const own = around.copy();
    const scope = { ...this.#makefile.scope, variables: own.values, automatic: new Map([['@', target]]) };
    for (const { assignment } of fitting) {
      own.assign(assignment, (text) => expanded(text, scope, true).text);
    }
    return own;
  }

  #addJob(
    target: string,
    recipe: readonly string[],
    variables: MakeVariables,
    automatic: MakeScope['automatic'],
  ): void {
    const substituted: string[] = [];
    const scope: MakeScope = {
      ...this.#makefile.scope,
      variables: variables.values,
      automatic,
      runs: (command) => substituted.push(command),
    };
    const first = expandedRecipe(recipe, scope, true);
    const second = first.isUndecided ? expandedRecipe(recipe, scope, false) : null;
    const lines = [first, ...(second === null ? [] : [second])].filter(({ stops }) => !stops);
    this.#hasStopped = lines.length === 0;
    const commands = recipe.flatMap((raw, index) => {
      const texts = new Set(lines.flatMap((one) => commandsIn(one.texts[index] ?? '')));
      const startsMake = /\$[({]MAKE[)}]|\$MAKE\b/.test(raw);
      return [...texts].map((text) => commandOf(text, startsMake));
    });
    const { exported, exportsAll, values } = variables;
    const names = exportsAll ? [...values.keys()].filter((name) => /^\w+$/.test(name)) : [...exported];
    this.jobs.push({
      label: `make ${target}`,
      commands: [
        ...substituted.map((text) => ({ text, goesOn: true, always: true })),
        ...(this.#explicit.has('.ONESHELL') ? inOneShell(commands) : commands),
      ],
      environment: names.flatMap((name) => {
        const value = values.get(name);
        return value === undefined ? [] : [[name, expanded(value, scope, true).text] as const];
      }),
      program: programOf(scope),
      isSure: second === null,
      isDue: this.#isPhony(target) || scope.exists(posix.resolve(scope.base, target)) === false,
    });
  }
}

interface ExpandedRecipe {
  readonly texts: readonly string[];
  readonly isUndecided: boolean;
  readonly stops: boolean;
}

/** All of it is expanded before any of it runs. */
function expandedRecipe(recipe: readonly string[], scope: MakeScope, takesFirst: boolean): ExpandedRecipe {
  const lines = recipe.map((line) => expanded(line, scope, takesFirst));
  return {
    texts: lines.map(({ text }) => text),
    isUndecided: lines.some(({ isUndecided }) => isUndecided),
    stops: lines.some(({ stops }) => stops),
  };
}

/** A canned recipe brings lines of its own; a continued line is one. */
function commandsIn(text: string): readonly string[] {
  return text.match(/(?:\\[\s\S]|[^\\\n])+/g) ?? [];
}

function commandOf(line: string, startsMake: boolean): MakeCommand {
  const [marks = ''] = /^[\s@+-]*/.exec(line) ?? [];
  return {
    text: line.slice(marks.length),
    goesOn: marks.includes('-'),
    always: startsMake || marks.includes('+'),
  };
}

function inOneShell(commands: readonly MakeCommand[]): readonly MakeCommand[] {
  const [first] = commands;
  return first === undefined ? [] : [{ ...first, text: commands.map(({ text }) => text).join('\n') }];
}

/** Null: a shell as any other, which is given one command. */
function programOf(scope: MakeScope): readonly string[] | null {
  const given = ['SHELL', '.SHELLFLAGS'].map((name) => scope.variables.get(name));
  const [program = '/bin/sh', flags = '-c'] = given.map((value) =>
    value === undefined ? undefined : expanded(value, scope, true).text,
  );
  const words = [program, ...splitWords(flags)];
  const isPlain = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|da|z|k|a)?sh$/.test(program) && flags.trim() === '-c';
  return isPlain || words.some(isOpen) ? null : words;
}
