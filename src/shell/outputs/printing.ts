import type { Call } from '../call.ts';
import type { Outcome } from '../shell-state.ts';

/**
 * `[ "$BRANCH" = main ] && echo no && exit 1; git push`: a builtin that only prints fails where it can't write, and
 * there only. What starts the shell reads what it prints; a pipe of the line, a file or a closed descriptor may not.
 */
export function afterPrinting(call: Call, outcome: Outcome): Outcome {
  const { frame, state } = call;
  const reaches = frame.printsPlainly && !state.printsElsewhere && frame.output === null && frame.pipes.length === 0;
  return reaches && call.lookup === 'any' && isPrinting(call) ? { ...outcome, failure: null } : outcome;
}

/** `printf %d x` fails, too. */
function isPrinting({ argv: [name, format] }: Call): boolean {
  if (name?.kind !== 'known') {
    return false;
  }
  const isFormat = format?.kind === 'known' && !format.value.startsWith('-') && mayTakeAnything(format.value);
  return name.value === 'echo' || (name.value === 'printf' && isFormat);
}

/** Most words have no directive, and compiling a pattern costs an agent's hook more than looking for a sign of one. */
function mayTakeAnything(format: string): boolean {
  return !format.includes('%') || /^(?:[^%]|%[sbq%])*$/.test(format);
}
