import { posix } from 'node:path';
import type { Bounds } from './bounds.ts';
import { withoutLongBlanks } from './long-blanks.ts';
import { implies, impliesForeseen } from './path.ts';
import { resolvePath } from './path-resolution.ts';
import type { CallOfGit, FileText, ScriptFiles } from './script-files.ts';
import { settingsScript } from './settings-script.ts';
import { knownWord, openPart, type Path, type SimpleCommand, type UnknownWord, type Word } from './simple-command.ts';
import { joinPieces, valuePieces } from './words/field.ts';
import { codeOf } from './words/read-again.ts';

/** What a guard of git is there for, and what hides it. */
const matters = /git|\bgh\b|\bhub\b|husky|lefthook|hooks|oxide-guard|\beval\b|base64/i;

const temporaryName = 'tmp.oxide-guard-';
const newName = 'new.oxide-guard-';

/** Does a path lie in a directory that stands for what `mktemp` will make? */
export function isTemporaryPath(path: string): boolean {
  return path.includes(`/${temporaryName}`);
}

/** Is it a directory of files that are there for a while? @param usual where they are made; null: not known */
export function isForTemporaries(place: string, usual: string | null): boolean {
  return place === usual || /^\/(?:var\/)?tmp$/.test(place) || isTemporaryPath(place);
}

/** What a file holds from some moment on, and on which path that moment is. */
interface Content {
  readonly texts: readonly FileText[];
  readonly path: Path;
  /** How many calls of git came before that may have brought another one. */
  readonly after: number;
}

/** A call of git that may bring files into a work tree, or change some there, and the path on which it has done so. */
interface Bringing extends CallOfGit {
  readonly path: Path;
}

/** So many texts of a file, the last ones, are told apart where it depends on conditions. */
const maximumTexts = 4;

/**
 * Files as they are after what the command line did so far: writes of known text are read back, files that a program
 * may have changed are not known any more.
 */
/** A text of a program, and the language that runs it. */
export interface KeptText {
  readonly language: string;
  readonly text: string;
}

export class ScriptOverlay {
  readonly #files: ScriptFiles;
  readonly #limit: number;
  /** What was written to a file, the last of it last. */
  readonly #written = new Map<string, readonly Content[]>();
  readonly #bringing: Bringing[] = [];
  readonly #originals = new Map<string, string>();
  #newPaths = 0;
  readonly #uniques = new Map<string | symbol, number>();
  /** Words whose values are not known, as they are written, of directories that the line makes. */
  readonly newDirectories = new Set<string>();
  readonly #directories = new Map<string, Path>();
  /** Directories that the line has removed, and in which it has made nothing since. */
  readonly #removed = new Map<string, Path>();
  #now: Path = null;
  /** Where the directories lie on the disk that the line has copied or moved, by where they are then. */
  readonly #copies = new Map<string, string>();
  /** Symbolic links that the line has made. */
  readonly #links = new Set<string>();
  /** Could a command so far have made files that are not there now? */
  mayCreate = false;
  /** Could files be others, when it comes to that, than what is there now and what the line does before says? */
  isUnsettled = false;
  /** Texts of inline programs with code in them, which they may have written to a file that is not known here. */
  readonly keptTexts: KeptText[] = [];

  constructor(files: ScriptFiles, bounds: Bounds) {
    this.#files = files;
    this.#limit = bounds.scriptBytes;
  }

  /**
   * Runs a command on its path: what it reads was surely written by what has run wherever it does, and what it writes is
   * written for what only runs after it.
   */
  during<T>(path: Path, command: () => T): T {
    const before = this.#now;
    this.#now = path;
    try {
      return command();
    } finally {
      this.#now = before;
    }
  }

  /** @param content null where nothing is known of it */
  write(path: string, content: Word | null, append: boolean): void {
    const before = append ? this.texts(path) : [null];
    const texts = before.map((text) => written(path, text, content));
    this.replace(path, texts);
  }

