import { posix } from 'node:path';
import type { Call, ProgramReader, Shell } from './call.ts';
import { withAssignments } from './environment.ts';
import { expandedText, expandedTexts, type MakeScope, shellCallsIn, splitWords } from './make-expansion.ts';
import { type MakeOptions, readMakeOptions } from './make-options.ts';
import { resolvePath } from './path-resolution.ts';
import { doubtful, either } from './shell-state.ts';
import { knownWord } from './simple-command.ts';

interface Rule {
  readonly prerequisites: readonly string[];
  readonly recipe: readonly string[];
}

interface ShellCommand {
  readonly text: string;
  /** The variable that gets what it prints: in the text, it still has the value before. */
  readonly variable: string | null;
}

interface Makefile {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly variables: ReadonlyMap<string, string>;
  /** Variables that recipes have in their environment: `export NAME`, and those of make's own command line. */
  readonly exported: ReadonlySet<string>;
  readonly environment: (name: string) => string | null;
  readonly first: string | null;
  /** What `$(shell …)` and `!=` run outside of recipes. */
  readonly shellCommands: readonly ShellCommand[];
}

/** `make`: the recipes of the targets it is asked for, and of what they need first (GNU make manual). */
const runMake: ProgramReader = (call, shell) => {
  const environment = exportedTo(call, shell);
  const options = readMakeOptions(call, environment('MAKEFLAGS') ?? '');
  const { directory, file, targets, dryRun, evaluated } = options;
  const { cwd } = call.state;
  if (cwd.kind !== 'known' || directory === null) {
    return null;
  }
  const base = resolvePath(knownWord(directory), cwd) ?? cwd.path;
  const isInput = file === '-' || file === '/dev/stdin';
  const read = isInput ? (call.frame.input?.drain() ?? null) : readMakefile(base, file, shell);
  const text = evaluated === '' ? read : `${evaluated}\n${read ?? ''}`;
  if (text === null) {
    return null;
  }
  const given = { ...options, environment };
  return runText(withIncluded(text, base, shell), given, { targets, base, dryRun }, call, shell);
};

/** The value that a variable has in the environment of a call, where it is known; null: it has none. */
function exportedTo({ state }: Call, { environment }: Shell): (name: string) => string | null {
  return (name) => {
    const variable = state.variables.get(name);
    if (variable === undefined) {
      return Object.hasOwn(environment, name) ? (environment[name] ?? null) : null;
    }
    return variable.kind === 'scalar' && variable.exported && variable.value.kind === 'known'
      ? variable.value.value
      : null;
  };
}

/** What is asked of a makefile's text. */
interface MakefileRun {
  readonly targets: readonly string[];
  /** As on make's command line. */
  readonly variables: ReadonlyMap<string, string>;
  /** The directory it stands in, absolute. */
  readonly base: string;
}

/** Runs the recipes of a makefile's text. */
export function runMakefile(
  text: string,
  { targets, variables, base }: MakefileRun,
  call: Call,
  shell: Shell,
): ReturnType<ProgramReader> {
  const given = { variables, environmentWins: false, environment: () => null };
  return runText(text, given, { targets, base, dryRun: false }, call, shell);
}

function runText(text: string, given: Given, run: MakeRun, call: Call, shell: Shell): ReturnType<ProgramReader> {
  return shell.recursion.reading(text, () => runParsed(parseMakefile(text, given), run, call, shell));
}

/** `include FILE…`: other makefiles, where they stand (GNU make manual "Include"). */
function withIncluded(text: string, base: string, shell: Shell): string {
  return text.replace(/^(?:-|s)?include[ \t]+(.+)$/gm, (_, names: string) =>
    splitWords(names)
      .flatMap((name) => filesNamed(name, base, shell))
      .map((name) => shell.overlay.tasks(posix.resolve(base, name), '$$') ?? '')
      .join('\n'),
  );
}

