import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindOf } from '../git/files.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Environment } from '../git/runner.ts';
import { readInvocation } from '../guards/git-command/invocation.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { programName, type SimpleCommand } from '../shell/simple-command.ts';

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
 * sandbox. Only for a line of git commands: what those do to a remote was judged; `rm -rf` beside them was not. And only
 * the remotes of the session's own repository, whose settings commands can't change.
 *
 * @param commonDir of the session's repository
 * @returns absolute git directories
 */
export async function localRemotes(
  command: string,
  cwd: string,
  env: Environment,
  commonDir: string | null,
): Promise<readonly string[]> {
  if (commonDir === null || !command.includes('git')) {
    return [];
  }
  const { steps, truncated } = readCommandLine(command, { cwd, env });
  const commands = steps.filter((step) => step.kind === 'command');
  const gits = commands.filter(({ argv }) => programName(argv[0]) === 'git');
  const isRestHarmless = commands.every(({ argv: [program] }) => {
    const name = programName(program);
    return name === 'git' || (name !== null && harmless.has(name));
  });
  if (truncated !== null || commands.length < steps.length || !isRestHarmless || gits.length === 0) {
    return [];
  }
  const found = await Promise.all(gits.map((step) => remotesOf(step, env, commonDir)));
  return found.some((remotes) => remotes === null) ? [] : [...new Set(found.flatMap((remotes) => remotes ?? []))];
}

/** Null: the command is not about the session's repository, or it can't be known. Another one's hooks are its maker's. */
async function remotesOf(
  { argv, cwd, env: variables }: SimpleCommand,
  env: Environment,
  commonDir: string,
): Promise<readonly string[] | null> {
  const { directory, gitDir } = readInvocation(argv.slice(1), cwd, (name) => variables.get(name) ?? null);
  if (directory.kind !== 'known' || gitDir !== null) {
    return null;
  }
  try {
    const repository = await openRepository({ cwd: directory.path, env });
    const config = await repository?.config();
    if (repository === null || config === undefined || repository.commonDir !== commonDir) {
      return null;
    }
    const base = repository.workTree ?? repository.gitDir;
    return config
      .subsections('remote')
      .flatMap((name) => [...config.getAll(`remote.${name}.url`), ...config.getAll(`remote.${name}.pushurl`)])
      .map((url) => resolve(base, url.startsWith('file://') ? fileURLToPath(url) : url))
      .flatMap(gitDirectory);
  } catch {
    // No repository that could be read: git will say so.
    return null;
  }
}

function gitDirectory(path: string): readonly string[] {
  const inside = join(path, '.git');
  if (kindOf(inside) === 'directory') {
    return [inside];
  }
  return existsSync(join(path, 'objects')) ? [path] : [];
}
