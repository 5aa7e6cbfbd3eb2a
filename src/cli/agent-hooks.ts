import { join, relative } from 'node:path';
import { detectAgents } from '../dialects/agent-detection.ts';
import { type AgentChange, installAgent, uninstallAgent } from '../dialects/agent-installation.ts';
import { type AgentName, agentNames, isAgentName } from '../dialects/dialect.ts';
import { dialects } from '../dialects/dialects.ts';
import { warmUpHook } from '../dialects/hook-warm-up.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import { findPackagePlace, packageRoot } from '../githooks/package-place.ts';
import type { Console } from '../ui/console.ts';

/**
 * Puts the hook into the settings of the agents that are named, `all` for those that are used here.
 *
 * @throws OxideError `unknown-agent`, `no-agent` when `all` finds none, `settings-unreadable`
 */
export async function installAgents(
  names: string | readonly string[],
  dryRun: boolean,
): Promise<readonly AgentChange[]> {
  const place = await agentPlace();
  if (place === null) {
    throw new OxideError('no-work-tree', 'Agents work in a work tree, and there is none here.');
  }
  const agents = agentsNamed(names, place.workTree);
  const { recorded } = findPackagePlace(packageRoot(), place.workTree, place.workTree);
  const programs = { node: process.execPath, hook: join(recorded, 'dist', 'hook', 'agent.cjs') };
  const changes = agents.map((agent) => installAgent(agent, place, programs, dryRun));
  if (!dryRun) {
    warmUpHook(programs, place.workTree);
  }
  return changes;
}

/** Takes the hook out of every agent's settings; only those that had it are reported. */
export async function uninstallAgents(dryRun: boolean): Promise<readonly AgentChange[]> {
  const place = await agentPlace();
  return place === null
    ? []
    : agentNames.map((agent) => uninstallAgent(agent, place, dryRun)).filter(({ change }) => change !== 'absent');
}

async function agentPlace(): Promise<{ readonly workTree: string; readonly gitDir: string } | null> {
  const repository = await openRepository();
  return repository === null || repository.workTree === null
    ? null
    : { workTree: repository.workTree, gitDir: repository.gitDir };
}

function agentsNamed(names: string | readonly string[], workTree: string): readonly AgentName[] {
  const words = [names].flat().flatMap((list) => String(list).split(','));
  const found = words.flatMap((word) => {
    const name = word.trim();
    if (name === 'all') {
      return detectAgents(workTree, process.env);
    }
    if (!isAgentName(name)) {
      throw new OxideError('unknown-agent', `The guard has no hook for an agent named '${name}'.`, {
        remedy: `Choose from: ${agentNames.join(', ')}, all`,
        exitCode: ExitCode.usage,
      });
    }
    return [name];
  });
  if (found.length === 0) {
    throw new OxideError('no-agent', 'No agent is used here: none has settings here or in your home, or is on PATH.', {
      remedy: 'oxide-guard install --agent claude',
      exitCode: ExitCode.usage,
    });
  }
  return [...new Set(found)];
}

const verbs: Readonly<Record<AgentChange['change'], readonly [done: string, would: string]>> = {
  written: ['written', 'would be written'],
  updated: ['updated', 'would be updated'],
  unchanged: ['is up to date', 'is up to date'],
  removed: ['removed', 'would be removed'],
  restored: ['put back as it was', 'would be put back as it was'],
  cleaned: ['no longer starts the guard', 'would no longer start the guard'],
  absent: ['does not start the guard', 'does not start the guard'],
};

/** One line for each agent, and what its user still has to do. */
export function printAgents(changes: readonly AgentChange[], dryRun: boolean, console: Console): void {
  const { colors } = console;
  for (const { agent, path, change, notice } of changes) {
    const way = relative(process.cwd(), path);
    const file = way.length < path.length ? way : path;
    console.out(
      `${colors.green(dryRun ? '·' : '✓')} ${dialects[agent].title}: ${file} ${verbs[change][dryRun ? 1 : 0]}`,
    );
    if (notice !== null) {
      console.err(`${colors.yellow('!')} ${notice}`);
    }
  }
}
