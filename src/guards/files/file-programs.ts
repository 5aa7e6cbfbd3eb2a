import { edited, readSed } from '../../shell/outputs/sed.ts';
import { outputsByOption } from '../../shell/programs/output-options.ts';
import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import { copiedContents } from './copied-contents.ts';
import { copiedFromContainer, downloaders, landing } from './downloaded-files.ts';
import type { FileChange, ChangeReader as Reader } from './file-change.ts';
import { leftByPerl } from './perl-edits.ts';
import { synchronized } from './rsync.ts';
import { writtenByAwk, writtenByEd, writtenBySed, writtenBySqlite, writtenByVim } from './script-writes.ts';
import { unpackedByModule, unpackers } from './unpacked-files.ts';

const all =
  (kind: FileChange['kind']): Reader =>
  (operands) =>
    operands.map((path) => ({ path, kind }));
/** `-t DIRECTORY` */
export const targetDirectory = (words: readonly Word[]) =>
  optionValue(words, /^(?:-[a-zA-Z]*t|--target-directory)(?:=(.*))?$/);
const last: Reader = (operands, words) => {
  const directory = targetDirectory(words);
  const target = directory ?? operands.at(-1);
  return target === undefined ? [] : landing(operands, target);
};

/** `tar --remove-files`: what went into the archive. */
const packed: Reader = (operands, words) => {
  const archive = words.findIndex((word) => /^-?[a-zA-Z]*f$|^--file$/.test(textOf(word) ?? ''));
  return operands
    .filter((path) => path !== words[archive + 1] && !/^[a-zA-Z]*[cr][a-zA-Z]*f?$/.test(textOf(path) ?? ''))
    .map((path) => ({ path, kind: 'remove', mayStay: true }));
};

/**
 * `rename FROM TO FILE…` of util-linux changes the names that have FROM in them; Perl's takes an expression, which may
 * change any.
 */
function renamed([from, ...operands]: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const part = textOf(from);
  const isPart = part !== null && /^[\w.-]*$/.test(part);
  const hasPart = (path: string) => !isPart || path.slice(path.lastIndexOf('/') + 1).includes(part);
  return words.some((word) => /^(?:-[a-z]*n[a-z]*|--(?:no-act|just-print))$/.test(textOf(word) ?? ''))
    ? []
    : (isPart ? operands.slice(1) : operands).flatMap((path): FileChange[] => {
        const text = textOf(path);
        if (text !== null) {
          return hasPart(text) ? [{ path, kind: 'remove' }] : [];
        }
        const open = path as Extract<Word, { kind: 'unknown' }>;
        return [{ path: { ...open, fits: (name) => open.fits?.(name) !== false && hasPart(name) }, kind: 'remove' }];
      });
}

