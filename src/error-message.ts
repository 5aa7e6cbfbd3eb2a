/** What was thrown, in words: anything can be. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
