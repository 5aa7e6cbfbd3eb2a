import { defaultOptions } from '../../builtins/shell-options.ts';
import type { Call, Shell } from '../../call.ts';
import { expandPathname } from '../../words/pathname-expansion.ts';
import type { Language } from './languages.ts';
import { withPathsJoined } from './paths.ts';
import type { Places } from './places.ts';

const literal = String.raw`r?(?:"[^"\n\\]*"|'[^'\n\\]*')`;

/** Calls that list what a literal pattern matches. */
interface Lister {
  /** Has a group `pattern` (or `only`), and may have one for the `directory` that it begins in. */
  readonly calls: RegExp;
  /** Does a star match what begins with a dot? */
  readonly showsHidden: boolean;
  /** It goes through all directories below. */
  readonly walks?: true;
}

const scriptGlob: Lister = {
  calls: new RegExp(
    String.raw`(?<![\w$.])(?:await\s+)?(?:(?:[\w$]+|require\(\s*["'][\w:-]*["']\s*\))\s*\.\s*)?(?:globSync|(?<=\bglob\s*\.\s*)sync)\s*\(\s*(?<pattern>${literal})\s*\)`,
    'g',
  ),
  showsHidden: false,
};

const listers: Readonly<Record<string, readonly Lister[]>> = {
  python: [
    {
      /** https://docs.python.org/3/library/glob.html */
      calls: new RegExp(String.raw`(?<![\w.])(?:glob\s*\.\s*)?i?glob\s*\(\s*(?<pattern>${literal})\s*\)`, 'g'),
      showsHidden: false,
    },
    {
      /** https://docs.python.org/3/library/pathlib.html#pathlib.Path.glob */
      calls: new RegExp(
        String.raw`(?<![\w.])(?:pathlib\s*\.\s*)?Path\s*\(\s*(?<directory>${literal})?\s*\)\s*\.\s*glob\s*\(\s*(?<pattern>${literal})\s*\)`,
        'g',
      ),
      showsHidden: true,
    },
    {
      /** https://docs.python.org/3/library/pathlib.html#pathlib.Path.rglob */
      calls: new RegExp(
        String.raw`(?<![\w.])(?:pathlib\s*\.\s*)?Path\s*(?:\(\s*(?<directory>${literal})?\s*\)|\.\s*cwd\s*\(\s*\))\s*\.\s*rglob\s*\(\s*(?<pattern>${literal})\s*\)`,
        'g',
      ),
      showsHidden: true,
      walks: true,
    },
  ],
  perl: [
    {
      calls: new RegExp(
        String.raw`(?<=\b(?:rmtree|remove_tree)\s*\(?\s*)glob\s*(?:\(\s*(?<pattern>${literal})\s*\)|(?<only>${literal}))`,
        'g',
      ),
      showsHidden: false,
    },
  ],
  ruby: [
    {
      /** https://docs.ruby-lang.org/en/master/Dir.html#method-c-glob */
      calls: new RegExp(
        String.raw`(?<![\w.:])Dir\s*(?:\.\s*glob\s*\(\s*(?<pattern>${literal})\s*\)|\[\s*(?<only>${literal})\s*\])`,
        'g',
      ),
      showsHidden: false,
    },
  ],
  node: [scriptGlob],
  bun: [scriptGlob],
};

