import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { kindOf } from '../git/files.ts';

/** Where hooks are kept in one of Factory Droid's files. */
interface HooksFile {
  readonly file: string;
  /** Of the object whose keys are events. */
  readonly path: readonly string[];
}

/** In the order in which Droid looks: it reads the first that has any hooks, and no other. */
const files = [
  { file: '.factory/hooks.json', path: [] },
  { file: '.factory/hooks/hooks.json', path: [] },
  { file: '.factory/settings.json', path: ['hooks'] },
] as const satisfies readonly HooksFile[];

/**
 * The file in which Factory Droid looks for a project's hooks. A new `hooks.json` would make it overlook those that
 * somebody has in another file: 0.215.0 started none of them any more.
 */
export function droidHooksFile(workTree: string): HooksFile {
  const read = files.map((place) => ({ place, text: textOf(join(workTree, place.file)) }));
  const found =
    read.find(({ text }) => / --agent droid\b/.test(text)) ??
    read.find(({ place, text }) => hasHooks(text, place.path));
  return found?.place ?? files[0];
}

function textOf(path: string): string {
  return kindOf(path) === 'file' ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : '';
}

function hasHooks(text: string, path: readonly string[]): boolean {
  let events: unknown = parse(text, [], { allowTrailingComma: true });
  for (const name of path) {
    events = isObject(events) ? events[name] : undefined;
  }
  return isObject(events) && Object.values(events).some((list) => Array.isArray(list) && list.length > 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
