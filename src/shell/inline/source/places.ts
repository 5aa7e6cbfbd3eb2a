import { posix } from 'node:path';

/** Where a program runs, as far as it may ask for it. */
export interface Places {
  /** The home directory; null: not known. */
  readonly home: string | null;
  /** The directory of temporary files; null: not known. */
  readonly temporary: string | null;
  /** The program's own file; null: it is in none, or it is not known where. */
  readonly file: string | null;
  /**
   * How the directory is written in which it runs: `.`, or its name where the program starts something in another one;
   * null: not known.
   */
  readonly own: string | null;
}

const literal = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
/** A function's name with what it belongs to: `os.path.`. No more than so many: each position of a long chain begins another. */
const called = String.raw`(?<![\w$])(?:[\w$]+\s*\.\s*){0,6}`;
const variable = String.raw`["'\x60]HOME["'\x60]`;
/** The home directory's name. */
const home = placeNamed(
  String.raw`(?<![\w$.])(?:os\s*\.\s*environ\s*(?:\[\s*${variable}\s*\]|\.\s*get\(\s*${variable}\s*\))|os\s*\.\s*getenv\(\s*${variable}\s*\)|(?:[\w$]+\s*\.\s*|require\(\s*["'](?:node:)?os["']\s*\)\s*\.\s*)?homedir\(\)|process\s*\.\s*env\s*(?:\.\s*HOME\b|\[\s*${variable}\s*\])|Dir\s*\.\s*home\b(?:\(\))?|ENV\s*\[\s*${variable}\s*\])`,
  String.raw`Path\s*\.\s*home\(\)`,
);
/** `os.tmpdir()`, `tempfile.gettempdir()` */
const temporaryFiles = placeNamed(
  String.raw`(?<![\w$.])(?:(?:[\w$]+\s*\.\s*|require\(\s*["'](?:node:)?os["']\s*\)\s*\.\s*)?tmpdir\(\)|(?:\w+\s*\.\s*)?gettempdir\(\))`,
  '(?!)',
);
/** `os.path.expanduser('~/x')`, `Path('~/x').expanduser()`, `File.expand_path('~/x')` */
const expanded = new RegExp(
  String.raw`${called}(?:expanduser|expand_path)\(\s*(["'])~(?=/|\1)([^"'\n\\]*)\1\s*\)`,
  'g',
);
const expandedPath = /\bPath\s*\(\s*(["'])~(?=\/|\1)([^"'\n\\]*)\1\s*\)\s*\.\s*expanduser\(\s*\)/g;

const fileName =
  /(?<![\w$.])(?:__file__\b|__filename\b|import\.meta\.filename\b|(?:[\w$]+\s*\.\s*)?fileURLToPath\(\s*import\.meta\.url\s*\))/g;
const directoryName = /(?<![\w$.])(?:__dirname\b|import\.meta\.dirname\b)/g;
const relativeUrl = new RegExp(
  String.raw`\bnew\s+URL\(\s*(${literal})\s*,\s*import\.meta\.url\s*\)(?:\s*\.\s*pathname\b)?`,
  'g',
);

const sameFile = new RegExp(
  String.raw`${called}(?:abspath|realpath(?:Sync(?:\s*\.\s*native)?)?|normpath|fileURLToPath)\(\s*(${literal})\s*\)`,
  'g',
);
const aboveName = new RegExp(String.raw`${called}dirname\(\s*(${literal})\s*\)`, 'g');
const abovePath = new RegExp(
  String.raw`\bPath\(\s*(${literal})\s*\)(?:\s*\.\s*(?:resolve|absolute)\(\))*\s*\.\s*parent(?:s\[\s*(\d)\s*\]|\b)`,
  'g',
);
/** Calls within each other are read from the inside out. */
const rounds = 6;

/** A name with others in it would end the text that it is put into. */
const isPlain = /^[\w@%+,.:/-]+$/;

/** How programs name a place: within a text, as an expression, and as a path of its own. */
interface PlaceNames {
  readonly inText: RegExp;
  readonly alone: RegExp;
  readonly path: RegExp;
}

/** @param path an expression whose value is a path, where `name` is a text */
function placeNamed(name: string, path: string): PlaceNames {
  return {
    inText: new RegExp(String.raw`[$#]?\{\s*(?:${name}|${path})\s*\}(?=/)`, 'g'),
    alone: new RegExp(String.raw`${name}(?:\s*\+\s*(["'\x60])(?=/))?`, 'g'),
    path: new RegExp(String.raw`(?<![\w$.])${path}`, 'g'),
  };
}

/**
 * The source of a program with a literal in the place of what it asks for: the home directory, that of temporary files,
 * and where it lies itself.
 */
export function withPlaces(source: string, { home: homePath, temporary, file, own }: Places): string {
  let written = temporary === null ? source : withPlace(source, temporaryFiles, temporary);
  written = homePath === null ? written : withHome(written, homePath);
  if (file === null || !isPlain.test(file)) {
    return withPathsAbove(written, own);
  }
  const directory = posix.dirname(file);
  written = written
    .replace(relativeUrl, (_, url: string) => quoted(posix.join(directory, url.slice(1, -1))))
    .replace(fileName, quoted(file))
    .replace(directoryName, quoted(directory));
  return withPathsAbove(written, own);
}

function withHome(source: string, path: string): string {
  return withPlace(source, home, path)
    .replace(expandedPath, (_, _quote, rest: string) => `Path(${quoted(path + rest)})`)
    .replace(expanded, (_, _quote, rest: string) => quoted(path + rest));
}

function withPlace(source: string, names: PlaceNames, place: string): string {
  return isPlain.test(place)
    ? source
        .replace(names.inText, place)
        .replace(names.path, `Path(${quoted(place)})`)
        .replace(names.alone, (_, quote?: string) => (quote === undefined ? quoted(place) : quote + place))
    : source;
}

/** `os.path.dirname(os.path.abspath('/a/b'))`, `Path('/a/b').resolve().parent` */
function withPathsAbove(source: string, own: string | null): string {
  let written = source;
  for (let round = 0; round < rounds; round += 1) {
    const before = written;
    written = written
      .replace(sameFile, (whole, path: string) => resolvedIn(own, path) ?? whole)
      .replace(aboveName, (_, path: string) => quoted(posix.dirname(path.slice(1, -1))))
      .replace(abovePath, (_, path: string, index = '0') => `Path(${quoted(above(path.slice(1, -1), Number(index)))})`);
    if (written === before) {
      break;
    }
  }
  return written;
}

function above(path: string, levels: number): string {
  return levels === 0 ? posix.dirname(path) : above(posix.dirname(path), levels - 1);
}

/**
 * A literal with the path that a program resolves where it runs.
 *
 * @returns null where that is not known
 */
export function resolvedIn(own: string | null, literal: string): string | null {
  const path = literal.slice(1, -1);
  if (own === '.' || /^[/~]/.test(path)) {
    return literal;
  }
  return own === null || !isPlain.test(own) ? null : quoted(posix.resolve(own, path));
}

const quoted = (path: string) => `'${path}'`;
