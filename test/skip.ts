/** For `skipIf`: whether to skip, with the reason printed, so that no test is passed over in silence. */
export function skipUnless(condition: boolean, reason: string): boolean {
  if (!condition) {
    console.log(`skipped: ${reason}`);
  }
  return !condition;
}
