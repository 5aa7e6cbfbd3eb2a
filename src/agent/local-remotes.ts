import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRepository } from '../git/open-repository.ts';
import type { Environment } from '../git/runner.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { programName } from '../shell/simple-command.ts';

/** Programs beside git that can do no harm to a directory that is writable for git's sake. */
const harmless: ReadonlySet<string> = new Set([
  'cd',
  'echo',
  'printf',
  'pwd',
  'true',
  'false',
  'test',
  '[',
  ':',
  'sleep',
]);

/**
 * The remotes on this machine's own disk that a command line must be able to write, so that its `git push` works in the
 * sandbox. Only for a line of git commands: what those do to a remote was judged; `rm -rf` beside them was not.
 *
 * @returns absolute directories
 */
export async function localRemotes(command: string, cwd: string, env: Environment): Promise<readonly string[]> {
  if (!command.includes('git')) {
    return [];
  }
  const { steps, truncated } = readCommandLine(command, { cwd, env });
  const names = steps.map((step) => (step.kind === 'command' ? programName(step.argv[0]) : null));
  const isGits = names.every((name) => name === 'git' || (name !== null && harmless.has(name)));
  if (truncated !== null || !isGits || !names.includes('git')) {
    return [];
  }
  const directories = steps.flatMap((step) => (step.cwd.kind === 'known' ? [step.cwd.path] : []));
  const found = await Promise.all([...new Set(directories)].map((directory) => remotesAt(directory, env)));
  return [...new Set(found.flat())];
}

async function remotesAt(directory: string, env: Environment): Promise<readonly string[]> {
  try {
    const repository = await openRepository({ cwd: directory, env });
    const config = await repository?.config();
    if (repository === null || config === undefined) {
      return [];
    }
    const base = repository.workTree ?? repository.gitDir;
    return config
      .subsections('remote')
      .flatMap((name) => [...config.getAll(`remote.${name}.url`), ...config.getAll(`remote.${name}.pushurl`)])
      .map((url) => resolve(base, url.startsWith('file://') ? fileURLToPath(url) : url))
      .filter(isRepository);
  } catch {
    // No repository that could be read: git will say so.
    return [];
  }
}

function isRepository(path: string): boolean {
  return existsSync(join(path, 'objects')) || existsSync(join(path, '.git'));
}
