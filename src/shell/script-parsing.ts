import { type ParsedScript, parse } from 'unbash';
import type { Budget } from './bounds.ts';
import { readPlainLine } from './plain-line.ts';

/** A script's grammar, as bash reads it; where bash reads nothing but zsh does, as zsh does. */
export function parseScript(text: string, budget: Budget): ParsedScript {
  budget.text(text.length);
  const script = readPlainLine(text) ?? parse(text);
  return hasErrors(script) ? (parseWithPatterns(text) ?? script) : script;
}

function hasErrors({ errors }: ParsedScript): boolean {
  return errors !== undefined && errors.length > 0;
}

/** `app/(auth)/page.tsx`: a group without anything in it that zsh would run. */
const group = /(?<=[\w/.\]*?-])\(([\w.@-]+)\)/g;

/**
 * `git add app/(auth)/page.tsx`: to zsh that is a pattern. It is read as one of the same length, which matches the name
 * as it is written as well; null where that does not help.
 */
function parseWithPatterns(text: string): ParsedScript | null {
  const pattern = text.replace(group, '?$1?');
  const script = pattern === text ? null : parse(pattern);
  return script === null || hasErrors(script) ? null : script;
}
