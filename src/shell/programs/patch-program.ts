import { posix } from 'node:path';
import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { patched, readPatch, reversed } from './patched-text.ts';

/** Options with which nothing in the work tree changes, or the patch goes the other way: git-apply(1), patch(1). */
const leaves = /^--(?:check|stat|numstat|summary|cached|dry-run)$/;
const reverses = /^(?:-[a-zA-Z]*R[a-zA-Z0-9]*|--reverse)$/;
/** Letters without a value may stand before. */
const stripping = /^(?:-[bcefElnNRstTuvZ]*p|--strip=?)(\d*)$/;
/** Names of files in a patch of another form than the unified one. */
const otherNames = /^(?:\*\*\*|Index:) (\S+)/gm;

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
  const texts = words.map(beginningOf);
  const patch = patchText(program, texts, call, shell);
  if (patch === null || texts.some((text) => leaves.test(text))) {
    return [];
  }
  const strip = Number(optionValue(texts, stripping) ?? (program === 'patch' ? -1 : 1));
  const directory = optionValue(texts, /^(?:-d|--directory=?)(.*)$/) ?? '.';
  const named = program === 'patch' ? operandsOf(texts)[0] : undefined;
  const place = (name: string) =>
    resolvePath(knownWord(posix.join(directory, named ?? stripped(name, strip))), call.state.cwd);
  const files = readPatch(patch).map((file) => (texts.some((text) => reverses.test(text)) ? reversed(file) : file));
  if (files.length === 0) {
    const names = named === undefined ? Array.from(patch.matchAll(otherNames), ([, name = '']) => name) : [named];
    names.flatMap((name) => place(name) ?? []).forEach((path) => void shell.overlay.edit(path, patch));
    return [];
  }
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
function patchText(
  program: 'patch' | 'git apply',
  texts: readonly string[],
  { state, frame }: Call,
  shell: Shell,
): string | null {
  const operands = operandsOf(texts);
  const name = program === 'patch' ? (optionValue(texts, /^(?:-i|--input=?)(.*)$/) ?? operands[1]) : operands[0];
  if (name === undefined || name === '-' || name === '/dev/stdin') {
    return frame.input?.rest() ?? null;
  }
  const path = resolvePath(knownWord(name), state.cwd);
  return path === null ? null : shell.overlay.text(path);
}

/** Options whose value is the next word. */
const valued = /^(?:-[ipdrBDFVYz]|--(?:input|strip|directory|include|exclude))$/;

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
