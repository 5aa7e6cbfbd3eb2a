/**
 * The option that hooks start node with. Node puts a random number into the hashes of all strings, and looks for a good
 * one at every start: a sixth of the time that it needs to start (Node 20 to 26). Without it the hashes are the same in
 * every process, and whoever knows them can write keys that a table finds slowly: what somebody else wrote may only be
 * small then (see `fitsFixedHashes`).
 *
 * A node that has no such option ends with `unknownOption` and touches nothing: whatever starts a hook with this option
 * starts it again without.
 */
export const fastStart = '--no-rehash-snapshot';

/** nodejs.org/api/process.html#exit-codes: 9, "Invalid Argument". */
export const unknownOption = 9;

/** Was this process started with that option? Then what started it starts it again where it fails. */
export function isStartedFast(): boolean {
  return process.execArgv.includes(fastStart);
}

/** Characters: room for a few thousand keys, which are found soon even if all of them collide. */
const harmlessLength = 64 * 1024;

/** May this process put what this text holds into tables? */
export function fitsFixedHashes(text: string): boolean {
  return text.length <= harmlessLength || !isStartedFast();
}
