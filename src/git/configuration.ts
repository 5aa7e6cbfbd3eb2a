/** One variable as git read it, in git's order (later wins for single-valued ones). */
export interface ConfigurationEntry {
  /** Section and variable in lower case, subsection as written: `remote.Origin.pushurl`. */
  readonly key: string;
  /** Null for a variable without `=` (true as a boolean). */
  readonly value: string | null;
  readonly scope: 'system' | 'global' | 'local' | 'worktree' | 'command' | 'unknown';
}

/** git's effective configuration for one repository and environment. */
export interface GitConfiguration {
  readonly entries: readonly ConfigurationEntry[];
  /** The last value of a variable; null when unset (or set without a value). */
  get(key: string): string | null;
  getAll(key: string): readonly string[];
  /** git's boolean rules; `fallback` when unset. */
  getBoolean(key: string, fallback: boolean): boolean;
  /** Subsections of a section: `subsections('remote')`. */
  subsections(section: string): readonly string[];
}
