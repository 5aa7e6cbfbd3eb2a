import { type AgentSettings, type AgentSettingsFile, resolveAgentSettings } from './agent-settings.ts';
import type { CommitRuleName } from './commit-rule.ts';
import type { Policy } from './policy.ts';
import { type RuleId, rules, type Verdict } from './rules.ts';

/** How commit messages are judged where the repository has no commitlint configuration of its own. */
export interface CommitSettings {
  /** Allowed types; null for config-conventional's. */
  readonly types: readonly string[] | null;
  /** Allowed scopes; null for any. */
  readonly scopes: readonly string[] | null;
  /** Longest header, in UTF-16 code units as commitlint counts; null for config-conventional's 100. */
  readonly headerMaxLength: number | null;
  /** Severity of commitlint's rules by name (`subject-case`), where it differs from config-conventional's. */
  readonly rules: Readonly<Partial<Record<CommitRuleName, CommitRuleSeverity>>>;
}

export type CommitRuleSeverity = 'off' | 'warning' | 'error';

/** The configuration of one repository, complete. */
export interface Configuration extends Policy {
  readonly commit: CommitSettings;
  readonly agent: AgentSettings;
}

/** Protected besides the remote's default branch, unless the configuration takes one out with `!master`. */
const protectedByDefault = ['main', 'master'] as const;

/** What a configuration file may hold, validated; every key may be absent. */
export interface ConfigurationFile {
  readonly protectedBranches?: readonly string[] | undefined;
  readonly rules?: Readonly<Partial<Record<RuleId, Verdict | 'off' | undefined>>> | undefined;
  readonly commit?: { readonly [Key in keyof CommitSettings]?: CommitSettings[Key] | undefined } | undefined;
  readonly agent?: AgentSettingsFile | undefined;
}

const defaultVerdicts = Object.fromEntries(
  Object.entries(rules).map(([id, rule]) => [id, rule.default]),
) as Policy['rules'];

const defaultCommitSettings: CommitSettings = { types: null, scopes: null, headerMaxLength: null, rules: {} };

/** Completes a validated configuration file with the defaults. */
export function resolveConfiguration(file: ConfigurationFile): Configuration {
  return {
    protectedBranches: [...protectedByDefault, ...(file.protectedBranches ?? [])],
    rules: overlay(defaultVerdicts, file.rules),
    commit: overlay(defaultCommitSettings, file.commit),
    agent: resolveAgentSettings(file.agent),
  };
}

/** `defaults` with what `chosen` sets. An explicit `undefined`, as a JavaScript configuration may hold, sets nothing. */
function overlay<T extends object>(defaults: T, chosen: { readonly [Key in keyof T]?: T[Key] | undefined } = {}): T {
  return { ...defaults, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)) };
}

/** What holds without a configuration file. */
export const defaultConfiguration: Configuration = resolveConfiguration({});
