import { type Call, type ProgramReader, type Shell, through } from '../call.ts';
import { mergeOutcome } from '../merged-states.ts';
import type { Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';

/** A program that runs the Python program it is given: profilers, debuggers, tracers. */
interface Runner {
  /** The subcommand that does it. */
  readonly verb?: string;
  /** Options that take the next word. */
  readonly valued: RegExp;
  /** What its first operand is, where that is no file. */
  readonly takes?: 'module' | 'tests';
}

/** The standard library's by their chapters of Python's manual ("Debugging and Profiling"), the others by their `--help`. */
const runners: Readonly<Record<string, Runner>> = {
  cProfile: { valued: /^-[os]$|^--(?:outfile|sort)$/ },
  profile: { valued: /^-[os]$|^--(?:outfile|sort)$/ },
  trace: { valued: /^-[fC]$|^--(?:file|coverdir|ignore-module|ignore-dir)$/ },
  pdb: { valued: /^-c$|^--command$/ },
  ipdb: { valued: /^-c$/ },
  pudb: { valued: /^--log-errors$|^--pre-run$/ },
  doctest: { valued: /^-o$|^--option$/ },
  runpy: { valued: /(?!)/, takes: 'module' },
  unittest: { valued: /^-k$/, takes: 'tests' },
  coverage: { verb: 'run', valued: /^--(?:concurrency|context|data-file|include|omit|rcfile|source)$/ },
  debugpy: { valued: /^--(?:listen|connect|log-to|adapter-access-token|parent-session-pid)$|^--configure-/ },
  kernprof: { valued: /^-[osupi]$|^--(?:outfile|setup|unit|prof-mod|output-interval)$/ },
  line_profiler: { valued: /(?!)/ },
  memory_profiler: { valued: /^-o$|^--(?:pdb-mmem|precision)$/ },
  mprof: { verb: 'run', valued: /^-[oT]$|^--(?:interval|output)$/ },
  memray: { verb: 'run', valued: /^-o$|^--output$/ },
  pyinstrument: { valued: /^-[ortip]$|^--(?:outfile|renderer|interval|hide|show|from-path|load|timeline)$/ },
  scalene: { valued: /^--(?:outfile|profile-only|profile-exclude|cpu-percent-threshold)$/ },
  viztracer: { valued: /^-o$|^--(?:output_file|tracer_entries|max_stack_depth|include_files|exclude_files)$/ },
};

/** Those that are installed as programs of their own. */
const programs = ['coverage', 'debugpy', 'kernprof', 'memray', 'mprof', 'pudb', 'pyinstrument', 'scalene', 'viztracer'];

/** `tests.test_push.Pushes.test_all`: the classes and functions of a module are none. */
function moduleOf(name: string): string {
  return name.replace(/\.[A-Z]\w*(?:\.\w+)?$/, '');
}

/** The words behind `python` for what such a program runs; none where it runs nothing that is named. */
function ranBy({ verb, valued, takes }: Runner, args: readonly Word[]): readonly (readonly Word[])[] {
  let isBehindVerb = verb === undefined;
  for (let at = 0; at < args.length; at += 1) {
    const text = beginningOf(args[at]);
    if (valued.test(text)) {
      at += 1;
    } else if (takes !== 'tests' && /^(?:-m|-[a-z]*m|--module)$/.test(text)) {
      return [[knownWord('-m'), ...args.slice(at + 1)]];
    } else if (text === '-c' && takes === undefined) {
      return [args.slice(at)];
    } else if (!text.startsWith('-') && isBehindVerb) {
      return namedPrograms(takes, args.slice(at));
    } else if (!text.startsWith('-')) {
      if (text !== verb) {
        return [];
      }
      isBehindVerb = true;
    }
  }
  return [];
}

function namedPrograms(takes: Runner['takes'], operands: readonly Word[]): readonly (readonly Word[])[] {
  switch (takes) {
    case 'module':
      return [[knownWord('-m'), ...operands]];
    case 'tests':
      return operands
        .map(beginningOf)
        .filter((name) => !name.startsWith('-') && name !== 'discover')
        .map((name) => (name.endsWith('.py') ? [name] : ['-m', moduleOf(name)]).map(knownWord));
    default:
      return [operands];
  }
}

/**
 * `python -m cProfile FILE`, `coverage run FILE`: the program that is given, as Python runs it.
 *
 * @returns null where the name is none of these, or nothing is run
 */
export function runByModule(name: string, args: readonly Word[], call: Call, shell: Shell): Outcome | null {
  const runner = Object.hasOwn(runners, name) ? runners[name] : undefined;
  const ran = runner === undefined ? [] : ranBy(runner, args);
  const frame = through(call.frame, name);
  const interpreter = /python|pypy/.test(beginningOf(call.argv[0])) ? call.argv[0] : undefined;
  return ran.length === 0
    ? null
    : ran
        .map((words) =>
          shell.run({ ...call, frame, argv: [interpreter ?? knownWord('python3'), ...words], lookup: 'programs' }),
        )
        .reduce(mergeOutcome);
}

/** Rows for the table of carriers. */
export const pythonRunners: readonly (readonly [string, ProgramReader])[] = programs.map((name) => [
  name,
  (call, shell) => runByModule(name, call.argv.slice(1), call, shell),
]);
