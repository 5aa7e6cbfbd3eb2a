/** The known word at the smallest edit distance, if it is near enough to be meant. */
export function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(word, candidate) }));
  ranked.sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const farthest = Math.min(word.length - 1, Math.max(2, word.length / 3));
  return best !== undefined && best.distance <= farthest ? best.candidate : null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
