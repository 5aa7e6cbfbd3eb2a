import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { Git, withoutRepositoryVariables } from '../../git/runner.ts';
import { quoteWord } from '../../quote.ts';
import { type Check, type Diagnosis, type Examined, failure, fine, installCommand, warning } from '../doctor.ts';
import type { HookName } from '../hook-name.ts';
import { isOurHookAt, readHookState } from '../hook-state.ts';
import { findHooksDirectory, gitAtTop, hookPathOfGit, readHooksPath } from '../hooks-directory.ts';

const name = 'hook-installed';

/** Are the hooks present, executable and at the path that git itself would start? */
export const hookInstalled: Check = {
  name,
  async examine(examined) {
    const place = await placeOfHooks(examined);
    return Promise.all(examined.hooks.map((hook) => examineHook(hook, place, examined)));
  },
};

interface PlaceOfHooks {
  /** The file that sets core.hooksPath; null: none does. */
  readonly setBy: string | null;
  /** What brings the guard's hooks there. */
  readonly remedy: string;
}

/** Where hooks are shared with other repositories, `install` writes none, and says what can be done instead. */
async function placeOfHooks(examined: Examined): Promise<PlaceOfHooks> {
  const { repository, env } = examined;
  try {
    const { setBy } = await findHooksDirectory(repository, env);
    return { setBy, remedy: installCommand(examined) };
  } catch (error) {
    if (error instanceof OxideError && error.code === 'hooks-path-outside') {
      const { setBy } = await readHooksPath(gitAtTop(repository, env));
      return { setBy, remedy: error.remedy ?? installCommand(examined) };
    }
    throw error;
  }
}

async function examineHook(hook: HookName, { setBy, remedy }: PlaceOfHooks, examined: Examined): Promise<Diagnosis> {
  const path = await hookPathOfGit(examined.git, hook);
  const state = readHookState(path);
  switch (state.kind) {
    case 'ours':
      return isExecutable(state.mode) ? fine(name, `${hook}: git starts ${path}`) : notExecutable(hook, path);
    case 'behind-pre-commit':
      return isExecutable(state.mode)
        ? fine(name, `${hook}: pre-commit starts ${state.path}`)
        : notExecutable(hook, state.path);
    case 'absent':
      return failure(name, `${hook}: ${absence(hook, path, setBy, examined)}`, remedy);
    case 'obstacle':
      return failure(
        name,
        `${hook}: ${path} is a directory`,
        `mv ${quoteWord(path)} ${quoteWord(`${path}.moved`)} && ${installCommand(examined)}`,
      );
    case 'foreign':
      return existsSync(path) && readFileSync(path, 'latin1').includes('oxide-guard')
        ? warning(
            name,
            `${hook}: ${path} is not the guard's, but mentions it`,
            'Make sure it ends with the exit code of: npx oxide-guard hook …',
          )
        : failure(name, `${hook}: ${path} is another tool's, and does not start the guard`, remedy);
  }
}

/** The hook may well be installed, but where git does not look any more. */
function absence(hook: HookName, path: string, setBy: string | null, { manifest }: Examined): string {
  const shadowed = manifest
    .map((entry) => join(entry.directory, hook))
    .find((other) => other !== path && isOurHookAt(other));
  const why = setBy === null ? '' : `, because core.hooksPath is set (${setBy})`;
  if (shadowed === undefined) {
    return `there is no ${path}${why === '' ? '' : `, where git looks${why}`}`;
  }
  return `git looks in ${dirname(path)}${why}; the guard's hook is ${shadowed} and never runs`;
}

function notExecutable(hook: HookName, path: string): Diagnosis {
  return failure(name, `${hook}: ${path} is not executable, so git ignores it`, `chmod +x ${quoteWord(path)}`);
}

function isExecutable(mode: number): boolean {
  return process.platform === 'win32' || (mode & 0o111) === 0o111;
}

/** Do the other worktrees reach the hooks? With a relative core.hooksPath each has a directory of its own. */
export const worktreesCovered: Check = {
  name: 'worktrees-covered',
  async examine({ git, env, repository, hooks }) {
    const listed = await git.text(['worktree', 'list', '--porcelain']);
    const others = [...listed.matchAll(/^worktree (.*)$/gm)]
      .map(([, path = '']) => path)
      .filter((path) => path !== repository.workTree && existsSync(join(path, '.git')));
    const [hook] = hooks;
    if (others.length === 0 || hook === undefined || repository.workTree === null) {
      return [];
    }
    const diagnoses = await Promise.all(
      others.map(async (path) => {
        const state = readHookState(
          await hookPathOfGit(new Git({ cwd: path, env: withoutRepositoryVariables(env) }), hook),
        );
        const isCovered = state.kind === 'ours' || state.kind === 'behind-pre-commit';
        return isCovered
          ? null
          : warning(
              'worktrees-covered',
              `the worktree ${path} has no ${hook} hook`,
              `cd ${quoteWord(path)} && npx oxide-guard install`,
            );
      }),
    );
    const uncovered = diagnoses.filter((diagnosis) => diagnosis !== null);
    return uncovered.length > 0
      ? uncovered
      : [
          fine(
            'worktrees-covered',
            `the hooks serve ${others.length === 1 ? 'the other worktree' : `all ${others.length} other worktrees`} too`,
          ),
        ];
  },
};
