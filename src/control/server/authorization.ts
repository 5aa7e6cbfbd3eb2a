import { OxideError } from '../../errors.ts';
import { formatScope, type Scope } from '../principal.ts';

/** The kinds of scope, as the columns of the table. */
export const scopeKinds = ['admin', 'admin:ro', 'project', 'project:ro'] as const;

export type ScopeKind = (typeof scopeKinds)[number];

/**
 * What a scope may do with an action. `all`: everything. `own`: only what the input names as its project's. `shown`: the
 * tool itself shows only what is of its project. `none`: nothing.
 */
export type Reach = 'all' | 'own' | 'shown' | 'none';

/** Actions that need the same rights. */
const rights = {
  /** Looks at one thing. */
  look: { admin: 'all', 'admin:ro': 'all', project: 'own', 'project:ro': 'own' },
  /** Looks at what there is. */
  browse: { admin: 'all', 'admin:ro': 'all', project: 'shown', 'project:ro': 'shown' },
  /** Changes something within a project. */
  work: { admin: 'all', 'admin:ro': 'none', project: 'own', 'project:ro': 'none' },
  /** Decides which projects there are, and who may do what. */
  govern: { admin: 'all', 'admin:ro': 'none', project: 'none', 'project:ro': 'none' },
  /** Looks at who may do what. */
  oversee: { admin: 'all', 'admin:ro': 'all', project: 'none', 'project:ro': 'none' },
} as const satisfies Readonly<Record<string, Readonly<Record<ScopeKind, Reach>>>>;

type Right = keyof typeof rights;

/** Of a tool that does one thing, in the place of an action's name. */
const only = '';

/**
 * Which right each action needs. Applied to every call, whichever way it comes; what is not in the table is allowed to
 * an admin who may change things, and to nobody else.
 */
const table: Readonly<Record<string, Readonly<Record<string, Right>>>> = {
  project: { create: 'govern', list: 'browse', get: 'look', delete: 'govern' },
  workspace: { list: 'look', delete: 'work' },
  container: { start: 'work', stop: 'work', logs: 'look', exec: 'work' },
  session: {
    spawn: 'work',
    message: 'work',
    get: 'look',
    list: 'look',
    end: 'work',
    events: 'look',
    cleanup: 'work',
  },
  token: { create: 'govern', list: 'oversee', revoke: 'govern' },
  schedule: { create: 'work', list: 'browse', get: 'look', update: 'work', delete: 'work', trigger: 'work' },
  project_options: { [only]: 'browse' },
  project_changes: { [only]: 'look' },
  project_tasks: { [only]: 'look' },
  image_rebuild: { [only]: 'work' },
  caller_tool_response: { [only]: 'work' },
  config_limits: { [only]: 'look' },
  workspace_bash: { [only]: 'work' },
  workspace_read: { [only]: 'look' },
  workspace_write: { [only]: 'work' },
  workspace_edit: { [only]: 'work' },
  workspace_multi_edit: { [only]: 'work' },
  workspace_notebook_edit: { [only]: 'work' },
  workspace_glob: { [only]: 'look' },
  workspace_grep: { [only]: 'look' },
};

/** A cell of the table: how far a kind of scope reaches with a tool's action; `null` for a tool without actions. */
export function reachOf(kind: ScopeKind, tool: string, action: string | null): Reach {
  const actions = Object.hasOwn(table, tool) ? table[tool] : undefined;
  const name = action ?? only;
  const right = actions !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  return rights[right ?? 'govern'][kind];
}

/** Every tool and action of the table, in its order; null for a tool without actions. */
export const authorizedActions: readonly (readonly [tool: string, action: string | null])[] = Object.entries(
  table,
).flatMap(([tool, actions]) => Object.keys(actions).map((action) => [tool, action === only ? null : action] as const));

export function kindOf(scope: Scope): ScopeKind {
  return scope.readOnly ? `${scope.kind}:ro` : scope.kind;
}

/**
 * Holds a call against the table.
 *
 * @throws OxideError `forbidden` where the scope has no right to the action at all
 */
export function authorize(scope: Scope, tool: string, action: string | null): Exclude<Reach, 'none'> {
  const reach = reachOf(kindOf(scope), tool, action);
  if (reach === 'none') {
    const wanted = action === null ? tool : `${tool} ${action}`;
    throw new OxideError('forbidden', `The scope ${formatScope(scope)} does not allow ${wanted}.`, {
      remedy:
        scope.readOnly && reachOf(scope.kind, tool, action) !== 'none'
          ? 'It may look and change nothing: a token without :ro is needed.'
          : 'A token with the scope admin is needed.',
    });
  }
  return reach;
}
