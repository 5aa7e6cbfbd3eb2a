import { agentDirectories } from '../../telling-paths.ts';
import { withConstants } from './constants.ts';
import { type Places, resolvedIn, withPlaces } from './places.ts';

const literal = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
const library = String.raw`(?:[\w$]+\s*\.\s*|require\(\s*["'](?:node:)?path["']\s*\)\s*\.\s*){0,6}`;
const joins = new RegExp(
  String.raw`(?<![\w$.])${library}(?:join|resolve)\s*\(\s*(${literal}(?:\s*,\s*${literal})+)\s*,?\s*\)`,
  'g',
);
const quotients = new RegExp(
  String.raw`\bPath\s*\(\s*(${literal}(?:\s*,\s*${literal})*)\s*\)((?:\s*/\s*${literal}|\s*\.\s*(?:joinpath\(\s*${literal}(?:\s*,\s*${literal})*\s*\)|(?:resolve|absolute|expanduser)\(\s*\)))*)`,
  'g',
);
/** `path.resolve('.git')`, and what a call is given: `rmtree(Path('.git'))`, `rmtree(str('.git'))`. */
const single = new RegExp(
  String.raw`(?<![\w$.])(?:path\s*\.\s*|require\(\s*["'](?:node:)?path["']\s*\)\s*\.\s*)resolve\s*\(\s*(${literal})\s*\)|(?=[pPs])(?<=\w\(\s*|,\s*|\[\s*)(?:(?:pathlib\s*\.\s*)?Path|str)\s*\(\s*(${literal})\s*\)(?=\s*[,)\]])`,
  'g',
);
/** The directory a program runs in, by itself and within a text. */
const workingDirectory = String.raw`(?:os\s*\.\s*getcwd\(\)|process\s*\.\s*cwd\(\)|Dir\s*\.\s*pwd\b(?:\(\))?)`;
const workingPath = /\bPath\s*\.\s*cwd\(\)/g;
const workingName = new RegExp(String.raw`(?<![\w.{])${workingDirectory}(?:\s*\+\s*(["'])(?=/))?`, 'g');
const insertedDirectory = String.raw`[$#]?\{\s*(?:${workingDirectory}|Path\s*\.\s*cwd\(\))\s*\}`;
const workingText = new RegExp(insertedDirectory, 'g');
const workingPart = new RegExp(`${insertedDirectory}(?=/)`, 'g');

/** `.map((d) => path.resolve(d))`: each stays where it leads. */
const resolvedEach = /\.\s*map\s*\(\s*\(?\s*(\w+)\s*\)?\s*=>\s*(?:[\w$]+\s*\.\s*)?resolve\s*\(\s*\1\s*\)\s*\)/g;

/** Literals with one name behind them: `path.join('.git', 'hooks', name)`. */
const openJoins = new RegExp(
  String.raw`(?<![\w$.])${library}(?:join|resolve)\s*\(\s*(${literal}(?:\s*,\s*${literal})*)\s*,\s*([A-Za-z_$][\w$.]*)\s*,?\s*\)`,
  'g',
);

/** The same as an argument: `rmtree(Path('..') / name)`. */
const openQuotients = new RegExp(
  String.raw`(?=[pP])(?<=\w\(\s*|,\s*)(?:pathlib\s*\.\s*)?Path\s*\(\s*(${literal})\s*\)\s*/\s*([A-Za-z_]\w*)(?=\s*[,)])`,
  'g',
);

/** Python's names for a directory and the one above it. */
const specialNames = /(?<![\w.])os\s*\.\s*(?:path\s*\.\s*)?(cur|par)dir\b/g;

/**
 * Without such a word no path of a program is of interest, however it is put together. What is removed may be a work
 * tree or a remote, whatever its name.
 */
const matters = new RegExp(`git|hook|husky|oxide-guard|rmtree|\\brm(?:Sync|_rf?)?\\b|remove|${agentDirectories}`, 'i');

