/** What a token may do: everything, or what concerns one project; `readOnly`: look, change nothing. */
export type Scope =
  | { readonly kind: 'admin'; readonly readOnly: boolean }
  | { readonly kind: 'project'; readonly projectId: string; readonly readOnly: boolean };

/** Who makes a call. */
export interface Principal {
  /** Null: the person at this machine, over stdio. */
  readonly tokenId: string | null;
  readonly scope: Scope;
}

/** Over stdio without a token: whoever can start the server can do all that it does anyway. */
export const localAdmin: Principal = { tokenId: null, scope: { kind: 'admin', readOnly: false } };

/** Reads `admin`, `admin:ro`, `project:ID` or `project:ID:ro`; null for anything else. */
export function parseScope(text: string): Scope | null {
  const found = /^(?:(?<admin>admin)|project:(?<project>[\w-]+))(?<readOnly>:ro)?$/.exec(text)?.groups;
  if (found === undefined) {
    return null;
  }
  const readOnly = found.readOnly !== undefined;
  return found.project === undefined
    ? { kind: 'admin', readOnly }
    : { kind: 'project', projectId: found.project, readOnly };
}

/** The only project that a principal may see; null: all. */
export function scopeProject({ scope }: Principal): string | null {
  return scope.kind === 'project' ? scope.projectId : null;
}

export function formatScope(scope: Scope): string {
  const base = scope.kind === 'admin' ? 'admin' : `project:${scope.projectId}`;
  return scope.readOnly ? `${base}:ro` : base;
}
