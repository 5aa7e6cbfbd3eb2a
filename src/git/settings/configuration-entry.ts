/** One variable as git read it, in git's order (later wins for single-valued ones). */
export interface ConfigurationEntry {
  /** Section and variable in lower case, subsection as written: `remote.Origin.pushurl`. */
  readonly key: string;
  /** Null for a variable without `=` (true as a boolean). */
  readonly value: string | null;
  readonly scope: 'system' | 'global' | 'local' | 'worktree' | 'command' | 'unknown';
}

/** git-config(1) "Values": null where git would refuse the value as a boolean. A variable without `=` is true. */
export function parseBoolean(value: string | null): boolean | null {
  const word = value?.toLowerCase();
  if (word === undefined || ['true', 'yes', 'on'].includes(word)) {
    return true;
  }
  if (['', 'false', 'no', 'off'].includes(word)) {
    return false;
  }
  const number = /^\s*([+-]?(?:0x[0-9a-f]+|\d+))[kmg]?$/i.exec(word);
  return number === null ? null : Number((number[1] ?? '').replace(/^[+-]/, '')) !== 0;
}
