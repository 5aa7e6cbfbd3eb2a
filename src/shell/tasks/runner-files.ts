import { packageManagers, packageRunners } from './package-scripts.ts';
import { justfiles, makefiles, makeNames, taskfiles } from './task-file-names.ts';
import { taskTable } from './task-table.ts';

/** Where a runner's tasks stand, and how it is told of one. */
export interface RunnerFiles {
  /** Paths from the top of the project, or from where the runner stands. */
  readonly names: readonly string[];
  /** Endings of files that are read along with these. */
  readonly endings: readonly string[];
  /** Words before a task's name. */
  readonly verbs: readonly string[];
}

const none: Omit<RunnerFiles, 'names'> = { endings: [], verbs: [] };

/** Of runners that are not in the table of those with a file. */
const others: ReadonlyMap<string, RunnerFiles> = new Map<string, RunnerFiles>([
  ...each([...packageManagers, 'node'], { ...none, names: ['package.json'], verbs: packageRunners }),
  ...each(makeNames, { ...none, names: makefiles, endings: ['.mk'] }),
  ...each(['just'], { ...none, names: justfiles }),
  // Task's own file, and Taskipy's.
  ...each(['task', 'go-task'], { ...none, names: [...taskfiles, ...(taskTable.task?.files ?? [])] }),
]);

function each(programs: readonly string[], files: RunnerFiles): readonly (readonly [string, RunnerFiles])[] {
  return programs.map((program) => [program, files]);
}

/** Null: the program runs no tasks out of a file of the project. */
export function runnerFiles(program: string): RunnerFiles | null {
  const row = Object.hasOwn(taskTable, program) ? taskTable[program] : undefined;
  return (
    others.get(program) ??
    (row === undefined
      ? null
      : { names: row.files, endings: (row.parts ?? []).map(([, ending]) => ending), verbs: row.verbs ?? [] })
  );
}
