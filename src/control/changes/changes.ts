import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import { findOpenspec, runOpenspec } from './openspec-program.ts';
import { type ChangeTask, parseTasks } from './task-list.ts';

/** A proposed change of a project, as OpenSpec keeps it in `openspec/changes/ID/`. */
export interface Change {
  readonly changeId: string;
  readonly completedTasks: number;
  readonly totalTasks: number;
  readonly status: 'no-tasks' | 'in-progress' | 'complete';
}

/** Who has read them: the project's own program, or this one. */
export type ChangeSource = 'openspec' | 'files';

/** A longer list of tasks is no list that a person wrote. In bytes. */
const longestFile = 1024 * 1024;

const listed = z.object({
  changes: z.array(z.object({ name: z.string(), completedTasks: z.number(), totalTasks: z.number() })),
});

const instructions = z.object({
  tasks: z.array(z.object({ id: z.coerce.string(), description: z.string(), done: z.boolean() })),
});

/** The changes of a work tree that are not archived, by id. */
export async function readChanges(
  workTree: string,
  env: Environment,
): Promise<{ readonly changes: readonly Change[]; readonly source: ChangeSource }> {
  const told = await ask(workTree, ['list', '--json'], env, listed);
  const changes =
    told === null
      ? await changesInFiles(workTree)
      : told.changes.map(({ name, completedTasks, totalTasks }) => change(name, completedTasks, totalTasks));
  return {
    changes: [...changes].sort((a, b) => (a.changeId < b.changeId ? -1 : 1)),
    source: told === null ? 'files' : 'openspec',
  };
}

/**
 * The tasks of one change.
 *
 * @throws OxideError `bad-change-id`, `unknown-change`
 */
export async function readTasks(
  workTree: string,
  changeId: string,
  env: Environment,
): Promise<{ readonly tasks: readonly ChangeTask[]; readonly source: ChangeSource }> {
  checkId(changeId);
  const markdown = await tasksFile(workTree, changeId);
  if (markdown === null) {
    const { changes } = await readChanges(workTree, env);
    throw new OxideError('unknown-change', `The project has no change '${changeId}'.`, {
      remedy:
        changes.length === 0
          ? 'It has none in openspec/changes.'
          : `It has: ${changes.map((one) => one.changeId).join(', ')}`,
    });
  }
  const sections = parseTasks(markdown);
  const told = await ask(workTree, ['instructions', 'apply', '--change', changeId, '--json'], env, instructions);
  return told === null
    ? { tasks: sections, source: 'files' }
    : {
        tasks: told.tasks.map((task, at) => ({ ...task, section: sections[at]?.section ?? null })),
        source: 'openspec',
      };
}

/** What the `openspec` program says; null where there is none, or where it says something else. */
async function ask<Schema extends z.ZodType>(
  workTree: string,
  words: readonly string[],
  env: Environment,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const program = findOpenspec(env, workTree);
  const said = program === null ? null : await runOpenspec(program, words, workTree, env);
  const parsed = schema.safeParse(said);
  return parsed.success ? parsed.data : null;
}

async function changesInFiles(workTree: string): Promise<readonly Change[]> {
  const directory = join(workTree, 'openspec', 'changes');
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const ids = entries.filter((entry) => entry.isDirectory() && isChangeId(entry.name)).map(({ name }) => name);
  return Promise.all(
    ids.map(async (id) => {
      const tasks = parseTasks((await tasksFile(workTree, id)) ?? '');
      return change(id, tasks.filter(({ done }) => done).length, tasks.length);
    }),
  );
}

function change(changeId: string, completedTasks: number, totalTasks: number): Change {
  const isDone = completedTasks >= totalTasks;
  return {
    changeId,
    completedTasks,
    totalTasks,
    status: totalTasks === 0 ? 'no-tasks' : isDone ? 'complete' : 'in-progress',
  };
}

/**
 * The text of a change's tasks.md, empty where the change has none; null where there is no such change. What a symbolic
 * link leads to outside of the work tree is not read.
 */
async function tasksFile(workTree: string, changeId: string): Promise<string | null> {
  const directory = join(workTree, 'openspec', 'changes', changeId);
  const isDirectory = await lstat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) {
    return null;
  }
  const path = await realpath(join(directory, 'tasks.md')).catch(() => null);
  if (path === null || !path.startsWith((await realpath(workTree)) + sep)) {
    return '';
  }
  const found = await stat(path);
  return found.isFile() && found.size <= longestFile ? readFile(path, 'utf8') : '';
}

/** OpenSpec's own: kebab-case; anything that could be a path or an option is none. */
function isChangeId(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,99}$/i.test(text) && text !== 'archive' && !text.includes('..');
}

function checkId(text: string): void {
  if (!isChangeId(text)) {
    throw new OxideError('bad-change-id', `${JSON.stringify(text.slice(0, 100))} is no id of a change.`, {
      remedy: 'An id is a name such as add-login: letters, digits, hyphens.',
    });
  }
}
