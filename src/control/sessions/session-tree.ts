import type { Session, Used } from './session.ts';
import type { Share } from './session-limits.ts';

export function tokensOf({ input_tokens, output_tokens }: Used): number {
  return input_tokens + output_tokens;
}

/**
 * What a session may still use itself: its budget, less what it has used, less what its children have used or have been
 * promised. A child's promise ends with it; so children in parallel can't use more than their parent has.
 *
 * @param tree sessions of its tree, in any order, itself among them
 */
export function leftOf(sessionId: string, tree: readonly Session[]): Share {
  const session = tree.find((other) => other.sessionId === sessionId);
  if (session === undefined) {
    return { max_tokens: 0, max_cost_usd: 0 };
  }
  const { max_tokens, max_cost_usd } = session.limits;
  const spent = spentBy(session, tree);
  return {
    max_tokens: max_tokens.value === null ? null : Math.max(0, max_tokens.value - spent.tokens),
    max_cost_usd: max_cost_usd.value === null ? null : Math.max(0, max_cost_usd.value - spent.cost),
  };
}

interface Spent {
  readonly tokens: number;
  /** What has no known price costs nothing here; a budget in dollars does not allow such a model. */
  readonly cost: number;
}

function spentBy(session: Session, tree: readonly Session[]): Spent {
  const children = tree.filter(({ parentId }) => parentId === session.sessionId).map((child) => claimOf(child, tree));
  return children.reduce((sum, { tokens, cost }) => ({ tokens: sum.tokens + tokens, cost: sum.cost + cost }), {
    tokens: tokensOf(session.used),
    cost: session.used.cost_usd ?? 0,
  });
}

/** What a child takes from its parent: what it was promised, or what it has used where that is more or all there will be. */
function claimOf(child: Session, tree: readonly Session[]): Spent {
  const used = usedByTree(child, tree);
  if (child.status === 'ended') {
    return used;
  }
  return {
    tokens: Math.max(used.tokens, child.limits.max_tokens.value ?? 0),
    cost: Math.max(used.cost, child.limits.max_cost_usd.value ?? 0),
  };
}

/** What a session and all below it have used. */
export function usedByTree(session: Session, tree: readonly Session[]): Spent {
  const below = tree.filter(({ parentId }) => parentId === session.sessionId).map((child) => usedByTree(child, tree));
  return below.reduce((sum, { tokens, cost }) => ({ tokens: sum.tokens + tokens, cost: sum.cost + cost }), {
    tokens: tokensOf(session.used),
    cost: session.used.cost_usd ?? 0,
  });
}

/** A session and all below it, the deepest first. */
export function subtreeOf(sessionId: string, tree: readonly Session[]): readonly Session[] {
  const within = new Set([sessionId]);
  const byDepth = [...tree].sort((a, b) => a.depth - b.depth);
  for (const { sessionId: id, parentId } of byDepth) {
    if (parentId !== null && within.has(parentId)) {
      within.add(id);
    }
  }
  return byDepth.filter(({ sessionId: id }) => within.has(id)).reverse();
}
