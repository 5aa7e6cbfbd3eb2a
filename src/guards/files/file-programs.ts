import { wholePattern } from '../../shell/pattern.ts';
import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';

/** What a program does to a file that it is given by name. */
export interface FileChange {
  readonly path: Word;
  readonly kind: 'write' | 'remove' | 'mode';
}

type Reader = (operands: readonly Word[], words: readonly Word[]) => readonly FileChange[];

const all =
  (kind: FileChange['kind']): Reader =>
  (operands) =>
    operands.map((path) => ({ path, kind }));
const last: Reader = (operands, words) => {
  const directory = optionValue(words, /^(?:-t|--target-directory)(?:=(.*))?$/);
  const target = directory ?? operands.at(-1);
  return target === undefined ? [] : landing(operands, target);
};

/** Into a directory every file keeps its name. */
function landing(operands: readonly Word[], target: Word): readonly FileChange[] {
  const directory = textOf(target)?.replace(/\/$/, '');
  const inside = operands.flatMap((source) => {
    const name = textOf(source)?.replace(/\/$/, '').split('/').at(-1);
    return source === target || directory === undefined || name === undefined ? [] : [known(`${directory}/${name}`)];
  });
  return [target, ...inside].map((path) => ({ path, kind: 'write' }));
}

/** Programs that change files they are given by name. */
const programs: Readonly<Record<string, Reader>> = {
  rm: all('remove'),
  unlink: all('remove'),
  rmdir: all('remove'),
  shred: all('remove'),
  trash: all('remove'),
  'trash-put': all('remove'),
  truncate: all('write'),
  tee: all('write'),
  sponge: all('write'),
  // The mode or owner among the operands is no guarded path.
  chmod: all('mode'),
  chown: all('mode'),
  chattr: all('mode'),
  setfacl: all('mode'),
  mv: (operands, words) => [
    ...operands.slice(0, -1).map((path) => ({ path, kind: 'remove' }) as const),
    ...last(operands, words),
  ],
  cp: last,
  ln: last,
  install: last,
  rsync: last,
  rename: all('remove'),
  sed: (operands, words) => (words.some(isInPlace) ? operands.map((path) => ({ path, kind: 'write' }) as const) : []),
  perl: (operands, words) => (words.some(isInPlace) ? operands.map((path) => ({ path, kind: 'write' }) as const) : []),
  dd: (_, words) =>
    words.flatMap((word) => {
      const target = /^of=(.+)$/s.exec(textOf(word) ?? '')?.[1];
      return target === undefined ? [] : [{ path: known(target), kind: 'write' } as const];
    }),
  find: findChanges,
  patch: (operands) => operands.slice(0, 1).map((path) => ({ path, kind: 'write' })),
  touch: () => [],
};

const isInPlace = (word: Word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(beginningOf(word));

const deletingPrograms = new Set(['rm', 'unlink', 'shred', 'mv', 'trash']);

/** `find PATH… -delete`, or with `-exec rm`: what is removed lies below the paths, and has the names that are asked for. */
function findChanges(_: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const texts = words.map((word) => textOf(word) ?? '');
  const deletes = texts.some(
    (text, index) =>
      text === '-delete' || (/^-(?:exec|execdir|ok)$/.test(text) && deletingPrograms.has(texts[index + 1] ?? '')),
  );
  // Without `-delete` on directories that hold something, or on names of the top alone, a repository stays whole.
  const isBounded = texts.some((text) => ['-empty', '-maxdepth', '!', '-not', '-prune'].includes(text));
  if (!deletes) {
    return [];
  }
  const end = texts.findIndex((text) => /^[-(!]/.test(text));
  const starts = words.slice(0, end < 0 ? words.length : end);
  const names = texts.flatMap((text, index) =>
    /^-i?(?:name|path|wholename)$/.test(text) && !['!', '-not'].includes(texts[index - 1] ?? '')
      ? [texts[index + 1] ?? '*']
      : [],
  );
  const isAnyName = names.length === 0 || names.includes('*');
  return (starts.length === 0 ? [known('.')] : starts).flatMap((root): readonly FileChange[] => {
    const start = (textOf(root) ?? beginningOf(root)).replace(/\/$/, '');
    if (isAnyName) {
      return isBounded && !start.includes('.git') ? [] : [{ path: root, kind: 'remove' }];
    }
    const isFile = texts.some((text, index) => text === '-type' && texts[index + 1] === 'f');
    return names
      .map((name) => (!isFile && matchesGit(name) ? '.git' : name))
      .map((name) => ({ path: known(name.includes('/') ? name : `${start}/${name}`), kind: 'remove' }));
  });
}

/** Is `.git` among the names that a pattern matches? */
function matchesGit(pattern: string): boolean {
  return /[*?[]/.test(pattern) && wholePattern([{ kind: 'glob', text: pattern }])?.test('.git') === true;
}

function optionValue(words: readonly Word[], pattern: RegExp): Word | undefined {
  const index = words.findIndex((word) => pattern.test(textOf(word) ?? ''));
  const attached = index < 0 ? undefined : pattern.exec(textOf(words[index]) ?? '')?.[1];
  return attached === undefined ? words[index < 0 ? words.length : index + 1] : known(attached);
}

/**
 * The files that one program call would change.
 *
 * @param words what follows the program's name
 */
export function fileChanges(program: string, words: readonly Word[]): readonly FileChange[] {
  if (!Object.hasOwn(programs, program)) {
    return [];
  }
  const separator = words.findIndex((word) => textOf(word) === '--');
  const operands = words.filter(
    (word, index) =>
      index !== separator && ((separator >= 0 && index > separator) || !beginningOf(word).startsWith('-')),
  );
  return programs[program]?.(operands, words) ?? [];
}