  /** What a file holds that something else has been put in the place of. */
  replace(path: string, texts: readonly FileText[]): void {
    const before = this.#now === null ? [] : (this.#written.get(path) ?? []);
    const after = this.#bringing.length;
    this.#written.set(path, [...before.slice(-2 * maximumTexts), { texts, path: this.#now, after }]);
  }

  /** git may have other files in the work tree from now on. @param path where it has succeeded */
  bring(call: CallOfGit, path: Path): void {
    this.#bringing.push({ ...call, path });
  }

  /** Where a program changes a text in a way that is not followed: what neither says can't come out of it. */
  edit(path: string, words: string): void {
    const reason = `what was written to ${path} is not known`;
    const texts = this.texts(path).map((before): FileText => {
      const text = before.kind === 'text' ? before.text : before.kind === 'unreadable' ? before.text : undefined;
      const known = text === undefined || matters.test(text) || matters.test(words) ? {} : { text };
      return before.kind === 'missing' && !this.mayCreate ? before : { kind: 'unreadable', reason, ...known };
    });
    this.replace(path, texts);
  }

  /** Every text the file may have now: more than one where it depends on a condition. */
  texts(path: string): readonly FileText[] {
    return path === '/dev/null' ? [{ kind: 'text', text: '' }] : this.#read(path, this.#limit);
  }

