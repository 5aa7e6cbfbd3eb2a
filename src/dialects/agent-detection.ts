import { accessSync, constants, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Environment } from '../git/runner.ts';
import { type AgentName, agentNames } from './dialect.ts';
import { agentSetups } from './hook-settings.ts';

/** The agents that somebody uses here: their settings lie in the repository or the home directory, or they are on PATH. */
export function detectAgents(workTree: string, env: Environment, home = homedir()): readonly AgentName[] {
  const path = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return agentNames.filter((name) => {
    const { directories, programs } = agentSetups[name];
    return (
      directories.some((directory) => existsSync(join(workTree, directory)) || existsSync(join(home, directory))) ||
      programs.some((program) => path.some((directory) => isExecutable(join(directory, program))))
    );
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
