import { posix } from 'node:path';

/** Where a program runs, as far as it may ask for it. */
export interface Places {
  /** The home directory; null: not known. */
  readonly home: string | null;
  /** The program's own file; null: it is in none, or it is not known where. */
  readonly file: string | null;
}

const literal = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
/** A function's name with what it belongs to: `os.path.`. No more than so many: each position of a long chain begins another. */
const called = String.raw`(?<![\w$])(?:[\w$]+\s*\.\s*){0,6}`;
const variable = String.raw`["'\x60]HOME["'\x60]`;
/** The home directory's name. */
const homeName = String.raw`(?<![\w$.])(?:os\s*\.\s*environ\s*(?:\[\s*${variable}\s*\]|\.\s*get\(\s*${variable}\s*\))|os\s*\.\s*getenv\(\s*${variable}\s*\)|(?:[\w$]+\s*\.\s*|require\(\s*["'](?:node:)?os["']\s*\)\s*\.\s*)?homedir\(\)|process\s*\.\s*env\s*(?:\.\s*HOME\b|\[\s*${variable}\s*\])|Dir\s*\.\s*home\b(?:\(\))?|ENV\s*\[\s*${variable}\s*\])`;
const homeInText = new RegExp(String.raw`[$#]?\{\s*(?:${homeName}|Path\s*\.\s*home\(\))\s*\}(?=/)`, 'g');
const homeAlone = new RegExp(String.raw`${homeName}(?:\s*\+\s*(["'\x60])(?=/))?`, 'g');
const homePath = /\bPath\s*\.\s*home\(\)/g;
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
  String.raw`${called}(?:abspath|realpath|normpath|fileURLToPath)\(\s*(${literal})\s*\)`,
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

/** The source of a program with a literal in the place of what it asks for: the home directory, and where it lies itself. */
export function withPlaces(source: string, { home, file }: Places): string {
  let written = home !== null && isPlain.test(home) ? withHome(source, home) : source;
  if (file === null || !isPlain.test(file)) {
    return withPathsAbove(written);
  }
  const directory = posix.dirname(file);
  written = written
    .replace(relativeUrl, (_, url: string) => quoted(posix.join(directory, url.slice(1, -1))))
    .replace(fileName, quoted(file))
    .replace(directoryName, quoted(directory));
  return withPathsAbove(written);
}

function withHome(source: string, home: string): string {
  return source
    .replace(homeInText, home)
    .replace(homePath, `Path(${quoted(home)})`)
    .replace(homeAlone, (_, quote?: string) => (quote === undefined ? quoted(home) : quote + home))
    .replace(expandedPath, (_, _quote, rest: string) => `Path(${quoted(home + rest)})`)
    .replace(expanded, (_, _quote, rest: string) => quoted(home + rest));
}

/** `os.path.dirname(os.path.abspath('/a/b'))`, `Path('/a/b').resolve().parent` */
function withPathsAbove(source: string): string {
  let written = source;
  for (let round = 0; round < rounds; round += 1) {
    const before = written;
    written = written
      .replace(sameFile, '$1')
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

const quoted = (path: string) => `'${path}'`;
