import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { configurationFileNames, manifestKey } from '../../config/load.ts';
import { rules } from '../../config/rules.ts';
import { readText } from '../../git/files.ts';
import type { FileChange } from './file-change.ts';
import type { GuardedFile } from './guarded-file.ts';

/** The guard's key there. */
export const keyOfManifest: GuardedFile = { kind: 'guard-configuration', isThere: true, inManifest: true };

/** What is known of a file after a change. */
export interface Aftermath {
  /** Null where it is not known. */
  readonly text: string | null;
  /** The words, or the text, of what has written it; empty where nobody knows. */
  readonly writer: string;
}

/** May the guard read its configuration there? A file of its own would come first. */
export function mayHoldKey(path: string): boolean {
  const root = dirname(path);
  return (
    basename(path) === 'package.json' &&
    existsSync(join(root, '.git')) &&
    !configurationFileNames.some((name) => existsSync(join(root, name)))
  );
}

/**
 * Is the guard's key in a package.json another one after a change, or gone? The file is written all day: where its new
 * text is not known, only a program counts that says so.
 *
 * @param path absolute, one that may hold the key
 */
export function changesKey(path: string, kind: FileChange['kind'], { text, writer }: Aftermath): boolean {
  const present = readText(path);
  const before = present === null ? null : manifestKey(present);
  if (kind !== 'write') {
    return before !== null;
  }
  return text === null ? mentionsKey(writer, before !== null) : manifestKey(text) !== before;
}

/** The key in a program: not a dependency with its version. */
const key = /["'`]oxide-guard["'`](?!\s*:\s*["'`^~\d])|(?<=[\s'"(|])\.oxide-guard\b/g;
/** What stands before it where it is the name of a dependency or a script. */
const otherName = /(?:ependenc\w*|scripts|overrides|resolutions|\bbin)["'`\][?.\s]*$/;
/** So many characters are looked at for that: without an end, a long text would be read once for each of them. */
const maximumBefore = 80;
const settings = new RegExp(`\\bprotectedBranches\\b|["'\`/](?:${Object.keys(rules).join('|')})["'\`/\\\\]`);

function mentionsKey(writer: string, isThere: boolean): boolean {
  const namesKey = Array.from(writer.matchAll(key)).some(
    ({ 0: found, index }) =>
      found.startsWith('.') || !otherName.test(writer.slice(Math.max(0, index - maximumBefore), index)),
  );
  return namesKey || (isThere && settings.test(writer));
}
