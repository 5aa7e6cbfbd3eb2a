import { posix } from 'node:path';
import type { Call, Shell } from '../call.ts';
import { newDirectory, usualPlace } from '../outputs/make-temporary.ts';
import { resolvePath } from '../path-resolution.ts';
import { knownWord } from '../simple-command.ts';
import { takesOut, withReturned } from './returned-directories.ts';
import type { SourceArgument } from './source/argument.ts';
import { argumentsAt, readArgument } from './source/arguments.ts';
import { withAskedDirectories } from './source/asked-directories.ts';
import { endOfBracket } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import { wholeText } from './source/command.ts';
import { withLiteralsJoined } from './source/constants.ts';
import type { Language } from './source/languages.ts';
import { otherParameters } from './source/other-parameters.ts';
import { withPathsJoined } from './source/paths.ts';
import type { Places } from './source/places.ts';
import { withReturnedVariables, withTemporaryVariables, withVariablesBelow } from './source/temporary-variables.ts';

/** Calls that make a new directory and give its name, up to and with the opening parenthesis. */
const makers = {
  /** https://docs.python.org/3/library/tempfile.html */
  python: /(?<![\w.])(?!self\b|cls\b)(?:\w+\s*\.\s*)?(?:mkdtemp|TemporaryDirectory)\s*\(/g,
  /** https://nodejs.org/api/fs.html#fsmkdtempsyncprefix-options */
  script: /(?<![\w$.])(?:await\s+)?(?:(?:[\w$]+|require\(\s*(?:node:)?[\w/"' ]*\))\s*\.\s*)*mkdtemp(?:Sync)?\s*\(/g,
};

/** What gives the new name to a variable, before the call: `const dir = await`, `root = Path(`. */
const givenBefore =
  /(?<=(?:^|[;\n{}:])[ \t]*)((?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::\s*[\w.]+\s*)?=\s*)((?:[\w.]+\(\s*)?)$/;
/** The same behind it: `with TemporaryDirectory() as d`. */
const enteredAs = /^\s*as\s+([A-Za-z_]\w*)/;
/** What follows the call where it is all of what is given. */
const endOfGiven = /^\s*\)?(?:\.(?:resolve|absolute)\(\))?[ \t]*(?:[;\n#]|\/\/|$)/;

/**
 * The source of a program with the directories that it makes for itself as literals: new ones, whose names nothing else
 * has. Positions change.
 */
export function withNewDirectories(
  language: Language,
  given: string,
  { home, temporary, file }: Places,
  call: Call,
  shell: Shell,
): string {
  const places = { home, temporary, file, own: whereItRuns(given, call) };
  const isPython = language.name === 'python';
  if (setsPlaces.test(given)) {
    return given;
  }
  const elsewhere = inOtherLanguages(language, given, places, call, shell);
  if (elsewhere !== given) {
    return elsewhere;
  }
  const isRead = isPython || /^(?:node|bun|deno|zx)$/.test(language.name);
  const source = isRead ? withAskedDirectories(language, given, places.temporary) : given;
  if (!isRead || !/mkdtemp|TemporaryDirectory/.test(source) || makesOwn.test(source)) {
    return given;
  }
  const placed = withPathsJoined(source, isPython, places);
  const directories = new NewDirectories(language, call, shell);
  const named = directories.named(placed);
  if (named === placed || takesOut(source, directories.variables, isPython)) {
    return given;
  }
  const joined = withPathsJoined(named, isPython, places);
  const returned = withReturned(joined, isPython);
  return returned === joined ? joined : withPathsJoined(returned, isPython, places);
}

/** Where the program runs; null where that is not known, or it may have gone elsewhere when it asks. */
export function whereItRuns(source: string, { state: { cwd } }: Call): string | null {
  return cwd.kind === 'known' && !/\bchdir\b|(?<![\w$.-])cd\s*\(/.test(source) ? cwd.path : null;
}

/** The same for programs of Ruby, Perl and PHP. */
function inOtherLanguages(language: Language, source: string, places: Places, call: Call, shell: Shell): string {
  const usual = usualPlace(call, shell);
  const written =
    usual === null ? source : withTemporaryVariables(language, source, () => newDirectory(usual, call, shell));
  if (written === source) {
    return source;
  }
  const joined = withVariablesBelow(language, withPathsJoined(written, false, places));
  const returned = withReturnedVariables(language, joined);
  return returned === joined ? joined : withVariablesBelow(language, withPathsJoined(returned, false, places));
}

/**
 * A program may choose where temporary directories are made, and which repository git works on wherever it stands:
 * `tempfile.tempdir = '.'`, `os.environ['GIT_DIR'] = …`, `env: { GIT_WORK_TREE: … }`, `putenv("TMPDIR=.")`.
 */
export const setsPlaces =
  /\btempfile\s*\.\s*tempdir\s*=(?!=)|(?:\benv\s*\.\s*|\benv(?:iron)?\s*\[\s*["'`]|\bENV\s*[[{]\s*["']?)(?:TMPDIR|TEMP|TMP)\b["'`]?\s*[\]}]?\s*=(?![=>~])|\b(?:putenv|setdefault|update)\s*\(\s*["']?(?:TMPDIR|TEMP|TMP)\b|(?<!\b(?:const|let|var)\s+)\bGIT_(?:DIR|WORK_TREE|COMMON_DIR)(?:["'`]?\s*[\]}]?\s*(?:=(?![=>~])|=>|:(?!:)|(?:\|\||\?\?)=)|(?<=\b(?:putenv|setdefault|store)\s*\(?\s*["']\w+)["']\s*,)(?!\s*(?:undefined|null|nil|None)\b)/;

/** A program may call something else of its own so. */
const makesOwn =
  /\b(?:def|class|function)\s+(?:mkdtemp\w*|TemporaryDirectory)\b|\b(?:mkdtemp\w*|TemporaryDirectory)\s*[=:](?!=)/;

/** Without the call that is the innermost: `str(Path('/x'))`. */
const asTexts = (source: string): string =>
  source.replace(
    /(?<![\w$.])(?:(?:pathlib\s*\.\s*)?Path|str|os\s*\.\s*fspath)\s*\(\s*('[^'"\n\\]*')\s*\)(?!\s*[./])/g,
    '$1',
  );

/** The source of a program with paths as texts where they are given to something: `cwd=Path('/x')`. */
export function withPathsAsTexts(source: string): string {
  const written = asTexts(source);
  return written === source ? source : withLiteralsJoined(asTexts(written));
}

/** Gives names to the directories that a program makes: one for all that are given to the same variable. */
class NewDirectories {
  readonly #language: Language;
  readonly #call: Call;
  readonly #shell: Shell;
  readonly #byVariable = new Map<string, string>();

  constructor(language: Language, call: Call, shell: Shell) {
    this.#language = language;
    this.#call = call;
    this.#shell = shell;
  }

  /** What is given one of them. */
  get variables(): Iterable<string> {
    return this.#byVariable.keys();
  }

  named(source: string): string {
    const { name: language, interpolation } = this.#language;
    const isPython = language === 'python';
    const code = codeOf(source, isPython);
    const parameters = otherParameters(code, isPython);
    let written = '';
    let from = 0;
    for (const { index, 0: beginning } of code.matchAll(isPython ? makers.python : makers.script)) {
      const start = index + beginning.length;
      const below =
        index < from ? null : this.#placeOf(argumentsAt(source, code, start, interpolation) ?? [], isPython);
      const end = endOfBracket(code, start) + 1;
      // The same name may stand for another directory.
      const isShared = parameters.has(variableOf(source.slice(from, index), source.slice(end)) ?? '');
      if (below !== null && !isShared) {
        written = this.#withName(written + source.slice(from, index), source.slice(end), below);
        from = end;
      }
    }
    return withLiteralsJoined(this.#asPaths(this.#withoutHolders(written + source.slice(from))));
  }

  /** `root = Path(root)`: the variable is given a path at once. */
  #asPaths(source: string): string {
    return [...this.#byVariable].reduce((written, [name, path]) => {
      const again = new RegExp(
        `(?<=\\n[ \\t]*)${name.replaceAll('$', '\\$')} *= *(?:pathlib\\.)?Path\\(${name.replaceAll('$', '\\$')}\\)(?:\\.(?:resolve|absolute)\\(\\))?(?=[ \\t]*(?:[;\\n#]|$))`,
        'g',
      );
      return again.test(written)
        ? written.replace(again, 'pass').replaceAll(`${name} = '${path}'`, () => `${name} = Path('${path}')`)
        : written;
    }, source);
  }

  /** Where the directory is made; null: that is not known. */
  #placeOf(args: readonly SourceArgument[], isPython: boolean): string | null {
    const given = isPython ? parentOf(args) : args[0];
    const text = wholeText(given);
    if (given === undefined) {
      return isPython ? usualPlace(this.#call, this.#shell) : null;
    }
    // Node.js is given the beginning of the path.
    return text === null
      ? null
      : resolvePath(knownWord(isPython ? text : posix.dirname(`${text}x`)), this.#call.state.cwd);
  }

  /** What stands before the call, with the name of its directory in the place of the call. */
  #withName(before: string, behind: string, below: string): string {
    const [whole = '', , assigned, wrapped = ''] = assignment(before, behind) ?? [];
    const variable = variableOf(before, behind);
    const known = variable === undefined ? undefined : this.#byVariable.get(variable);
    const path = known ?? newDirectory(below, this.#call, this.#shell);
    if (variable !== undefined) {
      this.#byVariable.set(variable, path);
    }
    if (assigned !== undefined && known !== undefined) {
      // A variable is followed that is given its value once.
      return `${before.slice(0, before.length - whole.length)}${wrapped}'${path}'`;
    }
    const isEntered = assigned === undefined && variable !== undefined && known === undefined;
    return `${isEntered ? withLineBefore(before, `${variable} = '${path}'`) : before}'${path}'`;
  }

  /** `t = TemporaryDirectory()`: its name is `t.name`. */
  #withoutHolders(source: string): string {
    const names = [...this.#byVariable.keys()].map((name) => name.replaceAll('$', '\\$'));
    return names.length === 0
      ? source
      : source.replace(new RegExp(`(?<![\\w$.])(${names.join('|')})\\.name\\b`, 'g'), '$1');
  }
}

const assignment = (before: string, behind: string) => (endOfGiven.test(behind) ? givenBefore.exec(before) : null);

/** What is given a new directory, by what stands before the call and behind it. */
function variableOf(before: string, behind: string): string | undefined {
  return assignment(before, behind)?.[2] ?? enteredAs.exec(behind)?.[1];
}

/** `mkdtemp(suffix, prefix, dir)`: where it is to be made, if that is said. */
function parentOf(args: readonly SourceArgument[]): SourceArgument | undefined {
  const isKeyword = (one: SourceArgument) => one.kind === 'other' && /^\w+\s*=(?!=)/.test(one.written);
  const named = args.flatMap((one) =>
    one.kind === 'other' ? (/^dir\s*=(?!=)([\s\S]*)$/.exec(one.written)?.[1] ?? []) : [],
  );
  const [, , third] = args.filter((one) => !isKeyword(one));
  const [given] = named.map((written) => readArgument(written, /(?!)/));
  const chosen = given ?? third;
  return chosen?.kind === 'name' && chosen.name === 'None' ? undefined : chosen;
}

/** @param text ends in a line that the statement stands before */
function withLineBefore(text: string, statement: string): string {
  const line = text.lastIndexOf('\n') + 1;
  const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
  return `${text.slice(0, line)}${indent}${statement}\n${text.slice(line)}`;
}
