import { defaultLimits, type LimitName, type SetLimits } from '../limits.ts';

/** Where a limit's value comes from; the later ones override the earlier. */
export type LimitSource = 'default' | 'configuration' | 'project' | 'session' | 'parent';

export interface SourcedLimit {
  /** Null: no limit. */
  readonly value: number | null;
  readonly source: LimitSource;
}

export type SessionLimits = Readonly<Record<LimitName, SourcedLimit>>;

export const limitNames = Object.keys(defaultLimits) as readonly LimitName[];

/** The limits of a project's sessions: the defaults, what the configuration says, what the project says. */
export function projectLimits(configured: SetLimits, project: SetLimits): SessionLimits {
  return limitsBy(
    (name) =>
      sourced(project[name], 'project') ??
      sourced(configured[name], 'configuration') ?? { value: defaultLimits[name], source: 'default' },
  );
}

function limitsBy(limitOf: (name: LimitName) => SourcedLimit): SessionLimits {
  return Object.fromEntries(limitNames.map((name) => [name, limitOf(name)])) as SessionLimits;
}

function sourced(value: number | null | undefined, source: LimitSource): SourcedLimit | null {
  return value === undefined ? null : { value, source };
}

/** What can be shared out of a budget. */
export interface Share {
  /** Null: as much as there is. */
  readonly max_tokens: number | null;
  readonly max_cost_usd: number | null;
}

/**
 * The limits of a child: a share of what its parent has left, at most what it asks for, and half where it asks for
 * nothing, so that the parent keeps something to go on with. A budget without a limit is shared without one.
 */
export function childLimits(parent: SessionLimits, left: Share, asked: Share): SessionLimits {
  const shareOf = (name: keyof Share): SourcedLimit => {
    const available = left[name];
    const wanted = asked[name];
    if (available === null) {
      return { value: wanted, source: wanted === null ? parent[name].source : 'session' };
    }
    const half = name === 'max_tokens' ? Math.floor(available / 2) : available / 2;
    return { value: Math.max(0, wanted === null ? half : Math.min(wanted, available)), source: 'parent' };
  };
  return { ...parent, max_tokens: shareOf('max_tokens'), max_cost_usd: shareOf('max_cost_usd') };
}
