import type { Word } from '../../shell/simple-command.ts';
import { known, textOf } from '../git-command/words.ts';
import type { FileChange } from './file-change.ts';

type Reader = (operands: readonly Word[], words: readonly Word[]) => readonly FileChange[];

/** How a program is told to unpack an archive, and where. */
interface Unpacking {
  /** Only where a word says so: `tar x`; absent: always. */
  readonly verb?: RegExp;
  /** What it finds is only shown: `unzip -l`. */
  readonly shows?: RegExp;
  /** The option with the directory, attached or as the next word; absent: there is none. */
  readonly directory?: RegExp;
  /** Which word names the archive; what else is named is a member. */
  readonly archive: (operands: readonly Word[], words: readonly Word[]) => Word | undefined;
  /** The last operand is a directory: by its form, or always. */
  readonly target?: RegExp;
}

const firstOperand: Unpacking['archive'] = (operands) => operands[0];
const secondOperand: Unpacking['archive'] = (operands) => operands[1];
/** `-f FILE`, `xzf FILE` */
const fileOption: Unpacking['archive'] = (_, words) =>
  words[words.findIndex((word) => /^-?[a-zA-Z]*f$|^--file$/.test(textOf(word) ?? '')) + 1];
const ofPython = /^(?:-e|--extract)$/;

const tar: Unpacking = {
  verb: /^(?:-?[a-zA-Z]*x[a-zA-Z]*|--(?:extract|get))$/,
  shows: /^(?:-?[a-zA-Z]*O[a-zA-Z]*|--to-stdout)$/,
  directory: /^(?:-C|--directory=?|--one-top-level=)(.*)$/s,
  archive: fileOption,
};
const sevenZip: Unpacking = { verb: /^[xe]$/, directory: /^-o(.+)$/s, archive: secondOperand };

const unpackings: Readonly<Record<string, Unpacking>> = {
  tar,
  gtar: tar,
  bsdtar: tar,
  jar: tar,
  unzip: { shows: /^-[a-zA-Z]*[ltvzZpc]/, directory: /^-d(.*)$/s, archive: firstOperand },
  cpio: {
    verb: /^-\w*[ip]|^--(?:extract|pass-through)$/,
    directory: /^(?:-D|--directory=?)(.*)$/s,
    archive: () => undefined,
  },
  ...Object.fromEntries(['7z', '7za', '7zr', '7zz'].map((name) => [name, sevenZip])),
  unrar: { verb: /^[xe]$/, archive: secondOperand, target: /\/$/ },
  unar: { directory: /^(?:-o|-output-directory)$/, archive: firstOperand },
  ditto: { verb: /^-\w*x/, archive: firstOperand, target: /^/ },
  'dpkg-deb': { verb: /^(?:-[xX]|--v?extract)$/, archive: firstOperand, target: /^/ },
  dpkg: { verb: /^(?:-[xX]|--v?extract)$/, archive: firstOperand, target: /^/ },
};

/** `python3 -m tarfile -e ARCHIVE DIRECTORY` */
const modules: Readonly<Record<string, Unpacking>> = {
  tarfile: { verb: ofPython, archive: firstOperand, target: /^/ },
  zipfile: { verb: ofPython, archive: firstOperand, target: /^/ },
};

/** Programs that unpack archives write to a directory whatever is in these. By name, for the table of programs. */
export const unpackers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    Object.entries(unpackings).map(([name, how]): [string, Reader] => [
      name,
      (operands, words) => unpacked(how, operands, words),
    ]),
  ),
};

/** What a module of Python unpacks; null: it is none that does. */
export function unpackedByModule(operands: readonly Word[], words: readonly Word[]): readonly FileChange[] | null {
  const how = textOf(words[0]) === '-m' ? modules[textOf(words[1]) ?? ''] : undefined;
  return how === undefined ? null : unpacked(how, operands.slice(1), words.slice(2));
}

function unpacked(how: Unpacking, operands: readonly Word[], words: readonly Word[]): readonly FileChange[] {
  const says = (pattern: RegExp) => words.some((word) => pattern.test(textOf(word) ?? ''));
  if ((how.verb !== undefined && !says(how.verb)) || (how.shows !== undefined && says(how.shows))) {
    return [];
  }
  const archive = how.archive(operands, words);
  const target = targetOf(how, operands, words, archive);
  const directory = textOf(target) ?? '';
  const others = operands.filter((word) => word !== archive && word !== target && !how.verb?.test(textOf(word) ?? ''));
  const members = others.flatMap((word) => {
    const name = textOf(word);
    return name === null || textOf(target) === null ? [] : [known(`${directory.replace(/\/$/, '')}/${name}`)];
  });
  return [target, ...members].map((path) => ({ path, kind: 'write' }));
}

function targetOf(
  { directory, target }: Unpacking,
  operands: readonly Word[],
  words: readonly Word[],
  archive: Word | undefined,
): Word {
  const last = operands.at(-1);
  if (target !== undefined) {
    return last !== undefined && last !== archive && target.test(textOf(last) ?? '') ? last : known('.');
  }
  const at = directory === undefined ? -1 : words.findLastIndex((word) => directory.test(textOf(word) ?? ''));
  const attached = directory?.exec(textOf(words[at]) ?? '')?.[1] ?? '';
  return attached === '' ? ((at < 0 ? undefined : words[at + 1]) ?? known('.')) : known(attached);
}
