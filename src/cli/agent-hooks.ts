import { join } from 'node:path';
import { detectAgents } from '../dialects/agent-detection.ts';
import {
  type AgentChange,
  type InstallationPlace,
  installAgent,
  settingsPath,
  uninstallAgent,
} from '../dialects/agent-installation.ts';
import { type AgentName, agentNames, isAgentName } from '../dialects/dialect.ts';
import { dialects } from '../dialects/dialects.ts';
import { warmUpHook } from '../dialects/hook-warm-up.ts';
import { messageOf } from '../error-message.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import { withInstallLock } from '../githooks/install-lock.ts';
import { findPackagePlace, packageRoot } from '../githooks/package-place.ts';
import type { Console } from '../ui/console.ts';
import { shownPath } from './shown-path.ts';

/** What was done for one agent, or why nothing could be. */
export type AgentReport =
  | AgentChange
  | { readonly agent: AgentName; readonly path: string; readonly change: 'failed'; readonly notice: string };

/**
 * Reads `--agent`; `all` stays to be looked for.
 *
 * @throws OxideError `unknown-agent`
 */
export function agentWords(names: readonly string[]): readonly (AgentName | 'all')[] {
  const words = names.flatMap((list) => list.split(','));
  return words.map((word) => {
    const name = word.trim();
    if (name !== 'all' && !isAgentName(name)) {
      throw new OxideError('unknown-agent', `The guard has no hook for an agent named '${name}'.`, {
        remedy: `Choose from: ${agentNames.join(', ')}, all`,
        exitCode: ExitCode.usage,
      });
    }
    return name;
  });
}

/**
 * Puts the hook into the settings of the agents that are named, `all` for those that are used here. What can't be done
 * for one agent keeps nothing from being done for the others.
 *
 * @returns nothing where `all` finds none
 * @throws OxideError `no-work-tree`, `install-locked`
 */
export async function installAgents(
  words: readonly (AgentName | 'all')[],
  dryRun: boolean,
): Promise<readonly AgentReport[]> {
  const place = await agentPlace();
  if (place === null) {
    throw new OxideError('no-work-tree', 'Agents work in a work tree, and there is none here.');
  }
  const agents = agentsNamed(words, place.workTree);
  if (agents.length === 0) {
    return [];
  }
  const { recorded } = findPackagePlace(packageRoot(), place.workTree, place.workTree);
  const programs = { node: process.execPath, hook: join(recorded, 'dist', 'hook', 'agent.cjs') };
  const work = () =>
    agents.map((agent) => attempt(agent, place.workTree, () => installAgent(agent, place, programs, dryRun)));
  if (dryRun) {
    return work();
  }
  const reports = await withInstallLock(place.commonDir, work);
  warmUpHook(programs, place.workTree);
  return reports;
}

/** Takes the hook out of every agent's settings; only those that had it are reported. */
export async function uninstallAgents(dryRun: boolean): Promise<readonly AgentReport[]> {
  const place = await agentPlace();
  if (place === null) {
    return [];
  }
  const work = () =>
    agentNames
      .map((agent) => attempt(agent, place.workTree, () => uninstallAgent(agent, place, dryRun)))
      .filter(({ change }) => change !== 'absent');
  return dryRun ? work() : withInstallLock(place.commonDir, work);
}

function attempt(agent: AgentName, workTree: string, work: () => AgentChange): AgentReport {
  try {
    return work();
  } catch (error) {
    const message = messageOf(error);
    const remedy = error instanceof OxideError && error.remedy !== null ? ` → ${error.remedy}` : '';
    return { agent, path: settingsPath(agent, workTree), change: 'failed', notice: `${message}${remedy}` };
  }
}

interface AgentPlace extends InstallationPlace {
  readonly commonDir: string;
}

async function agentPlace(): Promise<AgentPlace | null> {
  const repository = await openRepository();
  return repository === null || repository.workTree === null
    ? null
    : { workTree: repository.workTree, gitDir: repository.gitDir, commonDir: repository.commonDir };
}

function agentsNamed(words: readonly (AgentName | 'all')[], workTree: string): readonly AgentName[] {
  return [...new Set(words.flatMap((word) => (word === 'all' ? detectAgents(workTree, process.env) : [word])))];
}

const verbs: Readonly<Record<AgentReport['change'], readonly [done: string, would: string]>> = {
  written: ['written', 'would be written'],
  updated: ['updated', 'would be updated'],
  unchanged: ['is up to date', 'is up to date'],
  removed: ['removed', 'would be removed'],
  restored: ['put back as it was', 'would be put back as it was'],
  cleaned: ['no longer starts the guard', 'would no longer start the guard'],
  failed: ['stays as it is', 'would stay as it is'],
  absent: ['does not start the guard', 'does not start the guard'],
};

/** One line for each agent, and what its user still has to do. */
export function printAgents(changes: readonly AgentReport[], dryRun: boolean, console: Console): void {
  const { colors } = console;
  for (const { agent, path, change, notice } of changes) {
    const sign = change === 'failed' ? colors.red('✗') : colors.green(dryRun ? '·' : '✓');
    console.out(`${sign} ${dialects[agent].title}: ${shownPath(path)} ${verbs[change][dryRun ? 1 : 0]}`);
    if (notice !== null) {
      console.err(`${colors.yellow('!')} ${notice}`);
    }
  }
}