  /** @param limit the bytes to which a file on the disk is read */
  #read(path: string, limit: number): readonly FileText[] {
    const contents = this.#contents(path, limit);
    const last = contents.findLastIndex((content) => implies(this.#now, content.path));
    const since = contents.slice(Math.max(last, 0)).flatMap(({ texts }) => texts);
    return (last < 0 ? [this.#onDiskText(path, limit), ...since] : since).slice(-maximumTexts);
  }

  /** What the line has written to a file, and git has brought there, in order. */
  #contents(path: string, limit: number): readonly Content[] {
    const written = this.#written.get(path) ?? [];
    const brought =
      this.#bringing.length === 0 ? [] : (this.#files.afterGit?.(this.#onDisk(path), this.#bringing, limit) ?? []);
    const contents = brought.flatMap((text, at): Content[] => {
      const call = this.#bringing[at];
      return text === null || call === undefined ? [] : [{ texts: [text], path: call.path, after: at + 1 }];
    });
    return contents.length === 0 ? written : [...contents, ...written].sort((one, other) => one.after - other.after);
  }

  #onDiskText(path: string, limit: number): FileText {
    const found = this.#files.readText(this.#onDisk(path), limit);
    return found.kind === 'text' ? { kind: 'text', text: withoutLongBlanks(found.text) } : found;
  }

  /** The texts as a shell reads them: values that can be no code stand for themselves. */
  scripts(path: string): readonly FileText[] {
    return this.texts(path).map((file) => {
      const code = file.kind === 'unreadable' && file.open !== undefined ? scriptOf(file.open) : null;
      return code === null ? file : { kind: 'text', text: code };
    });
  }

  /**
   * A file of tasks, whose commands a shell reads: a value that is not known is a variable to it. Of several texts that it
   * may have, the last one that is known. Of one that a program writes, nothing else is known than what it was made of:
   * what the file held before the line, or what the program reads.
   *
   * @param sign how the file writes the dollar sign of a shell
   */
  tasks(path: string, sign = '$'): string | null {
    const texts = this.texts(path);
    const word = texts.map(wordOf).findLast((one) => one !== null);
    const shape = word?.kind === 'unknown' ? word.shape : word?.value;
    const isKnown = shape !== undefined && (shape === '' || shape.replaceAll(openPart, '').trim() !== '');
    const text = isKnown ? shape.replaceAll(openPart, () => `${sign}a_value`) : undefined;
    const isWritten = text === undefined && texts.some(({ kind }) => kind === 'unreadable');
    return text ?? (isWritten ? this.#before(path, word ?? null) : null);
  }

  /** What a file held before the line, or what has been read to write it. */
  #before(path: string, written: Word | null): string | null {
    const there = this.#onDiskText(path, this.#limit);
    const printer = written?.kind === 'unknown' ? written.printedBy : undefined;
    return there.kind === 'text' ? there.text : printer === undefined ? null : this.readBy(printer);
  }

  /** The text of the file that a program reads, the last one where it is given several; null: of none is it known. */
  readBy({ argv, cwd, input }: SimpleCommand): string | null {
    const names = argv.slice(1).map((word) => resolvePath(word, cwd));
    const read = [...names, input?.kind === 'file' ? input.path : null];
    return read.flatMap((path) => (path === null ? [] : (this.text(path) ?? []))).at(-1) ?? null;
  }

  /** What is known of the one text that the file surely has; null: nothing. */
  word(path: string): Word | null {
    const [only, ...others] = this.texts(path);
    return only === undefined || others.length > 0 ? null : wordOf(only);
  }

  /** The one text the file surely has, or null. */
  text(path: string): string | null {
    const [only, ...others] = this.texts(path);
    return only?.kind === 'text' && others.length === 0 ? only.text : null;
  }

  /**
   * What a program has to print of the file: nothing where there is none and no command so far could have made one.
   * Null where it is not known.
   */
  printed(path: string): string | null {
    const [only, ...others] = this.texts(path);
    // Commands that make nothing in a work tree still write below `.git`: `git fetch` leaves FETCH_HEAD.
    const isNone = only?.kind === 'missing' && others.length === 0 && !this.mayCreate && !path.includes('/.git/');
    return isNone ? '' : this.text(path);
  }

  /** A path that no file has, of one that is there for a while alone: {@link isTemporaryPath}. */
  temporaryPath(directory: string): string {
    return this.newPath(directory, temporaryName);
  }

  /** A path that no file has. */
  newPath(directory: string, name = newName): string {
    this.#newPaths += 1;
    return `${directory.replace(/\/$/, '')}/${name}${this.#newPaths}`;
  }

  /** The same of a name in which a number of the line's own stands: see {@link numberOf}. */
  temporaryName(directory: string, name: string): string {
    return `${directory}/${temporaryName}${name}`;
  }

  /** The same in a directory of files that stay. */
  newName(directory: string, name: string): string {
    return `${directory}/${newName}${name}`;
  }

  /** What stands for a value that nothing else has. @param unique as an unknown word says it */
  numberOf(unique: string | symbol): number {
    const number = this.#uniques.get(unique) ?? this.#newPaths + 1;
    this.#newPaths = Math.max(this.#newPaths, number);
    this.#uniques.set(unique, number);
    return number;
  }

  /** A copy of a program, or a link to it, goes by another name. */
  linkProgram(path: string, original: string): void {
    this.#originals.set(path, original);
  }

  get hasLinks(): boolean {
    return this.#originals.size > 0;
  }

  original(path: string): string | null {
    return this.#originals.get(path) ?? null;
  }

  /** A directory that `mkdir` made on this line. */
  makeDirectory(path: string): void {
    for (let made = path; made !== '/' && made !== ''; made = made.replace(/\/[^/]*$/, '')) {
      this.#removed.delete(made);
      if (!this.#isMade(made)) {
        this.#directories.set(made, this.#now);
      }
    }
  }

  /** `rm -rf DIRECTORY` */
  removeTree(path: string): void {
    this.#removed.set(path, this.#now);
  }

  /** Has the line surely removed what was there? Only what makes directories by name is seen to bring it back. */
  isRemoved(path: string): boolean {
    const isIn = (place: string) => path === place || path.startsWith(`${place}/`);
    return [...this.#removed].some(([place, removed]) => isIn(place) && implies(this.#now, removed));
  }

  #isMade(path: string): boolean {
    const made = this.#directories.get(path);
    return made !== undefined && impliesForeseen(this.#now, made);
  }

  /** `cp -r`, `mv`: what lies in a directory is there under the other name as well. */
  copyDirectory(from: string, to: string): void {
    const inside = [...this.#written.keys()].filter((path) => path.startsWith(`${from}/`));
    for (const path of inside) {
      this.replace(to + path.slice(from.length), this.texts(path));
    }
    const made = [...this.#directories.keys()].filter((path) => path.startsWith(`${from}/`));
    for (const path of made) {
      this.makeDirectory(to + path.slice(from.length));
    }
    this.#copies.set(to, this.#onDisk(from));
    this.makeDirectory(to);
  }

  /** Where a file lies on the disk that is in a copied directory. */
  #onDisk(path: string): string {
    for (let above = path; this.#copies.size > 0 && above !== '' && above !== '/'; above = posix.dirname(above)) {
      const original = this.#copies.get(above);
      if (original !== undefined) {
        return original + path.slice(above.length);
      }
    }
    return path;
  }

  isDirectory(path: string): boolean {
    return this.#isMade(path) || this.#files.isDirectory(this.#onDisk(path));
  }

  isLink(path: string): boolean {
    return this.#files.entry(this.#onDisk(path))?.type === 'link';
  }

  /** `ln -s` */
  makeLink(path: string): void {
    this.#links.add(path);
  }

  /** Goes the path through a symbolic link that is there, or that the line has made? */
  isThroughLink(path: string): boolean {
    const directory = posix.dirname(path);
    return (
      this.#links.has(path) ||
      this.#files.realPath(path) !== path ||
      (directory !== path && this.isThroughLink(directory))
    );
  }

  /** Is a directory there, or has the line made one, whatever the conditions? */
  mayBeDirectory(path: string): boolean {
    return this.#directories.has(path) || this.isDirectory(path);
  }

  /** Names in a directory, with those that the line has made there; null when it can't be listed. */
  list(path: string): readonly string[] | null {
    const there = this.#files.list(this.#onDisk(path));
    const made = [...this.#written.keys(), ...this.#directories.keys()].flatMap((file) =>
      posix.dirname(file) === path && this.exists(file) ? [posix.basename(file)] : [],
    );
    return made.length === 0 ? there : [...new Set([...(there ?? []), ...made])];
  }

  exists(path: string): boolean {
    return this.isDirectory(path) || this.#read(path, 0).some(({ kind }) => kind !== 'missing');
  }

  /** Has the line written a file, wherever, whose path ends so? */
  hasWritten(ending: string): boolean {
    const isEmpty = ({ texts }: Content) => texts.every((text) => text.kind === 'text' && text.text === '');
    return [...this.#written].some(([path, contents]) => path.endsWith(ending) && !contents.every(isEmpty));
  }

  wasWritten(path: string): boolean {
    return this.#written.has(path);
  }
}

function scriptOf(open: UnknownWord): string | null {
  return codeOf(open) ?? (open.shape === undefined ? null : settingsScript(open.shape));
}

/** @param before what the file held, where the text comes behind it */
function written(path: string, before: FileText | null, content: Word | null): FileText {
  const first = before === null || before.kind === 'missing' ? knownWord('') : wordOf(before);
  const reason = `what was written to ${path} is not known`;
  if (first === null || content === null) {
    return before?.kind === 'unreadable' ? before : { kind: 'unreadable', reason };
  }
  const whole = joinPieces([...valuePieces(first, true), ...valuePieces(content, true)], path);
  return whole.kind === 'known' ? { kind: 'text', text: whole.value } : { kind: 'unreadable', reason, open: whole };
}

function wordOf(file: FileText): Word | null {
  return file.kind === 'text' ? knownWord(file.text) : file.kind === 'unreadable' ? (file.open ?? null) : null;
}
