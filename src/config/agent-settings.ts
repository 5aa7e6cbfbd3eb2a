/** How agents' commands are handled beyond the verdict, and how the guarded agent works. */
export interface AgentSettings {
  /** Take a checkpoint of the work tree before a risky command is let through. */
  readonly checkpoints: boolean;
  /** Offer an exact safe rewrite (`--force` → `--force-with-lease`) to agents that accept one. */
  readonly rewrite: boolean;
  /** A model's name, or an alias; null: none is configured. */
  readonly model: string | null;
  readonly provider: ProviderName | null;
  /** Null: the provider's own. */
  readonly baseUrl: string | null;
  /** Model names by alias. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Turns of the model for one prompt. */
  readonly maxTurns: number;
  /** Input tokens of one turn at which older messages are summarised. */
  readonly compactAt: number;
  readonly permissions: PermissionSettings;
  readonly hooks: Readonly<Partial<Record<HookEvent, readonly HookCommand[]>>>;
  /** May a command run without the sandbox, once a person has confirmed it? */
  readonly allowUnsandboxed: boolean;
  /** Is it an error when no sandbox works here? */
  readonly requireSandbox: boolean;
  /** May sandboxed commands reach the network? */
  readonly sandboxNetwork: boolean;
  /** Do sessions have the control plane's tools? */
  readonly controlPlane: boolean;
  /** MCP servers whose tools join the session's, by name. */
  readonly mcpServers: Readonly<Record<string, McpServerSettings>>;
  /** By model name; for the cost report. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

export const providerNames = ['anthropic', 'openai-compatible'] as const;

export type ProviderName = (typeof providerNames)[number];

/** Rules such as `Bash(npm test:*)` or `Read(src/**)`. A denial beats a question, a question an allowance. */
export interface PermissionSettings {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

/** What happens in a session that a hook can hear of. */
export const hookEvents = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'SessionStart',
  'UserPromptSubmit',
  'PreCompact',
  'Stop',
  'SessionEnd',
] as const;

export type HookEvent = (typeof hookEvents)[number];

/** A configured hook: a command that reads JSON from its standard input and answers with JSON on its standard output. */
export interface HookCommand {
  /** Tool names or subagent types, as a regular expression that must match the whole; absent: all. */
  readonly matcher?: string | undefined;
  readonly command: string;
  /** Milliseconds; default 60,000. */
  readonly timeout?: number | undefined;
}

/** An MCP server: a program that speaks on its standard streams, or one that listens somewhere. */
export type McpServerSettings = McpProgram | McpEndpoint;

export interface McpProgram {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Besides the session's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Spoken to over streamable HTTP. */
export interface McpEndpoint {
  readonly url: string;
  /** Of every request; `${NAME}` and `${NAME:-default}` stand for variables of the environment. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Input that came from the provider's cache; default: the price of input. */
  readonly cachedInput?: number | undefined;
}

/** What a configuration file may hold; every key may be absent. */
export type AgentSettingsFile = {
  readonly [Key in Exclude<keyof AgentSettings, 'permissions' | 'hooks'>]?: AgentSettings[Key] | undefined;
} & {
  readonly permissions?: { readonly [Key in keyof PermissionSettings]?: readonly string[] | undefined } | undefined;
  readonly hooks?: { readonly [Event in HookEvent]?: readonly HookCommand[] | undefined } | undefined;
};

const defaults: AgentSettings = {
  checkpoints: true,
  rewrite: false,
  model: null,
  provider: null,
  baseUrl: null,
  aliases: { sonnet: 'claude-sonnet-4-5', opus: 'claude-opus-4-1', haiku: 'claude-haiku-4-5' },
  maxTurns: 100,
  compactAt: 150_000,
  permissions: { allow: [], ask: [], deny: [] },
  hooks: {},
  allowUnsandboxed: true,
  requireSandbox: false,
  sandboxNetwork: false,
  controlPlane: false,
  mcpServers: {},
  prices: {},
};

/** Completes the agent's section with the defaults; an explicit `undefined` sets nothing. */
export function resolveAgentSettings(file: AgentSettingsFile = {}): AgentSettings {
  const { permissions = {}, hooks = {}, aliases = {}, ...rest } = file;
  return {
    ...defaults,
    ...defined(rest),
    aliases: { ...defaults.aliases, ...aliases },
    permissions: { ...defaults.permissions, ...defined(permissions) },
    hooks: defined(hooks),
  };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(chosen: T): Defined<T> {
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)) as Defined<T>;
}
