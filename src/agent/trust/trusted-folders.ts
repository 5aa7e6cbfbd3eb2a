import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userState } from '../../audit/user-state.ts';
import { kindOf, makeDirectory, realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';

/**
 * Has a person trusted this folder with exactly these powers?
 *
 * @param digest of the powers: settings that have changed since are asked about anew
 */
export function isTrusted(folder: string, digest: string, env: Environment): boolean {
  return kindOf(placeOf(folder, digest, env)) === 'file';
}

/** Remembers a person's yes, in `$XDG_STATE_HOME/oxide-guard/trusted`, one file for each. */
export function trustFolder(folder: string, digest: string, env: Environment): void {
  const path = placeOf(folder, digest, env);
  makeDirectory(dirname(path), 0o700);
  const entry = { folder: realPath(folder) ?? folder, digest, trusted: new Date().toISOString() };
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
}

function placeOf(folder: string, digest: string, env: Environment): string {
  const name = createHash('sha256')
    .update(`${realPath(folder) ?? folder}\0${digest}`)
    .digest('hex');
  return join(userState(env), 'oxide-guard', 'trusted', `${name}.json`);
}