/** `make/*.mk`: those that fit; other patterns are not followed. */
function filesNamed(name: string, base: string, shell: Shell): readonly string[] {
  const [, directory = '', start = '', end = ''] = /^([^*?[]*\/)?([^*?[/]*)\*([^*?[/]*)$/.exec(name) ?? [];
  const isPattern = name.includes('*') && name === `${directory}${start}*${end}`;
  const names = isPattern ? shell.files.list(posix.resolve(base, directory)) : null;
  const fits = (one: string) => one.length >= start.length + end.length && one.startsWith(start) && one.endsWith(end);
  return names === null ? [name] : names.filter(fits).map((one) => `${directory}${one}`);
}

interface MakeRun {
  readonly targets: readonly string[];
  readonly base: string;
  readonly dryRun: boolean;
}

function runParsed(
  makefile: Makefile,
  { targets, base, dryRun }: MakeRun,
  call: Call,
  shell: Shell,
): ReturnType<ProgramReader> {
  shell.emitCommand(call);
  const placed = { ...doubtful(call.state), cwd: { ...call.state.cwd, kind: 'known', path: base } as const };
  const scope = scopeOf(makefile, '', { ...call, state: placed });
  const environment = [...makefile.exported].flatMap((name) => {
    const value = makefile.variables.get(name);
    return value === undefined ? [] : [[name, knownWord(expandedText(value, scope))] as const];
  });
  const state = withAssignments(placed, new Map(environment));
  for (const { text, variable } of makefile.shellCommands) {
    const script = expandedText(text, scope, variable);
    shell.runProcess({ ...call, state }, script, { label: 'make', name: knownWord('sh'), positional: [], input: null });
  }
  if (dryRun) {
    return either(call.state);
  }
  const wanted = targets.length === 0 ? [makefile.first ?? ''] : targets;
  const done = new Set<string>();
  for (const target of wanted) {
    runTarget(target, makefile, { ...call, state }, shell, done);
  }
  return either(call.state);
}

function readMakefile(directory: string, file: string | null, shell: Shell): string | null {
  const names = file === null ? ['GNUmakefile', 'makefile', 'Makefile'] : [file];
  for (const name of names) {
    const path = resolvePath(knownWord(name), { kind: 'known', path: directory });
    const text = path === null ? null : shell.overlay.tasks(path, '$$');
    if (text !== null) {
      return text;
    }
  }
  return null;
}

/** What make knows before it reads a makefile. */
interface Given extends Pick<MakeOptions, 'variables' | 'environmentWins'> {
  readonly environment: (name: string) => string | null;
}

function parseMakefile(text: string, given: Given): Makefile {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  const [rest, definitions] = withoutDefinitions(text.replace(/\\\r?\n[\t ]*/g, ' '));
  let first: string | null = null;
  let recipe: string[] = [];
  for (const written of rest.split('\n')) {
    const line = written.startsWith('\t') ? written : withoutComment(written);
    const assignment = /^ *(?:export\s+|override\s+)?([\w.-]+)\s*(:{0,3}|\?|\+|!)=\s*(.*)$/.exec(line);
    const rule = /^([^\t#:=][^:=]*?)\s*::?(?!=)\s*([^;]*)(?:;\s*(.*))?$/.exec(line);
    if (line.startsWith('\t')) {
      recipe.push(line.slice(1));
    } else if (assignment !== null) {
      assign(variables, assignment, given);
    } else if (rule !== null) {
      recipe = rule[3] === undefined ? [] : [rule[3]];
      const prerequisites = splitWords(rule[2] ?? '').filter((word) => word !== '|');
      for (const target of splitWords(rule[1] ?? '')) {
        first ??= target.startsWith('.') ? null : target;
        addRule(rules, target, prerequisites, recipe);
      }
    }
  }
  for (const [name, value] of [...definitions, ...given.variables]) {
    variables.set(name, value);
  }
  const exported = exportedBy(text, variables);
  return {
    rules,
    variables,
    exported: new Set([...exported, ...given.variables.keys()]),
    environment: given.environment,
    first,
    shellCommands: shellCommandsOf(text),
  };
}

/** GNU make manual "Communicating Variables to a Sub-make"; `export` alone is for all of them. */
function exportedBy(text: string, variables: ReadonlyMap<string, string>): readonly string[] {
  const given = Array.from(text.matchAll(/^export[ ]*([^\n#]*)/gm), ([, rest = '']) => rest.trim());
  return given.flatMap((rest) => {
    const [, assigned] = /^([\w.-]+)\s*(?::{0,3}|\?|\+|!)=/.exec(rest) ?? [];
    return rest === '' ? [...variables.keys()] : assigned === undefined ? splitWords(rest) : [assigned];
  });
}

/** GNU make manual "Setting Variables", "Variables from the Environment". */
function assign(
  variables: Map<string, string>,
  [, name = '', operator, value = '']: RegExpExecArray,
  { environment, environmentWins }: Given,
): void {
  const inherited = environment(name);
  const before = variables.get(name) ?? inherited;
  if (environmentWins && inherited !== null) {
    variables.set(name, inherited);
  } else if (operator !== '?' || before === null) {
    variables.set(name, operator === '+' ? `${before ?? ''} ${value}`.trim() : value);
  }
}

/** A text without `define NAME … endef`, and the values that these give (GNU make manual "Multi-Line"). */
function withoutDefinitions(text: string): readonly [string, ReadonlyMap<string, string>] {
  const definitions = new Map<string, string>();
  const rest = text.replace(
    /^ *(?:override +|export +)*define[ \t]+([\w.-]+)[^\n]*\n([\s\S]*?)^ *endef\b/gm,
    (_, name: string, value: string) => {
      definitions.set(name, value.replace(/\n$/, ''));
      return '';
    },
  );
  return [rest, definitions];
}

/** Also behind a value: make ends it there, the shell would not. */
function withoutComment(line: string): string {
  return line.replace(/(^|[^\\])#.*$/, '$1').trimEnd();
}

function shellCommandsOf(text: string): readonly ShellCommand[] {
  const lines = text.split('\n').filter((line) => !/^[\t#]/.test(line));
  return lines.flatMap((line) => {
    const variable = /^ *(?:export\s+|override\s+)?([\w.-]+)\s*(?::{1,3}|\?|\+)?=/.exec(line)?.[1] ?? null;
    const assigned = /^[\w.-]+\s*!=\s*(.*)$/.exec(line)?.slice(1) ?? [];
    return [...shellCallsIn(line), ...assigned].map((command) => ({ text: command, variable }));
  });
}

function addRule(
  rules: Map<string, Rule>,
  target: string,
  prerequisites: readonly string[],
  recipe: readonly string[],
): void {
  const before = rules.get(target);
  rules.set(target, {
    prerequisites: [...(before?.prerequisites ?? []), ...prerequisites],
    recipe: before !== undefined && before.recipe.length > 0 ? before.recipe : recipe,
  });
}

function runTarget(target: string, makefile: Makefile, call: Call, shell: Shell, done: Set<string>): void {
  const rule = makefile.rules.get(target);
  if (rule === undefined || done.has(target)) {
    return;
  }
  done.add(target);
  const scope = scopeOf(makefile, target, call);
  shell.budget.nested(() => {
    for (const prerequisite of rule.prerequisites.flatMap((name) => splitWords(expandedText(name, scope)))) {
      runTarget(prerequisite, makefile, call, shell, done);
    }
  });
  const process = { label: `make ${target}`, name: knownWord('sh'), positional: [], input: null } as const;
  for (const line of rule.recipe) {
    // A canned recipe brings lines of its own.
    for (const command of new Set(expandedTexts(line, scope).flatMap((text) => text.split('\n')))) {
      shell.runProcess(call, command.replace(/^[\s@+-]+/, ''), process);
    }
  }
}

function scopeOf({ variables, environment }: Makefile, target: string, { state }: Call): MakeScope {
  return { variables, environment, target, base: state.cwd.kind === 'known' ? state.cwd.path : '/' };
}

export const makePrograms: readonly (readonly [string, ProgramReader])[] = ['make', 'gmake', 'bmake', 'remake'].map(
  (name) => [name, runMake],
);