/** Programs that change files they are given by name. */
const programs: Readonly<Record<string, Reader>> = {
  ...unpackers,
  ...Object.fromEntries(['python', 'python3'].map((name): [string, Reader] => [name, ofPython])),
  rm: removing,
  unlink: all('remove'),
  // scalar(1): the work tree with its repository.
  scalar: ([verb, ...operands]) =>
    textOf(verb) === 'delete' ? operands.map((path) => ({ path, kind: 'remove' }) as const) : [],
  // Only what is empty goes.
  rmdir: (operands) => operands.map((path) => ({ path, kind: 'remove', isShallow: true })),
  shred: all('remove'),
  ...Object.fromEntries(
    ['trash', 'trash-put', 'trash-cli', 'rip', 'rimraf', 'del', 'del-cli', 'premove'].map((name): [string, Reader] => [
      name,
      all('remove'),
    ]),
  ),
  truncate: all('write'),
  tee: all('write'),
  sponge: all('write'),
  // The mode or owner among the operands is no guarded path.
  chmod: (operands, words) => {
    const takes = takesExecution(operands, words);
    const disarms = takes && words.some(isRecursive);
    return operands.map((path) => ({ path, kind: 'mode', disarms, isShallow: !takes }));
  },
  chattr: all('mode'),
  setfacl: all('mode'),
  mv: (operands, words) => [
    ...(targetDirectory(words) === undefined
      ? operands.slice(0, -1)
      : operands.filter((path) => path !== targetDirectory(words))
    ).map((path) => ({ path, kind: 'remove' }) as const),
    ...last(operands, words),
  ],
  cp: (operands, words) => {
    const target = targetDirectory(words) ?? operands.at(-1);
    const sources = operands.filter((path) => path !== target);
    return [...last(operands, words), ...copiedContents(sources, target, words)];
  },
  ln: last,
  install: last,
  // Read only where it is called.
  rsync: (operands, words) => synchronized(operands, words),
  rename: renamed,
  sed: (operands, words) =>
    words.some(isInPlace)
      ? operands.map((path) => ({ path, kind: 'write', leaves: leftBySed(words) }) as const)
      : writtenBySed(words),
  ...Object.fromEntries(['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Reader] => [name, writtenByAwk])),
  yq: (operands, words) =>
    words.some((word) => /^(?:-[a-zA-Z]*i[a-zA-Z]*|--in-?place)$/.test(textOf(word) ?? ''))
      ? written(operands.slice(1))
      : [],
  // crudini(1): `--set FILE SECTION NAME VALUE`.
  crudini: (operands, words) =>
    words.some((word) => /^--(?:set|del|merge)$/.test(textOf(word) ?? '')) ? written(operands.slice(0, 1)) : [],
  // Programs of npm: `json -I -f FILE`, `replace-in-file FROM TO FILE…`, `dot-json FILE KEY VALUE`.
  json: (operands, words) =>
    words.some((word) => /^(?:-I|--in-place)$/.test(textOf(word) ?? '')) ? written(operands) : [],
  'dot-json': (operands) => (operands.length > 2 ? written(operands.slice(0, 1)) : []),
  ...Object.fromEntries(
    ['replace-in-file', 'replace', 'rexreplace'].map((name): [string, Reader] => [
      name,
      (operands, words) =>
        words.some((word) => /^--(?:dry|isDry|dry-run|preview)$/.test(textOf(word) ?? ''))
          ? []
          : written(operands.slice(2)),
    ]),
  ),
  ...Object.fromEntries(
    ['ncp', 'cpx', 'cpx2', 'cpr', 'cpy', 'cpy-cli', 'copyfiles'].map((name): [string, Reader] => [name, last]),
  ),
  ...Object.fromEntries(
    ['rename-cli', 'move-cli', 'move-file-cli', 'mv-cli'].map((name): [string, Reader] => [
      name,
      (operands) => operands.slice(0, -1).map((path) => ({ path, kind: 'remove' }) as const),
    ]),
  ),
  perl: (operands, words) =>
    editedByProgram(operands, words).map((change) => ({ ...change, leaves: leftByPerl(words) })),
  ruby: editedByProgram,
  dd: (_, words) =>
    words.flatMap((word) => {
      const target = /^of=(.+)$/s.exec(textOf(word) ?? '')?.[1];
      return target === undefined ? [] : [{ path: known(target), kind: 'write' } as const];
    }),
  // By the patch that it is given.
  patch: () => [],
  tar: (operands, words) =>
    words.some((word) => textOf(word) === '--remove-files')
      ? packed(operands, words)
      : (unpackers.tar?.(operands, words) ?? []),
  zip: (operands, words) =>
    words.some((word) => /^-[a-zA-Z]*m|^--move$/.test(textOf(word) ?? ''))
      ? operands.slice(1).map((path) => ({ path, kind: 'remove', mayStay: true }) as const)
      : [],
  ed: writtenByEd,
  sqlite3: writtenBySqlite,
  // `sd FROM TO FILE…`
  sd: (operands, words) =>
    words.some((word) => /^(?:-[a-zA-Z]*p[a-zA-Z]*|--preview)$/.test(textOf(word) ?? ''))
      ? []
      : written(operands.slice(2)),
  objcopy: (operands) => written(operands.slice(-1)),
  fallocate: (operands) => written(operands.slice(-1)),
  cmake: ofCmake,
  ...downloaders,
  ...Object.fromEntries(
    ['docker', 'podman', 'nerdctl', 'kubectl', 'oc'].map((name): [string, Reader] => [
      name,
      (operands, words) => [...copiedFromContainer(operands, words), ...outputs(name, words)],
    ]),
  ),
  ...Object.fromEntries(['ex', 'vi', 'vim', 'nvim'].map((name): [string, Reader] => [name, writtenByVim])),
  touch: () => [],
  uniq: (operands) => written(operands.slice(1, 2)),
  xxd: (operands) => written(operands.slice(1, 2)),
  split: (operands) => written(operands.slice(1, 2)),
  csplit: (_, words) =>
    written([optionValue(words, /^(?:-f|--prefix)(?:=?(.+))?$/)].filter((word) => word !== undefined)),
  gio: ([verb, ...operands]) =>
    /^(?:trash|remove)$/.test(textOf(verb) ?? '') ? operands.map((path) => ({ path, kind: 'remove' }) as const) : [],
  // What lies under it is hidden.
  mount: (operands) => written(operands.slice(-1)),
  ...Object.fromEntries(
    ['gzip', 'gunzip', 'bzip2', 'bunzip2', 'xz', 'unxz', 'lzma', 'lz4', 'compress', 'uncompress'].map(
      (name): [string, Reader] => [name, replacing],
    ),
  ),
};

/** Files whose compressed copies take their place: gzip(1). */
function replacing(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  return words.some((word) => /^-[a-zA-Z]*[cklt]|^--(?:stdout|keep|list|test)$/.test(textOf(word) ?? ''))
    ? []
    : removing(operands, words).map((change) => ({ ...change, mayStay: true }));
}

/** Directories only where an option says so. */
function removing(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const isShallow = !words.some(isRecursive);
  const mayStay = words.some((word) => /^-[a-zA-Z]*[iI]|^--interactive/.test(textOf(word) ?? ''));
  return operands.map((path) => ({ path, kind: 'remove', isShallow, mayStay }));
}

function written(paths: readonly Word[]): readonly FileChange[] {
  return paths.map((path) => ({ path, kind: 'write' }));
}

/** `cmake -E rm FILE`: tools that it brings along. */
function ofCmake(_: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const tool = textOf(words[0]) === '-E' ? cmakeTools[textOf(words[1]) ?? ''] : undefined;
  return tool === undefined ? outputs('cmake', words) : fileChanges(tool, words.slice(2));
}

const cmakeTools: Readonly<Record<string, string>> = {
  copy: 'cp',
  copy_if_different: 'cp',
  remove: 'rm',
  rename: 'mv',
  rm: 'rm',
};

function outputs(program: string, words: readonly Word[]): readonly FileChange[] {
  return written(outputsByOption(program, words));
}

function ofPython(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  return unpackedByModule(operands, words) ?? outputs('python3', words);
}

/** A mode that begins as options do: `-x`, `-x+X`. */
const takingMode = /^-[rwxXst]+(?:[,+=-][ugoarwxXst]*)*$/;

/** `chmod a-x`, `chmod u=rw,g=r`, `chmod 644`: what could be executed, or a directory entered, can be so no more. */
function takesExecution([mode]: readonly Word[], words: readonly Word[]): boolean {
  const given = words.map((word) => textOf(word) ?? '').find((text) => takingMode.test(text)) ?? textOf(mode);
  return (
    given === null ||
    /(?:^|,)[ugoa]*(?:[+=-][rwxXst]*)*?(?:-[rwXst]*x|=[rw]*(?:[,+-]|$))|^0?[0246][0-7]{2}$/.test(given)
  );
}

const isRecursive = (word: Word) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(beginningOf(word));
/** `perl -0pi -e …`, and the same of ruby: not the letters of what `-M` or `-e` is given. */
function editedByProgram(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const edits = words.some((word) => /^-[^-MmIeEFrCi]*i/.test(beginningOf(word)));
  return edits ? written(operands) : [];
}

/** `sed -i s/a/b/`: a file without the one does not change. */
function leftBySed(words: readonly Word[]): (text: string) => boolean {
  const isOpen = words.some((word) => word.kind === 'unknown' && word.fits === undefined);
  const call = isOpen ? null : readSed(words.flatMap((word) => textOf(word) ?? []));
  return (text) => call !== null && edited(call, text) === text;
}

const isInPlace = (word: Word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(beginningOf(word));

function optionValue(words: readonly Word[], pattern: RegExp): Word | undefined {
  const index = words.findIndex((word) => pattern.test(textOf(word) ?? ''));
  const attached = index < 0 ? undefined : pattern.exec(textOf(words[index]) ?? '')?.[1];
  return attached === undefined ? words[index < 0 ? words.length : index + 1] : known(attached);
}

/**
 * The files that one program call would change.
 *
 * @param words what follows the program's name
 * @param input what it reads, if that is known
 */
export function fileChanges(
  program: string,
  words: readonly Word[],
  input: string | null = null,
): readonly FileChange[] {
  if (!Object.hasOwn(programs, program)) {
    const isEdited = words.some((word) => /^--in-?place(?:=|$)/.test(textOf(word) ?? ''));
    return [
      ...outputs(program, words),
      ...(isEdited ? written(words.filter((word) => !beginningOf(word).startsWith('-'))) : []),
    ];
  }
  const separator = words.findIndex((word) => textOf(word) === '--');
  const operands = words.filter(
    (word, index) =>
      index !== separator && ((separator >= 0 && index > separator) || !beginningOf(word).startsWith('-')),
  );
  return programs[program]?.(operands, words, input) ?? [];
}
