import { ExitCode, OxideError } from '../errors.ts';
import { type HookName, hookNames, isHookName } from '../githooks/hook-name.ts';
import { type InstallReport, install as installHooks } from '../githooks/install.ts';
import type { InstalledHook } from '../githooks/installed-hook.ts';
import { packageRoot } from '../githooks/package-place.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import { type AgentReport, agentWords, installAgents, printAgents } from './agent-hooks.ts';
import type { Command } from './command.ts';
import { shownPath } from './shown-path.ts';

interface Options {
  readonly hooks?: readonly string[];
  readonly server?: boolean;
  readonly agent?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const install: Command = {
  register(cli, console) {
    cli
      .command('install [...names]', 'Give this repository its hooks: commit-msg and pre-push')
      .usage('install [--agent NAME…]')
      .option('--hooks <names>', `Which hooks, with commas between: ${hookNames.join(', ')}`, { type: [String] })
      .option('--server', 'Give a repository that others push to its pre-receive hook')
      .option('--agent <names>', 'Also stop these agents’ commands: claude, codex, …, or all that are used here', {
        type: [String],
      })
      .option('--dry-run', 'Say what would be written, and write nothing')
      .option('--json', 'Print one JSON document')
      .action((names: readonly string[], options: Options) => runInstall(names, options, console));
  },
};

/** @param names `--agent claude codex`: those behind the first */
async function runInstall(names: readonly string[], options: Options, console: Console): Promise<ExitCode> {
  const [first] = names;
  if (options.agent === undefined && first !== undefined) {
    throw new OxideError('usage', `'${first}' is one word too many.`, {
      remedy: 'oxide-guard install --help',
      exitCode: ExitCode.usage,
    });
  }
  const words = options.agent === undefined ? null : agentWords([...options.agent, ...names]);
  let report: InstallReport;
  try {
    report = await installHooks({
      cwd: process.cwd(),
      env: process.env,
      hooks: options.hooks === undefined ? null : hooksNamed(options.hooks),
      server: options.server === true,
      dryRun: options.dryRun === true,
      node: process.execPath,
      packageRoot: packageRoot(),
    });
  } catch (error) {
    if (isPrepareWithoutRepository(error)) {
      const lacks = error.code === 'git-missing' ? 'git is not installed' : 'no git repository here';
      console.err(`oxide-guard: ${lacks}, so no hooks are installed.`);
      return ExitCode.fine;
    }
    throw error;
  }
  const dryRun = options.dryRun === true;
  if (options.json !== true) {
    printReport(report, dryRun, console);
  }
  const agents: readonly AgentReport[] = words === null ? [] : await installAgents(words, dryRun);
  if (options.json === true) {
    console.out(JSON.stringify({ dryRun, ...report, agents }, null, 2));
  } else if (words !== null && agents.length === 0) {
    const sign = console.colors.yellow('!');
    console.err(`${sign} No agent is used here: none has settings here or in your home, or is on PATH.`);
    console.err(pasteable('  → oxide-guard install --agent claude'));
  } else {
    printAgents(agents, dryRun, console);
  }
  return agents.some(({ change }) => change === 'failed') ? ExitCode.failed : ExitCode.fine;
}

/** `npm ci` in an image without `.git`, or without git, runs the project's `prepare` too and must go on. */
function isPrepareWithoutRepository(error: unknown): error is OxideError {
  return (
    process.env.npm_lifecycle_event === 'prepare' &&
    error instanceof OxideError &&
    ['not-a-repository', 'git-missing'].includes(error.code)
  );
}

function hooksNamed(names: readonly string[]): readonly HookName[] {
  const words = names.flatMap((list) => list.split(','));
  return words.map((word) => {
    const name = word.trim();
    if (!isHookName(name)) {
      throw new OxideError('unknown-hook', `The guard has no program for a hook named '${name}'.`, {
        remedy: `Choose from: ${hookNames.join(', ')}`,
        exitCode: ExitCode.usage,
      });
    }
    return name;
  });
}

function printReport({ hooks, manifest, notices }: InstallReport, dryRun: boolean, console: Console): void {
  const { colors } = console;
  for (const hook of hooks) {
    console.out(`${colors.green(dryRun ? '·' : '✓')} ${sentence(hook, dryRun)}`);
    if (hook.kept !== null) {
      const runs = hook.keptIsIgnored ? 'git ignored it (not executable), and so does the guard' : 'it still runs';
      console.out(`  ${colors.dim(`the hook that was there: ${shownPath(hook.kept)} (${runs})`)}`);
    }
    if (hook.edited !== null) {
      console.out(`  ${colors.dim(`its changed version: ${shownPath(hook.edited)}`)}`);
    }
  }
  const recorded = dryRun ? 'would be recorded' : 'is recorded';
  console.out(
    colors.dim(
      `  what was there ${recorded} in ${shownPath(manifest)}; ${pasteable('undo with: oxide-guard uninstall')}`,
    ),
  );
  for (const notice of notices) {
    console.err(`${colors.yellow('!')} ${notice}`);
  }
}

function sentence({ hook, path, change }: InstalledHook, dryRun: boolean): string {
  if (change === 'unchanged') {
    return `${hook}: ${shownPath(path)} is up to date`;
  }
  const done = change === 'written' ? 'written' : 'updated';
  return `${hook}: ${shownPath(path)} ${dryRun ? `would be ${done}` : done}`;
}
