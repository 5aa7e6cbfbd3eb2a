import { posix } from 'node:path';
import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { type FilePatch, patched, readPatch, reversed } from './patched-text.ts';

/** Options with which nothing in the work tree changes, or the patch goes the other way: git-apply(1), patch(1). */
const leaves = /^--(?:check|stat|numstat|summary|cached|dry-run)$/;
const reverses = /^(?:-[a-zA-Z]*R[a-zA-Z0-9]*|--reverse)$/;
/** Letters without a value may stand before. */
const stripping = /^(?:-[bcefElnNRstTuvZ]*p|--strip=?)(\d*)$/;
/** Options whose value is the next word. */
const valued = /^(?:-[ipdrBDFVYz]|--(?:input|strip|directory|include|exclude))$/;
/** Names of files in a patch of another form than the unified one. */
const otherNames = /^(?:\*\*\*|Index:) (\S+)/gm;

/** What a call of `patch`, or of `git apply`, is told. */
export interface PatchCall {
  /** The patch is only looked at. */
  readonly isTried: boolean;
  /** The file that the patch is in; null: it is the input. */
  readonly source: string | null;
  /** The file that is changed, whatever the patch calls it. */
  readonly named: string | null;
  /** What the patch calls files, as it is read from where the program stands. */
  place(name: string): string;
  readonly isReversed: boolean;
}

/** @param texts what follows the program's name, or git's subcommand */
export function readPatchCall(program: 'patch' | 'git apply', texts: readonly string[]): PatchCall {
  const operands = operandsOf(texts);
  const [named, second] = program === 'patch' ? operands : [undefined, operands[0]];
  const given = program === 'patch' ? (optionValue(texts, /^(?:-i|--input=?)(.*)$/) ?? second) : second;
  const strip = Number(optionValue(texts, stripping) ?? (program === 'patch' ? -1 : 1));
  const directory = optionValue(texts, /^(?:-d|--directory=?)(.*)$/) ?? '.';
  return {
    isTried: texts.some((text) => leaves.test(text)),
    source: given === undefined || given === '-' || given === '/dev/stdin' ? null : given,
    named: named ?? null,
    place: (name) => posix.join(directory, named ?? stripped(name, strip)),
    isReversed: texts.some((text) => reverses.test(text)),
  };
}

/** Files that a patch changes, as far as it says so in the unified form, and those that it names in another one. */
export function filesOfPatch(
  patch: string,
  { named, isReversed }: PatchCall,
): { readonly files: readonly FilePatch[]; readonly others: readonly string[] } {
  const files = readPatch(patch).map((file) => (isReversed ? reversed(file) : file));
  const names = named === null ? Array.from(patch.matchAll(otherNames), ([, name = '']) => name) : [named];
  return { files, others: files.length > 0 ? [] : names };
}

/**
 * Follows `patch` and `git apply`: files have what the patch makes of them.
 *
 * @param words what follows the program's name, or git's subcommand
 * @returns absolute paths of files whose texts may be known now
 */
export function followPatch(
  program: 'patch' | 'git apply',
  words: readonly Word[],
  call: Call,
  shell: Shell,
): readonly string[] {
  const told = readPatchCall(program, words.map(beginningOf));
  const patch = told.isTried ? null : patchText(told, call, shell);
  if (patch === null) {
    return [];
  }
  const { files, others } = filesOfPatch(patch, told);
  const place = (name: string) => resolvePath(knownWord(told.place(name)), call.state.cwd);
  others.flatMap((name) => place(name) ?? []).forEach((path) => void shell.overlay.edit(path, patch));
  return files.flatMap((file) => {
    const path = place(file.after ?? file.before ?? '');
    if (path === null || file.after === null) {
      return [];
    }
    const before = shell.overlay.exists(path) ? shell.overlay.text(path) : '';
    const after = before === null ? null : patched(before, file);
    if (after === null) {
      shell.overlay.edit(path, patch);
      return [];
    }
    shell.overlay.write(path, knownWord(after), false);
    return [path];
  });
}

/** The patch that is read: a file's, or the input. */
function patchText({ source }: PatchCall, { state, frame }: Call, shell: Shell): string | null {
  if (source === null) {
    return frame.input?.rest() ?? null;
  }
  const path = resolvePath(knownWord(source), state.cwd);
  return path === null ? null : shell.overlay.text(path);
}

function operandsOf(texts: readonly string[]): readonly string[] {
  return texts.filter((text, at) => (text === '-' || !text.startsWith('-')) && !valued.test(texts[at - 1] ?? ''));
}

function optionValue(texts: readonly string[], option: RegExp): string | undefined {
  const at = texts.findIndex((text) => option.test(text));
  return at < 0 ? undefined : option.exec(texts[at] ?? '')?.[1] || texts[at + 1];
}

/** The name without so many directories; without a number, the last part alone, as `patch` takes it. */
function stripped(name: string, count: number): string {
  return count < 0 ? posix.basename(name) : name.split('/').slice(count).join('/');
}
