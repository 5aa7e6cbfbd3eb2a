import { basename, join } from 'node:path';
import { isDirectory, kindOf } from '../git/files.ts';
import type { Directory, SimpleCommand } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { known, textsOf } from './git-command/words.ts';
import type { World } from './world.ts';

/** What a program puts into an archive, or takes out of it. */
interface ArchiveCall {
  readonly packs: boolean;
  readonly archive: string;
  readonly members: readonly string[];
}

/** Programs by which {@link recordOtherCopies} finds copies. */
export const otherCopiers: ReadonlySet<string> = new Set(['rsync', 'install', 'tar', 'gtar', 'bsdtar']);

/**
 * `rsync -a FILE… DIRECTORY`, `install -m 644 FILE COPY`, `tar czf ARCHIVE FILE…`: files as they were are there under another
 * name, or in an archive until it is unpacked again. Only calls with options by which nothing is left out.
 */
export function recordOtherCopies(program: string, command: SimpleCommand, world: World): void {
  const words = textsOf(command.argv.slice(1));
  if (words === null) {
    return;
  }
  if (program === 'rsync') {
    recordSynchronized(words, command, world);
  } else if (program === 'install') {
    recordInstalled(words, command, world);
  } else {
    recordArchive(readTar(words), command, world);
  }
}

const absolute = (text: string, cwd: Directory) => absolutePath(known(text), cwd);

/** rsync(1): options with which all files come along, at least as they are now. */
const bringsAll =
  /^(?:-[avhzPqtpog]+|--(?:archive|verbose|progress|stats|quiet|human-readable|mkpath|delete)|--exclude=\.git\/?)$/;

function recordSynchronized(words: readonly string[], { cwd, origin }: SimpleCommand, world: World): void {
  const options = words.filter((word) => word.startsWith('-'));
  const operands = words.filter((word) => !word.startsWith('-'));
  const isWhole =
    options.every((word) => bringsAll.test(word)) && options.some((word) => /^-\w*a|^--archive$/.test(word));
  const [given = '', ...sources] = operands.reverse();
  const target = absolute(given, cwd);
  // The last colon of these is another machine's.
  if (!isWhole || target === null || operands.some((word) => word.includes(':'))) {
    return;
  }
  const isInto = isDirectory(target) || given.endsWith('/') || sources.length > 1;
  for (const word of sources) {
    const source = absolute(word, cwd);
    const isContents = /(?:\/|^\.|\/\.)$/.test(word);
    const keepsName = !isContents && (isInto || (source !== null && isDirectory(source)));
    if (source !== null) {
      world.patches.recordCopy(source, keepsName ? join(target, basename(source)) : target, origin);
    }
  }
}

/** install(1): options that have no part in what is copied. */
const installs = /^(?:-[Dpv]*(?:m\d+)?|--(?:preserve-timestamps|verbose|mode=.*))$/;

function recordInstalled(words: readonly string[], { cwd, origin }: SimpleCommand, world: World): void {
  const rest = words.filter((word, at) => word !== '-m' && words[at - 1] !== '-m');
  const operands = rest.filter((word) => !word.startsWith('-'));
  const [given = '', ...sources] = operands.reverse();
  const target = absolute(given, cwd);
  if (target === null || rest.some((word) => word.startsWith('-') && !installs.test(word))) {
    return;
  }
  const isInto = isDirectory(target) || given.endsWith('/');
  for (const word of isInto || sources.length === 1 ? sources : []) {
    const source = absolute(word, cwd);
    if (source !== null && kindOf(source) === 'file') {
      world.patches.recordCopy(source, isInto ? join(target, basename(source)) : target, origin);
    }
  }
}

/** tar(1): letters that have no part in what is packed. Only the last one may have a value, the archive's name. */
const letters = /^[cxzjJavp]*f?$/;
const long: Readonly<Record<string, string>> = {
  '--create': 'c',
  '--extract': 'x',
  '--get': 'x',
  '--file': 'f',
  '--gzip': '',
  '--bzip2': '',
  '--xz': '',
  '--zstd': '',
  '--auto-compress': '',
  '--verbose': '',
  '--exclude=.git': '',
  '--exclude=./.git': '',
};

/** What an option says, by its letters; null: it is another one. */
function saidBy(option: string): string | null {
  const bundle = option.startsWith('--') ? null : option.slice(1);
  return bundle === null ? (long[option] ?? null) : letters.test(bundle) ? bundle : null;
}

/** Null: it does something else, or leaves something out. */
function readTar([first = '', ...words]: readonly string[]): ArchiveCall | null {
  const members: string[] = [];
  let said = '';
  let archive: string | null = null;
  // The first word needs no dash; `--file=NAME` is two words.
  const given = [letters.test(first) ? `-${first}` : first, ...words];
  const rest = given.flatMap((word) => (word.startsWith('--file=') ? ['--file', word.slice(7)] : [word]));
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const options = word.startsWith('-') ? saidBy(word) : '';
    if (options === null) {
      return null;
    }
    if (options.endsWith('f')) {
      at += 1;
      archive = rest[at] ?? null;
    } else if (!word.startsWith('-')) {
      members.push(word);
    }
    said += options;
  }
  const [packs, unpacks] = ['c', 'x'].map((letter) => said.includes(letter));
  return packs === unpacks || archive === null || archive === '-' || archive.includes(':')
    ? null
    : { packs: packs === true, archive, members };
}

function recordArchive(call: ArchiveCall | null, { cwd, origin }: SimpleCommand, { patches }: World): void {
  const archive = call === null ? null : absolute(call.archive, cwd);
  if (call === null || archive === null) {
    return;
  }
  const members = call.members.map((member) => absolute(member, cwd));
  const files = members.filter((member) => member !== null);
  if (call.packs && files.length === members.length && files.length > 0) {
    patches.recordArchive(files, archive, origin);
  } else if (!call.packs && members.length === 0) {
    patches.takeOut(archive);
  }
}
