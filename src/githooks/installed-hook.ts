import type { HookName } from './hook-name.ts';

/** What was done about one hook (or would be, in a dry run). */
export interface InstalledHook {
  readonly hook: HookName;
  /** Absolute path of the script. */
  readonly path: string;
  readonly change: 'written' | 'updated' | 'unchanged';
  /** Where the hook that was there before is kept; it still runs. */
  readonly kept: string | null;
  /** git ignored the hook that was there, because it is not executable; so does the guard. */
  readonly keptIsIgnored: boolean;
  /** An older kept hook that had stopped running before, now under this name. */
  readonly retired: string | null;
  /** A changed script of ours was put aside under this name. */
  readonly edited: string | null;
}
