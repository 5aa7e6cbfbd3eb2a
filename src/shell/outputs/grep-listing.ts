import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { knownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { wholePattern } from '../words/pattern.ts';
import { grepped } from './text-filters.ts';

/** Larger files, if they are texts, count as holding whatever is looked for. */
const maximumSize = 32_768;

interface GrepListing {
  /** The directory that is looked through, as it is written. */
  readonly start: string;
  /** What {@link grepped} takes. */
  readonly search: readonly string[];
  readonly included: readonly RegExp[];
  readonly excluded: readonly RegExp[];
  readonly excludedDirectories: readonly RegExp[];
}

/** `grep -rl PATTERN DIRECTORY`: files below it, those of git too, that hold the pattern; grep(1). Null: another use. */
export function listMatches(args: readonly string[], call: Call, shell: Shell): Word | null {
  const listing = readListing(args);
  if (listing === null) {
    return null;
  }
  const prefix = listing.start.endsWith('/') ? listing.start : `${listing.start}/`;
  const word = unknownWord(call.source, 'which files grep finds is not known');
  return {
    ...word,
    prefix,
    suffix: '\n',
    whenNothing: '',
    fits: (path) => mayBeListed(path.slice(prefix.length), path, listing, call, shell),
  };
}

function readListing(args: readonly string[]): GrepListing | null {
  const bundles = args.filter((arg) => /^-[a-zA-Z]+$/.test(arg));
  const letters = bundles.join('').replaceAll('-', '');
  const named = args.filter((arg) => arg.startsWith('--'));
  const isRecursive =
    /[rR]/.test(letters) || named.includes('--recursive') || named.includes('--dereference-recursive');
  const lists = letters.includes('l') || named.includes('--files-with-matches');
  const isPlain = /^[rRlIinsEFGZHw]*$/.test(letters) && named.every((arg) => plainOption.test(arg));
  const [pattern, start = '.', ...others] = args.filter((arg) => !arg.startsWith('-'));
  if (!isRecursive || !lists || !isPlain || pattern === undefined || others.length > 0) {
    return null;
  }
  const kind = letters.includes('F') ? ['-F'] : letters.includes('E') ? ['-E'] : [];
  const globs = (option: string) =>
    named.flatMap((arg) =>
      arg.startsWith(`--${option}=`) ? (nameExpression(arg.slice(option.length + 3)) ?? []) : [],
    );
  return {
    start,
    search: [...kind, ...(letters.includes('i') ? ['-i'] : []), pattern],
    included: globs('include'),
    excluded: globs('exclude'),
    excludedDirectories: globs('exclude-dir'),
  };
}

const plainOption =
  /^--(?:recursive|dereference-recursive|files-with-matches|null|ignore-case|(?:include|exclude|exclude-dir)=.+)$/;

function nameExpression(glob: string): RegExp | null {
  return wholePattern([{ kind: 'glob', text: glob.replace(/\/+$/, '') }]);
}

function mayBeListed(below: string, path: string, listing: GrepListing, { state }: Call, { files }: Shell): boolean {
  const directories = below.split('/');
  const name = directories.pop() ?? '';
  const absolute = resolvePath(knownWord(path), state.cwd);
  const isLeftOut =
    directories.some((directory) => listing.excludedDirectories.some((glob) => glob.test(directory))) ||
    listing.excluded.some((glob) => glob.test(name)) ||
    (listing.included.length > 0 && !listing.included.some((glob) => glob.test(name)));
  if (isLeftOut || absolute === null || files.isDirectory(absolute)) {
    return false;
  }
  // What is no text, as git's index, is not looked into.
  const read = files.readText(absolute, maximumSize);
  const text = read.kind === 'missing' ? undefined : read.text;
  return text !== undefined && grepped(listing.search, text, false) !== '';
}
