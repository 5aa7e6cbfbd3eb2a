import type { ProgramReader } from '../call.ts';
import { runInterpreter } from '../inline/language-program.ts';
import { languageOf } from '../inline/source/languages.ts';
import { hookManagers } from '../tasks/hook-managers.ts';
import { makePrograms } from '../tasks/makefile.ts';
import { packageScripts } from '../tasks/package-scripts.ts';
import { releaseTools } from '../tasks/release-tools.ts';
import { taskRunners } from '../tasks/task-files.ts';
import { workspaceRunners } from '../tasks/workspace-runners.ts';
import { patchPrograms } from './apply-patch.ts';
import { consolePrograms } from './console-programs.ts';
import { containerPrograms } from './containers.ts';
import { runFd, runFind } from './find.ts';
import { hostingPrograms } from './hosting-cli.ts';
import { optionScripts } from './option-script.ts';
import { otherMachines } from './other-machines.ts';
import { runParallel } from './parallel.ts';
import { patternRemovers } from './pattern-removers.ts';
import { pythonRunners } from './python-runners.ts';
import { runPartsPrograms } from './run-parts.ts';
import { scheduledJobs } from './scheduled-jobs.ts';
import { subcommandWrappers } from './subcommand-wrappers.ts';
import { testRunners } from './test-runners.ts';
import { runTmux } from './tmux.ts';

const rows: readonly (readonly [string, ProgramReader])[] = [
  ['find', runFind],
  ['fd', runFd],
  ['fdfind', runFd],
  ['parallel', runParallel],
  ['tmux', runTmux],
  ...taskRunners,
  ...workspaceRunners,
  ...subcommandWrappers,
  ...scheduledJobs,
  ...runPartsPrograms,
  ...patchPrograms,
  ...packageScripts,
  ...makePrograms,
  ...pythonRunners,
  ...testRunners,
  ...otherMachines,
  ...optionScripts,
  ...releaseTools,
  ...containerPrograms,
  ...consolePrograms,
  ...hostingPrograms,
  ...patternRemovers,
  ...hookManagers,
];

/** Programs that take a command, or a whole program that starts one, from their options, their input or a file. */
const carriers = new Map<string, readonly ProgramReader[]>();
for (const [name, reader] of rows) {
  carriers.set(name, [...(carriers.get(name) ?? []), reader]);
}

/** Programs met so far; forgotten beyond this many, so that memory stays flat. */
const maximumKnown = 1024;
const known = new Map<string, ProgramReader | null>();

/** The reader of a program that carries others; null for an ordinary program. */
export function findCarrier(program: string): ProgramReader | null {
  let reader = known.get(program);
  if (reader === undefined) {
    if (known.size >= maximumKnown) {
      known.clear();
    }
    reader = makeCarrier(program);
    known.set(program, reader);
  }
  return reader;
}

function makeCarrier(program: string): ProgramReader | null {
  const language = languageOf(program);
  const readers = carriers.get(program) ?? [];
  if (language === null && readers.length === 0) {
    return null;
  }
  return (call, shell) => {
    for (const reader of readers) {
      const outcome = reader(call, shell);
      if (outcome !== null) {
        return outcome;
      }
    }
    return language === null ? null : runInterpreter(language, call, shell);
  };
}