/** A directory that the program makes: see `newDirectory`. */
const isNewDirectory = /\boxide-guard-\d+/;

/** A path may be made of others that have names; so often at most. */
const rounds = 6;

/**
 * The source of a program with paths written as one literal that it puts together from several:
 * `path.join('.git', 'hooks')`, `Path('.git') / 'hooks'`, also by names that it gives to them. Positions change.
 *
 * @param hasComments whether `#` begins a comment (Python)
 * @param of `literals`: not of those with a name behind them
 */
export function withPathsJoined(
  source: string,
  hasComments: boolean,
  places: Places,
  of: 'all' | 'literals' = 'all',
): string {
  if (!matters.test(source)) {
    return source;
  }
  const { own } = places;
  let written = withWorkingDirectory(
    withPlaces(source, places).replace(specialNames, (_, which: string) => (which === 'par' ? "'..'" : "'.'")),
    own,
  );
  for (let round = 0; round < rounds; round += 1) {
    const before = written;
    written = withConstants(
      written
        .replace(joins, (whole, parts: string) => joinedBy(whole, parts, hasComments, own) ?? whole)
        .replace(quotients, (whole, parts: string, others: string) => quotient(parts, others, own) ?? whole)
        .replace(single, (whole, resolved?: string, given?: string) =>
          resolved === undefined ? (given ?? '') : (resolvedIn(own, resolved) ?? whole),
        ),
      hasComments,
    );
    if (written === before) {
      break;
    }
  }
  if (of === 'literals') {
    return written;
  }
  const opened = (whole: string, parts: string, name: string) => {
    const directory = joined(parts, false).slice(1, -1);
    const restarts = hasComments || /resolve\s*\(/.test(whole);
    // What comes to a new directory may be a path of its own, and lead elsewhere.
    if (restarts && isNewDirectory.test(directory)) {
      return whole;
    }
    return hasComments ? `f'${directory}/{${name}}'` : `\`${directory}/\${${name}}\``;
  };
  return written.replace(openJoins, opened).replace(openQuotients, opened);
}

/** The program's own directory where it asks for that. */
function withWorkingDirectory(source: string, own: string | null): string {
  if (own === '.') {
    return source
      .replace(resolvedEach, '')
      .replace(workingPart, '.')
      .replace(workingPath, "Path('.')")
      .replace(workingName, (_, quote?: string) => (quote === undefined ? "'.'" : `${quote}.`));
  }
  const literal = resolvedIn(own, "'.'");
  const path = literal?.slice(1, -1) ?? '';
  return literal === null
    ? source
    : source
        .replace(workingText, path)
        .replace(workingPath, `Path(${literal})`)
        .replace(workingName, (_, quote?: string) => (quote === undefined ? literal : quote + path));
}

/** @param call `path.join(…)`, `path.resolve(…)` */
function joinedBy(call: string, parts: string, isPython: boolean, own: string | null): string | null {
  const resolves = /resolve\s*\(/.test(call);
  const path = joined(parts, isPython || resolves);
  return resolves ? resolvedIn(own, path) : path;
}

/** `Path('a') / 'b'`, `Path('a', 'b').resolve()` */
function quotient(parts: string, others: string, own: string | null): string | null {
  const path = joined(parts + others, true);
  const written = /\b(?:resolve|absolute)\(/.test(others) ? resolvedIn(own, path) : path;
  return written === null ? null : `Path(${written})`;
}

/** @param restarts whether an absolute part makes those before it go: not with `path.join` of Node.js */
function joined(literals: string, restarts: boolean): string {
  const parts = Array.from(literals.matchAll(new RegExp(literal, 'g')), ([text]) => text.slice(1, -1));
  const from = restarts
    ? Math.max(
        0,
        parts.findLastIndex((part) => part.startsWith('/')),
      )
    : 0;
  return `'${parts.slice(from).join('/')}'`;
}
