/** What a source says instead between two positions. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The source with its edits; of those that overlap, the inner ones go. */
export function withEdits(source: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) {
      result += source.slice(at, start) + text;
      at = end;
    }
  }
  return result + source.slice(at);
}
