import { join } from 'node:path';
import type { AgentSettingsFile, HookCommand, HookEvent } from '../../config/agent-settings.ts';
import type { ConfigurationSource } from '../../config/load.ts';
import { homeDirectory, isRegularFile, tryReadText } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';

/**
 * The person's own configuration, for every repository: `$XDG_CONFIG_HOME/oxide-guard/config.json`. Of it the agent's
 * section counts. Null: there is none.
 */
export function findUserConfiguration(env: Environment): ConfigurationSource | null {
  const path = join(userConfiguration(env), 'config.json');
  const text = isRegularFile(path) ? tryReadText(path) : null;
  return text === null || text === 'error' ? null : { path, text };
}

/** The directory in which it is looked for, whether that exists or not. */
export function userConfiguration(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homeDirectory(), '.config'), 'oxide-guard');
}

/**
 * The person's settings with a repository's over them. Permission rules, hooks and MCP servers of both count (of two
 * servers with one name the person's); what restricts in either of them, restricts.
 */
export function combineAgentSettings(person: AgentSettingsFile, repository: AgentSettingsFile): AgentSettingsFile {
  const set = Object.fromEntries(Object.entries(repository).filter(([, value]) => value !== undefined));
  return {
    ...person,
    ...set,
    aliases: { ...person.aliases, ...repository.aliases },
    prices: { ...person.prices, ...repository.prices },
    mcpServers: { ...repository.mcpServers, ...person.mcpServers },
    permissions: {
      allow: [...(person.permissions?.allow ?? []), ...(repository.permissions?.allow ?? [])],
      ask: [...(person.permissions?.ask ?? []), ...(repository.permissions?.ask ?? [])],
      deny: [...(person.permissions?.deny ?? []), ...(repository.permissions?.deny ?? [])],
    },
    hooks: combineHooks(person.hooks ?? {}, repository.hooks ?? {}),
    ...(person.requireSandbox === true ? { requireSandbox: true } : {}),
    ...(person.allowUnsandboxed === false ? { allowUnsandboxed: false } : {}),
  };
}

type Hooks = NonNullable<AgentSettingsFile['hooks']>;

function combineHooks(person: Hooks, repository: Hooks): Hooks {
  const events = [...new Set([...Object.keys(person), ...Object.keys(repository)])] as HookEvent[];
  const commands = (event: HookEvent): readonly HookCommand[] => [
    ...(person[event] ?? []),
    ...(repository[event] ?? []),
  ];
  return Object.fromEntries(events.map((event) => [event, commands(event)]));
}
