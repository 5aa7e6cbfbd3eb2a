import { openRepository } from '../git/open-repository.ts';
import type { Environment } from '../git/runner.ts';
import { interpret } from '../guards/git-command/interpret.ts';
import { readInvocation } from '../guards/git-command/invocation.ts';
import { known, shown } from '../guards/git-command/words.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { programName, type SimpleCommand, type Word } from '../shell/simple-command.ts';

/** Subcommands that change the repository, its remotes or the work tree. */
const operations = new Set([
  'am',
  'apply',
  'checkout',
  'cherry-pick',
  'clone',
  'commit',
  'fetch',
  'init',
  'merge',
  'mv',
  'pull',
  'push',
  'rebase',
  'reset',
  'restore',
  'revert',
  'rm',
  'stash',
  'switch',
]);

/** These only list, without a name. */
const namingOperations = new Set(['branch', 'tag']);

/**
 * What a command line asks git to do, as the guard reads it, aliases included: `commit`, or `commit, push`. Only
 * operations that change something; null where there is none. What git made of it, its exit code tells.
 */
export async function gitOperation(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | null> {
  const { steps } = readCommandLine(command, { cwd, env });
  const found = new Set<string>();
  for (const step of steps) {
    const operation = step.kind === 'command' ? await operationOf(step, env) : null;
    if (operation !== null) {
      found.add(operation);
    }
  }
  return found.size === 0 ? null : [...found].join(', ');
}

async function operationOf(command: SimpleCommand, env: Environment): Promise<string | null> {
  const program = programName(command.argv[0]);
  if (program === null || !/^git(?:-|$)/.test(program)) {
    return null;
  }
  const args = command.argv.slice(1);
  const dashed = program.slice('git-'.length);
  const lookUp = (name: string) => command.env.get(name) ?? null;
  const { directory, words } = readInvocation(dashed === '' ? args : [known(dashed), ...args], command.cwd, lookUp);
  const read = await interpret(words, null, (name) =>
    aliasIn(directory.kind === 'known' ? directory.path : null, name, env),
  );
  const subcommand = read.kind === 'intents' ? (read.subcommand.split(' ')[0] ?? '') : '';
  const isNaming = namingOperations.has(subcommand) && words.slice(1).some((word) => !shown(word).startsWith('-'));
  return operations.has(subcommand) || isNaming ? subcommand : null;
}

/** Only asked for names that are none of git's own. */
async function aliasIn(directory: string | null, name: string, env: Environment): Promise<Word | null> {
  try {
    const repository = directory === null ? null : await openRepository({ cwd: directory, env });
    const value = (await repository?.config())?.get(`alias.${name}`);
    return value === undefined || value === null ? null : known(value);
  } catch {
    return null;
  }
}
