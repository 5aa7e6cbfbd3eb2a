import { posix } from 'node:path';
import { type Call, framed, type ProgramReader, type Shell } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { standFor, together } from '../path.ts';
import { resolvePath } from '../path-resolution.ts';
import { doubtful, either, type Outcome, parted, type ShellState } from '../shell-state.ts';
import { type Ends, knownWord, type Path } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { isOpen } from './make-expansion.ts';
import { readMakeOptions } from './make-options.ts';
import { type MakeCommand, type MakeJob, plannedJobs } from './make-plan.ts';
import { type Makefile, type MakeGiven, readMakefile } from './make-reading.ts';
import { makefiles, makeNames } from './task-file-names.ts';

/** `make`: the recipes of the targets it is asked for, and of what they need first (GNU make manual). */
const runMake: ProgramReader = (call, shell) => {
  const environment = exportedTo(call, shell);
  const options = readMakeOptions(call, environment('MAKEFLAGS') ?? '');
  const { directory, files, targets, dryRun, showsOnly, goesOn, isParallel, evaluated, flags } = options;
  const { cwd } = call.state;
  if (cwd.kind !== 'known' || directory === null || showsOnly) {
    return null;
  }
  const base = resolvePath(knownWord(directory), cwd) ?? cwd.path;
  const read = textOf(base, files, call, shell);
  if (read === null && evaluated === '') {
    return null;
  }
  const text = [...(evaluated === '' ? [] : [evaluated]), ...(read === null ? [] : [read.text])].join('\n');
  const { variables, environmentWins, includeDirectories } = options;
  const search = [base, ...includeDirectories.map((one) => posix.resolve(base, one))];
  const given = { variables, environmentWins, environment, search, name: read?.name ?? '' };
  const ends = runText(text, { ...given, targets, base, dryRun, goesOn, isParallel, flags }, call, shell);
  if (ends !== null && !options.leavesOld) {
    standFor(call.frame.success, ends);
  }
  return either(call.state);
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
export function runMakefile(text: string, run: MakefileRun, call: Call, shell: Shell): ReturnType<ProgramReader> {
  const given = { environmentWins: false, environment: () => null, search: [run.base], name: '' };
  runText(text, { ...run, ...given, dryRun: false, goesOn: null, isParallel: false, flags: '' }, call, shell);
  return either(call.state);
}

/** The makefiles that are named, one behind the other, or the one that make finds. */
function textOf(
  base: string,
  files: readonly (string | null)[],
  call: Call,
  shell: Shell,
): { readonly text: string; readonly name: string } | null {
  const names = files.length === 0 ? makefiles : files;
  const texts = names.flatMap((name) => {
    const isInput = name === '-' || name === '/dev/stdin';
    const text = isInput ? inputText(call, shell) : name === null ? null : makefileAt(base, name, shell);
    return text === null ? [] : [{ text, name: name ?? '' }];
  });
  const [first] = texts;
  if (first === undefined) {
    return null;
  }
  return files.length === 0 ? first : { text: texts.map(({ text }) => text).join('\n'), name: first.name };
}

/** Of what a program makes of a makefile nothing else is known than that makefile. */
function inputText({ frame }: Call, shell: Shell): string | null {
  const printer = frame.input?.known()?.printedBy;
  return frame.input?.drain() ?? (printer === undefined ? null : shell.overlay.readBy(printer));
}

function makefileAt(directory: string, name: string, shell: Shell): string | null {
  const path = resolvePath(knownWord(name), { kind: 'known', path: directory });
  return path === null ? null : shell.overlay.tasks(path, '$$');
}

interface MakeRun extends MakefileRun, Pick<MakeGiven, 'environment' | 'environmentWins' | 'name'> {
  /** Where included makefiles are looked for. */
  readonly search: readonly string[];
  readonly dryRun: boolean;
  readonly goesOn: 'everywhere' | 'elsewhere' | null;
  readonly isParallel: boolean;
  /** What a make finds in MAKEFLAGS that a recipe starts. */
  readonly flags: string;
}

/** More ways of reading a makefile than these are not told apart. */
const maximumWays = 4;

/** @returns how it ends; null: that is not known */
function runText(text: string, run: MakeRun, call: Call, shell: Shell): Ends | null {
  shell.emitCommand(call);
  const placed = { ...doubtful(call.state), cwd: { ...call.state.cwd, kind: 'known', path: run.base } as const };
  let success: Path | undefined;
  shell.recursion.reading(text, () => {
    const seen = new Set<string>();
    let open: ShellState | null = placed;
    for (let way = 0, ways = 1; way < Math.min(ways, maximumWays) && open !== null; way += 1) {
      const makefile = readMakefile(text, givenTo(run, shell), way);
      ways = Math.max(ways, makefile.ways);
      const jobs = plannedJobs(makefile, run.targets, () => shell.budget.visit());
      const plan = JSON.stringify(jobs);
      if (seen.has(plan)) {
        continue;
      }
      seen.add(plan);
      // It is read in one of these ways.
      const { success: taken, failure }: Outcome = parted(either(open));
      const stops = stopsWhereItFails(makefile, run);
      const end = runJobs(jobs, { ...run, stops }, { ...call, state: taken ?? open }, shell);
      success = ways === 1 && stops ? end : undefined;
      open = failure;
    }
  });
  return success === undefined ? null : { from: call.state.path, success, failure: undefined };
}

/** Does make succeed only where all that it runs does? @param makefile without files that are made to be included */
function stopsWhereItFails({ rules, variables, missing }: Makefile, { dryRun, goesOn }: MakeRun): boolean {
  const isIgnoring = rules.some(({ targets }) => targets.includes('.IGNORE')) || variables.values.has('MAKEFLAGS');
  return !dryRun && goesOn === null && missing.length === 0 && !isIgnoring;
}

function givenTo(
  { base, variables, environmentWins, environment, search, targets, name }: MakeRun,
  shell: Shell,
): MakeGiven {
  return {
    base,
    variables,
    environmentWins,
    environment,
    targets,
    name,
    exists: (path) => shell.overlay.exists(path) || (shell.overlay.mayCreate ? null : false),
    included: (pattern) =>
      filesNamed(pattern, base, shell).map((one) => ({ name: one, text: includedText(one, search, shell) })),
  };
}

function includedText(name: string, search: readonly string[], shell: Shell): string | null {
  for (const directory of search) {
    const text = makefileAt(directory, name, shell);
    if (text !== null) {
      return text;
    }
  }
  return null;
}

/** `make/*.mk`: those that fit; other patterns are not followed. */
function filesNamed(name: string, base: string, shell: Shell): readonly string[] {
  const [, directory = '', start = '', end = ''] = /^([^*?[]*\/)?([^*?[/]*)\*([^*?[/]*)$/.exec(name) ?? [];
  const isPattern = name.includes('*') && name === `${directory}${start}*${end}`;
  const names = isPattern ? shell.overlay.list(posix.resolve(base, directory)) : null;
  const fits = (one: string) => one.length >= start.length + end.length && one.startsWith(start) && one.endsWith(end);
  return names === null ? [name] : names.filter(fits).map((one) => `${directory}${one}`);
}

/**
 * Runs the jobs until something fails that make does not go on behind.
 *
 * @returns the path on which all of it has succeeded; undefined: it may be up to date, or fails
 */
function runJobs(
  jobs: readonly MakeJob[],
  run: MakeRun & { readonly stops: boolean },
  call: Call,
  shell: Shell,
): Path | undefined {
  let end: Path | undefined = call.state.path;
  const flags = run.flags === '' ? [] : [['MAKEFLAGS', knownWord(run.flags)] as const];
  for (const { label, commands, environment, program, isSure, isDue } of jobs) {
    const exported = environment.map(
      ([name, value]) =>
        [
          name,
          isOpen(value) ? unknownWord(`$(${name})`, `what ${name} is in the makefile is not known`) : knownWord(value),
        ] as const,
    );
    const state = withAssignments(call.state, new Map([...exported, ...flags]));
    // What comes behind a command comes only where that has succeeded.
    let path = !run.stops || run.isParallel ? call.state.path : (end ?? call.state.path);
    const hasFailed = commands
      .filter(({ always }) => always || !run.dryRun)
      .some((command) => {
        const { success } = runCommand(command, { label, program }, { ...call, state: { ...state, path } }, shell);
        end = command.goesOn ? end : behind(end, success);
        path = command.goesOn || !run.stops ? path : (behind(path, success) ?? path);
        return success === null && isSure && !command.goesOn && run.goesOn !== 'everywhere';
      });
    if (hasFailed && run.goesOn === null) {
      return undefined;
    }
    end = isSure && isDue ? end : undefined;
  }
  return end;
}

function behind(end: Path | undefined, success: ShellState | null): Path | undefined {
  return end === undefined || success === null ? undefined : together(end, success.path);
}

function runCommand(
  { text }: MakeCommand,
  { label, program }: Pick<MakeJob, 'label' | 'program'>,
  call: Call,
  shell: Shell,
): Outcome {
  if (program === null) {
    return shell.runProcess(call, text, { label, name: knownWord('sh'), positional: [], input: null });
  }
  const frame = framed(call.frame, { through: [...call.frame.through, label], input: null, output: null });
  return shell.run({ ...call, frame, argv: [...program, text].map(knownWord), source: text, lookup: 'programs' });
}

export const makePrograms: readonly (readonly [string, ProgramReader])[] = makeNames.map((name) => [name, runMake]);
