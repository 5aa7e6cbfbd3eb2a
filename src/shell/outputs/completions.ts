import type { Call, Shell } from '../call.ts';
import { expandPathname } from '../words/pathname-expansion.ts';

/** `compgen -G PATTERN`, `compgen -f BEGINNING`: the names of files that are there. bash(1) "compgen". */
export function completedNames(args: readonly string[], { state }: Call, shell: Shell): string | null {
  const [option, text = '', ...others] = args;
  const isPattern = option === '-G';
  if (others.length > 0 || state.cwd.kind !== 'known' || !(isPattern || option === '-f')) {
    return null;
  }
  const pattern = isPattern ? text : `${text}*`;
  const options = isPattern ? state.options : { ...state.options, dotglob: true };
  const names = expandPathname([{ kind: 'split', text: pattern }], state.cwd.path, shell.overlay, options);
  return names?.map((name) => `${name}\n`).join('') ?? null;
}
