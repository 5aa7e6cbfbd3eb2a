import { basename, posix } from 'node:path';
import { listedWords } from '../../listed-words.ts';
import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import type { FileText } from '../script-files.ts';
import { knownWord, programName, type Word } from '../simple-command.ts';

/** Options of `cp`, `mv`, `ln` and `install` that have a value. */
const valued = new Set(listedWords('-S --suffix -m --mode -o --owner -g --group -t --target-directory'));

interface CopyCall {
  readonly sources: readonly Word[];
  readonly target: Word;
  /** Directories go along. */
  readonly isRecursive: boolean;
}

/** Null where a word is not known that could be an option, or there is no target. */
function readCopy([program, ...words]: readonly Word[]): CopyCall | null {
  const operands: Word[] = [];
  let given: Word | null = null;
  let isRecursive = programName(program) === 'mv';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const text = word?.kind === 'known' ? word.value : '';
    const attached = /^--target-directory=(.*)$/.exec(text)?.[1];
    if (word !== undefined && (!text.startsWith('-') || text === '-')) {
      operands.push(word);
    } else if (attached !== undefined || /^(?:-t|--target-directory)$/.test(text)) {
      given = attached === undefined ? (words[at + 1] ?? null) : knownWord(attached);
    } else if (/^-\w+t|^-t\w/.test(text)) {
      return null;
    }
    isRecursive ||= /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)$/.test(text);
    at += valued.has(text) ? 1 : 0;
  }
  const target = given ?? operands.pop();
  return target === undefined || operands.length === 0 ? null : { sources: operands, target, isRecursive };
}

/** Is everything followed that such a call makes? */
export function isFollowedCopy(argv: readonly Word[]): boolean {
  return argv.every((word) => word.kind === 'known') && readCopy(argv) !== null;
}

/**
 * Follows `cp`, `mv`, `ln` and `install`: what is copied is there under the other name as well.
 *
 * @returns absolute paths of files whose texts may be known now
 */
export function followCopy(program: string, call: Call, shell: Shell): readonly string[] {
  const read = readCopy(call.argv);
  const target = read === null ? null : resolvePath(read.target, call.state.cwd);
  if (read === null || target === null) {
    return [];
  }
  const isInside = read.sources.length > 1 || shell.overlay.isDirectory(target);
  return read.sources.flatMap((source) => {
    const name = source.kind === 'known' ? basename(source.value) : (programName(source) ?? null);
    if (isInside && name === null) {
      return [];
    }
    const to = isInside ? posix.join(target, name ?? '') : target;
    return copyOne({ program, source, to, isRecursive: read.isRecursive }, call, shell);
  });
}

interface OneCopy {
  readonly program: string;
  readonly source: Word;
  readonly to: string;
  readonly isRecursive: boolean;
}

function copyOne({ program, source, to, isRecursive }: OneCopy, call: Call, shell: Shell): readonly string[] {
  const { state } = call;
  const { overlay } = shell;
  const from = sourcePath(program, source, to, call);
  if (isSymbolicLink(program, call)) {
    overlay.makeLink(to);
  }
  if (from !== null && (isRecursive || isSymbolicLink(program, call)) && overlay.isDirectory(from)) {
    overlay.copyDirectory(from, to);
    overlay.mayCreate ||= state.path !== null;
    return [];
  }
  const texts = textsOf(from, program, call, shell);
  const name = programName(source) ?? (source.kind === 'known' ? source.value : null);
  const isText = texts?.length === 1 && texts[0]?.kind === 'text';
  if (!isText && name !== null && name !== basename(to)) {
    overlay.linkProgram(to, name);
  }
  if (texts === null) {
    return [];
  }
  overlay.replace(to, texts);
  return [to];
}

/** What a symbolic link says is meant from where it lies. */
function sourcePath(program: string, source: Word, to: string, call: Call): string | null {
  const isSymbolic = isSymbolicLink(program, call);
  const place = isSymbolic ? ({ kind: 'known', path: posix.dirname(to) } as const) : call.state.cwd;
  return resolvePath(source, place);
}

function isSymbolicLink(program: string, { argv }: Call): boolean {
  return program === 'ln' && argv.some((word) => word.kind === 'known' && /^-[a-zA-Z]*s|^--symbolic$/.test(word.value));
}

/** Null where there is nothing to copy: then the target stays as it is. */
function textsOf(from: string | null, program: string, call: Call, shell: Shell): readonly FileText[] | null {
  const { input } = call.frame;
  const unknown: readonly FileText[] = [{ kind: 'unreadable', reason: 'what was copied there is not known' }];
  if (from === null) {
    return unknown;
  }
  if (from === '/dev/stdin' || from === '/dev/fd/0') {
    const word = input?.word() ?? null;
    return word === null ? unknown : [textOf(word)];
  }
  const texts = shell.overlay.texts(from);
  if (!texts.some(({ kind }) => kind === 'missing')) {
    return texts;
  }
  // A link may be made before what it leads to.
  const mayBe = shell.overlay.mayCreate || program === 'ln' || texts.length > 1;
  return mayBe ? [...texts.filter(({ kind }) => kind !== 'missing'), ...unknown] : null;
}

function textOf(word: Word): FileText {
  return word.kind === 'known'
    ? { kind: 'text', text: word.value }
    : { kind: 'unreadable', reason: word.reason, open: word };
}
