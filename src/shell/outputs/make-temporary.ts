import type { Call, Shell } from '../call.ts';
import { isForTemporaries } from '../script-overlay.ts';

interface Asked {
  readonly isDirectory: boolean;
  /** Where the name is made, if the words say so. */
  readonly below: string | null;
  /** Templates. */
  readonly names: readonly string[];
}

/** What `mktemp` prints: a new name that nothing else has, below a directory of temporary files; null for other places. */
export function makeTemporary(args: readonly string[], call: Call, shell: Shell): string | null {
  const asked = readWords(args);
  const usual = usualPlace(call, shell);
  if (asked === null || usual === null) {
    return null;
  }
  const below = placeOf(asked) ?? usual;
  if (!isForTemporaries(below, usual)) {
    return null;
  }
  return `${asked.isDirectory ? newDirectory(below, call, shell) : shell.overlay.temporaryPath(below)}\n`;
}

/** Where files for a while are made; null: the line chooses another place. */
export function usualPlace({ state }: Call, { environment }: Shell): string | null {
  return state.variables.has('TMPDIR') ? null : (environment.TMPDIR ?? '/tmp');
}

/** Makes a directory that has a name of its own. @param below where, absolute */
export function newDirectory(below: string, call: Call, shell: Shell): string {
  const { overlay } = shell;
  const isForAWhile = isForTemporaries(below, usualPlace(call, shell));
  const path = isForAWhile ? overlay.temporaryPath(below) : overlay.newPath(below);
  overlay.makeDirectory(path);
  return path;
}

/** mktemp(1); null for words by which it does something else. */
function readWords(args: readonly string[]): Asked | null {
  let asked: Asked = { isDirectory: false, below: null, names: [] };
  let below: string | null = null;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (/^-[dqt]+$|^--(?:directory|quiet|tmpdir)$/.test(arg)) {
      asked = { ...asked, isDirectory: asked.isDirectory || /^-[qt]*d|^--directory/.test(arg) };
      below ??= /^-[dq]*t|^--tmpdir/.test(arg) ? '' : null;
    } else if (/^-[dq]*p$/.test(arg)) {
      asked = { ...asked, isDirectory: asked.isDirectory || arg.includes('d') };
      index += 1;
      below = args[index] ?? '';
    } else if (/^--tmpdir=|^-p./.test(arg)) {
      below = arg.replace(/^--tmpdir=|^-p/, '');
    } else if (arg.startsWith('-')) {
      return null;
    } else {
      asked = { ...asked, names: [...asked.names, arg] };
    }
  }
  return asked.names.length > 1 ? null : { ...asked, below };
}

/** The directory of the name; null: the usual one. */
function placeOf({ below, names }: Asked): string | null {
  const [name = ''] = names;
  const own = name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  if (below === null && name !== '') {
    // A template alone is a path: without a directory it is made where the shell stands.
    return name.includes('/') ? own : '.';
  }
  return own !== '' ? '.' : below === '' ? null : below;
}
