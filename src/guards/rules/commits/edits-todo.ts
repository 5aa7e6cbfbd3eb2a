import { isInteractiveRebase } from '../../git-command/commit-commands.ts';
import type { Intent } from '../../intent.ts';

/** Looks up what is configured. */
export type Settings = (key: string) => string | null;

/** Does a command put the list of a rebase through an editor, or may the configuration say so? */
export function mayEditTodo(intent: Intent): boolean {
  return intent.kind === 'version'
    ? intent.rebasesAsConfigured === true
    : intent.kind === 'edit-list' || (intent.kind === 'rewrite' && intent.editsList === true);
}

/** git-config(1) `branch.<name>.rebase`, `pull.rebase`. @param branch the one that is checked out */
export function pullRebases(setting: Settings, branch: string | null): string | null {
  return (branch === null ? null : setting(`branch.${branch}.rebase`)) ?? setting('pull.rebase');
}

/** @param branch the one that is checked out */
export function editsTodo(intents: readonly Intent[], setting: Settings, branch: string | null): boolean {
  const configured = pullRebases(setting, branch);
  return intents.some(
    (intent) => mayEditTodo(intent) && (intent.kind !== 'version' || isInteractiveRebase(configured)),
  );
}
