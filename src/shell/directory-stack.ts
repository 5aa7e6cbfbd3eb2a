import type { ShellState } from './shell-state.ts';
import type { Directory } from './simple-command.ts';

/** The directory stack: bash(1) "DIRSTACK". The first is where the shell stands; null: the others are not known. */
export function stackOf({ cwd, directoryStack }: ShellState): readonly Directory[] | null {
  return directoryStack === null ? null : [cwd, ...directoryStack];
}

const place = /^([-+])(\d{1,4})$/;

/** `+1`, `-0` */
export function isPlace(text: string): boolean {
  return place.test(text);
}

/** What `+N` counts from the beginning, and `-N` from the end; -1: there are not so many. */
export function placeIn(stack: readonly Directory[], text: string): number {
  const [, sign, digits] = place.exec(text) ?? [];
  const at = sign === '-' ? stack.length - 1 - Number(digits) : Number(digits);
  return at < stack.length ? Math.max(-1, at) : -1;
}
