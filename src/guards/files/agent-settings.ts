import { readText } from '../../git/files.ts';
import type { Aftermath } from './manifest.ts';

/**
 * Does an agent start the same hooks by a file of settings after it was written, in the same environment? Then the rest
 * (what it may run without a question, its model) is nobody's business. What is no JSON counts as changed.
 *
 * @param path absolute
 */
export function keepsHooks(path: string, { text }: Aftermath): boolean {
  return startsSameHooks(readText(path), text);
}

/** The same of two texts of such a file; null: it is not there, or not known. */
export function startsSameHooks(before: string | null, after: string | null): boolean {
  const [one, other] = [before, after].map((settings) => (settings === null ? null : hooksIn(settings)));
  return one !== null && one === other;
}

/** Keys, wherever they stand, of hooks, of what brings them or switches them off, and of what they are given. */
const concernsHooks = /hook|plugin|^env$/i;

/** Null where there are none. */
function hooksIn(settings: string): string | null {
  try {
    const found = entriesBelow(JSON.parse(settings), '');
    return found.length === 0 ? null : found.sort().join('\n');
  } catch {
    return null;
  }
}

function entriesBelow(value: unknown, path: string): string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        concernsHooks.test(key) ? [`${path}/${key}: ${JSON.stringify(inner)}`] : entriesBelow(inner, `${path}/${key}`),
      )
    : [];
}
