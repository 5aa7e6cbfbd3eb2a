import { posix } from 'node:path';
import type { Call, Shell } from '../call.ts';
import { expandPathname } from '../words/pathname-expansion.ts';

/**
 * `compgen -G PATTERN`, `compgen -f BEGINNING`, or `-d` for directories alone: the names of what is there. bash(1)
 * "compgen".
 */
export function completedNames(args: readonly string[], { state }: Call, shell: Shell): string | null {
  const [option, text = '', ...others] = args;
  const isPattern = option === '-G';
  if (others.length > 0 || state.cwd.kind !== 'known' || !(isPattern || option === '-f' || option === '-d')) {
    return null;
  }
  const pattern = isPattern ? text : `${text}*`;
  const options = isPattern ? state.options : { ...state.options, dotglob: true };
  const { path } = state.cwd;
  const names = expandPathname([{ kind: 'split', text: pattern }], path, shell.overlay, options);
  const meant = option === '-d' ? names?.filter((name) => shell.overlay.isDirectory(posix.resolve(path, name))) : names;
  return meant?.map((name) => `${name}\n`).join('') ?? null;
}
