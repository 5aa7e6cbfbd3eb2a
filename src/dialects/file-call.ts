import { isAbsolute, relative, resolve } from 'node:path';
import { readText } from '../git/files.ts';
import { singleQuoted } from '../quote.ts';
import type { Payload } from './dialect.ts';

/** Longer contents are not handed on: what the guard compares, settings and hooks, is shorter. */
const longestContent = 32_768;

/**
 * The command that would leave the same in the same files as a call of a tool that writes them. So what may not be
 * written by a command may not be written by the tool either.
 *
 * @param input the tool's arguments, by whatever names the agent has for them
 * @param cwd what a path is relative to
 * @returns null where it can't be read, or changes nothing
 */
export function fileCommand(input: Payload, cwd: string): string | null {
  const path = textUnder(input, ['file_path', 'filePath', 'path', 'target_file', 'notebook_path']);
  if (path === null) {
    const patch = textUnder(input, ['patch', 'patchText', 'input', 'command']);
    return patch === null || !/^[ \t]*\*\*\* /m.test(patch) ? null : `apply_patch ${singleQuoted(patch)}`;
  }
  const content =
    textUnder(input, ['content', 'contents', 'file_text', 'text']) ?? editedText(input, resolve(cwd, path));
  return content === undefined ? null : writing(near(path, cwd), content);
}

/** As people would write it: agents name files absolutely. */
function near(path: string, cwd: string): string {
  const way = isAbsolute(path) && isAbsolute(cwd) ? relative(cwd, path) : path;
  return way.startsWith('..') ? path : way;
}

/** @param content null where it is not known */
function writing(path: string, content: string | null): string {
  const printer = content === null || content.length > longestContent ? 'cat' : `printf %s ${singleQuoted(content)}`;
  return `${printer} > ${singleQuoted(path)}`;
}

/** The file with its replacements; null where they do not fit, undefined where there are none. */
function editedText(input: Payload, path: string): string | null | undefined {
  const edits: readonly (Payload | null)[] = Array.isArray(input.edits) ? input.edits : [input];
  let text = readText(path);
  for (const edit of edits) {
    const before = textUnder(edit, ['old_string', 'oldString', 'old_str']);
    const after = textUnder(edit, ['new_string', 'newString', 'new_str']);
    if (before === null || after === null) {
      return undefined;
    }
    const isAll = edit?.replace_all === true || edit?.replaceAll === true;
    const isMade = before === '' && text === null;
    text = isMade ? after : replaced(text, before, after, isAll);
  }
  return text;
}

function replaced(text: string | null, before: string, after: string, isAll: boolean): string | null {
  if (text === null || before === '' || !text.includes(before)) {
    return null;
  }
  return isAll ? text.replaceAll(before, () => after) : text.replace(before, () => after);
}

function textUnder(input: Payload | null, names: readonly string[]): string | null {
  const value = names.map((name) => input?.[name]).find((given) => typeof given === 'string');
  return typeof value === 'string' ? value : null;
}
