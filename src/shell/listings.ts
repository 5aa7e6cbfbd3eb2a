import type { Call, Shell } from './call.ts';
import { resolvePath } from './path-resolution.ts';
import { knownWord } from './simple-command.ts';

/** More names than this are not looked for. */
const maximumNames = 100;

/** `ls -d NAME…` prints the names that are there, and so does `ls` of files. */
export function listNames(args: readonly string[], call: Call, shell: Shell): string | null {
  return listEntries(args, call, shell) ?? listOperands(args, call, shell);
}

/** `ls -A DIRECTORY`: what is in it, where no command so far could have made more. */
function listEntries(args: readonly string[], { state }: Call, { files, overlay }: Shell): string | null {
  const [option = '', directory = '.', ...others] = args;
  const path = /^-1?[aA]1?$/.test(option) && others.length === 0 ? resolvePath(knownWord(directory), state.cwd) : null;
  const names = path === null || overlay.mayCreate ? null : files.list(path);
  if (names === null || names.length > maximumNames) {
    return null;
  }
  const all = option.includes('a') ? ['.', '..', ...names] : names;
  return all.map((name) => `${name}\n`).join('');
}

function listOperands(args: readonly string[], call: Call, shell: Shell): string | null {
  const names = args.filter((arg) => !/^-(?:d|1d|d1|1)$/.test(arg));
  const isDirectory = (name: string) => {
    const path = resolvePath(knownWord(name), call.state.cwd);
    return path === null || shell.overlay.isDirectory(path);
  };
  const isBounded = names.length <= maximumNames && names.every((name) => !name.startsWith('-'));
  const onlyNames = isBounded && (args.some((arg) => /^-1?d1?$/.test(arg)) || !names.some(isDirectory));
  const isThere = (name: string) => {
    const path = resolvePath(knownWord(name), call.state.cwd);
    return path !== null && (shell.overlay.isDirectory(path) || shell.overlay.text(path) !== null);
  };
  return onlyNames && names.length > 0
    ? names
        .filter(isThere)
        .map((name) => `${name}\n`)
        .join('')
    : null;
}
