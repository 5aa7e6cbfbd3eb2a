import { builtInNames } from './subcommands.ts';

/** git's own weights (help.c): letters that change places, become others, are missing, are too many. */
const costs = { swap: 0, substitution: 2, insertion: 1, deletion: 3 };
/** Farther ones git does not call similar (help.c, `SIMILARITY_FLOOR`). */
const floor = 7;

/** The command that git would take a misspelled one for; null where none is near, or several are as near. */
export function nearestCommand(name: string): string | null {
  let best: string | null = null;
  let least = floor;
  for (const candidate of builtInNames()) {
    const cost = candidate.startsWith(name) ? 0 : distance(name, candidate);
    if (cost < least) {
      [best, least] = [candidate, cost];
    } else if (cost === least) {
      best = null;
    }
  }
  return best;
}

/** Damerau and Levenshtein's, with {@link costs}. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index * costs.insertion);
  for (let row = 0; row < from.length; row += 1) {
    const current = [(row + 1) * costs.deletion];
    for (let column = 0; column < to.length; column += 1) {
      const isSame = from[row] === to[column];
      const isSwapped = row > 0 && column > 0 && from[row - 1] === to[column] && from[row] === to[column - 1];
      current[column + 1] = Math.min(
        (last[column] ?? 0) + (isSame ? 0 : costs.substitution),
        isSwapped ? (before[column - 1] ?? 0) + costs.swap : Number.POSITIVE_INFINITY,
        (last[column + 1] ?? 0) + costs.deletion,
        (current[column] ?? 0) + costs.insertion,
      );
    }
    [before, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