/** A list of such a list is the same, but for its order. */
const copies =
  /(?<![\w.])(?:list|sorted|reversed|set|tuple)\s*\(\s*(\[(?:(?:Path\()?'(?:[^'\n\\]|\\.)*'\)?(?:, )?)+\])\s*\)/g;
/** Ruby's loop through a list, up to where it gives the variable to a method: nothing else follows its variables. */
const blocks =
  /(\[(?:'(?:[^'\n\\]|\\.)*'(?:, )?)+\])(\s*\.\s*each\s*(?:\{|do)\s*\|\s*(\w+)\s*\|[^|\n]{0,200}?[\s(])\3(?=[\s),])/g;
/** What else is listed is of no interest. */
const removal = /rmtree|\brm(?:Sync|_rf?)?\b|rmdir|remove|unlink|rename|\bmove\b/;
/** The variable of a loop through a whole tree, which comes to git's own files. */
const loops = /\bfor\s+([A-Za-z_]\w*)\s+in\s+[^\n:]*(?:\brglob\s*\(|["']\*\*\/)/g;
/** Where it finds what is no object, from the directory in which it begins. */
const gitsOwn = ['.git/', '.git/hooks/', '.git/logs/', '.git/refs/*/'];
/** Another directory that the patterns may be meant for. */
const directoryChange = /\bchdir\b|\broot_dir\b/;
/** What each match is called in turn. */
const loopVariables = /\bfor\s+(?:\(\s*(?:const|let|var)\s+)?([\w$]+)\s+(?:in|of)\b|\|\s*(\w+)\s*\|/g;
const conditions = /\b(?:if|elif|unless)\b(?:(?!\belse\b)[^\n:]){0,200}/g;
/** That a match is there, or is a directory, says little of which it is. */
const kindTests =
  /\b(?:is_?dir|is_?file|exists|islink|directory\?|exist\?)\s*\(\s*\w+\s*\)|(?<![\w.])\w+\s*\.\s*(?:is_\w+|exists)\b/g;

/**
 * The source of a program that removes something, with what literal patterns match as lists:
 * `for path in glob.glob('../w*'): shutil.rmtree(path)`. Positions change.
 */
export function withMatchesListed(
  language: Language,
  source: string,
  places: Places,
  call: Call,
  shell: Shell,
): string {
  const own = listers[language.name];
  const { cwd } = call.state;
  const isRead = /glob|\bDir\b/.test(source) && (removal.test(source) || changesWalked(source));
  const mayBeElsewhere = cwd.kind !== 'known' || directoryChange.test(source);
  if (own === undefined || !isRead || mayBeElsewhere || isChosen(source)) {
    return source;
  }
  const joined = withPathsJoined(source, language.name === 'python', places);
  const listed = own.reduce((text, lister) => withLists(text, lister, cwd.path, shell), joined);
  return listed === joined ? source : listed.replace(copies, '$1').replace(blocks, '$1$2$1');
}

/** Is what a loop through a whole tree comes to written anew, made unusable or removed? */
function changesWalked(source: string): boolean {
  return Array.from(source.matchAll(loops), ([, variable = '']) => variable).some((variable) =>
    new RegExp(
      `\\b${variable}\\s*\\.\\s*(?:write_(?:text|bytes)|chmod|unlink|rmdir|rename|replace|open\\s*\\(\\s*["'][wa])|\\b(?:rmtree|remove|unlink|chmod|move|rename|open(?=\\([^()\\n]*["'][wa]))\\s*\\(\\s*(?:str\\s*\\(\\s*)?${variable}\\b`,
    ).test(source),
  );
}

/** Does the program look at the matches' names? Which of them it means is not known then. */
function isChosen(source: string): boolean {
  const names = new Set(Array.from(source.matchAll(loopVariables), ([, name, inBlock]) => name ?? inBlock));
  return Array.from(source.matchAll(conditions), ([condition]) => condition.replace(kindTests, '')).some((condition) =>
    Array.from(condition.matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)).some(([name]) => names.has(name)),
  );
}

/** A pattern that matches nothing stays. Of what goes through all directories below, only git's own files count. */
function withLists(source: string, lister: Lister, cwd: string, shell: Shell): string {
  const { calls, showsHidden, walks } = lister;
  return source.replace(calls, (whole: string, ...rest) => {
    const groups: { readonly pattern?: string; readonly only?: string; readonly directory?: string } = rest.at(-1);
    const directory = unquoted(groups.directory ?? "'.'");
    const from = directory === '.' ? '' : `${directory}/`;
    const pattern = unquoted(groups.pattern ?? groups.only ?? '');
    const below = walks === true ? pattern : /^\*\*\/([^/]+)$/.exec(showsHidden ? pattern : '')?.[1];
    if (below !== undefined && !changesWalked(source)) {
      return whole;
    }
    const patterns = below === undefined ? [from + pattern] : gitsOwn.map((place) => from + place + below);
    const isOpen = patterns.some((one) => one.includes('**'));
    const options = { ...defaultOptions, dotglob: showsHidden };
    const paths = isOpen
      ? []
      : patterns.flatMap((text) => expandPathname([{ kind: 'split', text }], cwd, shell.overlay, options) ?? []);
    const found = paths.filter((path) => below === undefined || !path.includes('*'));
    const written = below === undefined ? quoted : (path: string) => `Path(${quoted(path)})`;
    return found.length === 0 ? whole : `[${found.map(written).join(', ')}]`;
  });
}

const unquoted = (text: string): string => text.replace(/^r?["']|["']$/g, '');
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
