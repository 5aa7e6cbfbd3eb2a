/**
 * Levenshtein distance, given up beyond a limit.
 *
 * @returns the number of single-character changes, or `limit + 1` when there are more
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) {
    return limit + 1;
  }
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > limit) {
      return limit + 1;
    }
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}

/** The candidate that is most like a name, or null when none is like it. Letter case counts little. */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(name.length / 3));
  const lower = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase(), limit);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
