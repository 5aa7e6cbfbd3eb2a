/** The hooks the guard has a program for: githooks(5). */
export const hookNames = ['commit-msg', 'pre-push', 'pre-receive', 'update'] as const;

export type HookName = (typeof hookNames)[number];

/** For people: git runs these where they commit and push. */
export const clientHooks: readonly HookName[] = ['commit-msg', 'pre-push'];

/** For a repository that others push to: no client can go round it. */
export const serverHooks: readonly HookName[] = ['pre-receive'];

export function isHookName(name: string): name is HookName {
  return hookNames.some((known) => known === name);
}
