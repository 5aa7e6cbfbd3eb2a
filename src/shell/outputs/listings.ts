import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { knownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';

/** More names than this are not looked for. */
const maximumNames = 100;

/** `ls -d NAME…` prints the names that are there, and so does `ls` of files. */
export function listNames(args: readonly string[], call: Call, shell: Shell): string | Word | null {
  return listEntries(args, call, shell) ?? listOperands(args, call, shell);
}

/** `ls DIRECTORY`, `ls -A`: what is in it, and more where a command so far could have made some. */
function listEntries(
  args: readonly string[],
  { state, source }: Call,
  { files, overlay }: Shell,
): string | Word | null {
  const options = args.filter((arg) => arg.startsWith('-'));
  const [directory = '.', ...others] = args.filter((arg) => !arg.startsWith('-'));
  const isPlain = others.length === 0 && options.every((option) => /^-[1aA]+$/.test(option));
  const path = isPlain ? resolvePath(knownWord(directory), state.cwd) : null;
  // In which order others come, the language decides: of hooks each one matters.
  const letters = options.join('');
  const isTold = /[aA]/.test(letters) || /hook|husky/i.test(path ?? '');
  const names = path === null ? null : files.list(path);
  if (names === null || (isTold && names.length > maximumNames)) {
    return null;
  }
  const shown = /[aA]/.test(letters) ? names : names.filter((name) => !name.startsWith('.'));
  if (!isTold) {
    const listed = new Set(shown);
    const fits = (name: string) => listed.has(name);
    return {
      ...unknownWord(source, 'in which order ls lists files is not known'),
      suffix: '\n',
      whenNothing: '',
      fits,
    };
  }
  const all = letters.includes('a') ? ['.', '..', ...shown] : shown;
  const text = all.map((name) => `${name}\n`).join('');
  const more = unknownWord(source, 'what a command before has made is not known');
  return overlay.mayCreate ? { ...more, prefix: text } : text;
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
