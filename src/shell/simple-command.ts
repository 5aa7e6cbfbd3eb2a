/**
 * A word of a command after expansion: its value, or why it can't be known before the command runs.
 * An unknown word keeps what is known of it, because often that decides (`origin/$BRANCH` is no option).
 */
export type Word =
  | { readonly kind: 'known'; readonly value: string }
  | {
      readonly kind: 'unknown';
      /** The word as it was written. */
      readonly source: string;
      /** For people: `$BRANCH has no known value`. */
      readonly reason: string;
      /** What its value surely starts with; empty when nothing is known. */
      readonly prefix: string;
      /** What its value surely ends with; empty when nothing is known. */
      readonly suffix: string;
      /** Unquoted expansions may become no word or several. */
      readonly mayExpandToSeveral: boolean;
      /** The values of which it has one, where the line takes one of several ways. */
      readonly oneOf?: readonly string[];
      /** Values that it may have beside others: the default of a variable that nothing here sets. */
      readonly mayBe?: readonly string[];
      /** Options of which it may be one: those that the program holds which puts the word there. */
      readonly options?: readonly string[];
      /**
       * `${HUSKY:-1}`: the variable whose own value stands between beginning and end, where it is none of those. Without
       * a default (`$HUSKY`) nothing stands there where the variable is not set.
       */
      readonly ownValueOf?: string;
      /** Could this be its value, or one of them? Absent where beginning and end are all that is known. */
      readonly fits?: (value: string) => boolean;
      /** Of a listing (`find`, `grep -rl`), whose beginning and end are those of each name: the value where it has none. */
      readonly whenNothing?: string;
      /**
       * What git printed there: each of its words, or the first or last of each of its lines, names a commit, a branch
       * or a tag; `commits`: a commit and nothing that could be a branch. `a remote`: what `git remote show` says, the
       * default branch among it. `default branch`: that of a remote, alone or as the last word of its line. `conflicts` and `deletions`: each line names a file, from the work tree's root, that is
       * in conflict or gone from the work tree. `status`: what `git status --short` says, one file a line, or what grep
       * has chosen of it. `work trees`: what `git worktree list` says, or what a program made of
       * it.
       */
      readonly names?: NamesKind;
      /** Every line with this text in it is one of those with which it surely begins: `On branch`, as git-status(1) says. */
      readonly onlyFirst?: string;
      /** The whole text, with {@link openPart} in the place of each part that is not known. */
      readonly shape?: string;
      /** What a shell may read in its place, where it reads it again as code; absent where it could be any code. */
      readonly code?: string;
      /**
       * What stands between beginning and end is a word that nothing else has, a number or a date: `$$`, `$RANDOM`. The
       * same wherever this is the same.
       */
      readonly unique?: string | symbol;
      /** The command whose output it is, between beginning and end: its judge may know it. */
      readonly printedBy?: SimpleCommand;
      /** What it is the exit status of: between beginning and end stands 0 where that has succeeded, and only there. */
      readonly statusOf?: Fork;
      /** Each of its words is one of these, of which nobody knows whether it is there, nor where. */
      readonly among?: readonly string[];
      /** It is a number that is zero exactly where that command prints nothing: the length of its output, or of a list of it. */
      readonly countOf?: SimpleCommand;
      /** Of two values in {@link oneOf}, which one it has where the fork holds, and where it does not. */
      readonly chosenBy?: ChosenValue;
    };

/** `dirty=0; git diff --quiet || dirty=1` */
export interface ChosenValue {
  readonly fork: Fork;
  readonly holding: string;
  readonly otherwise: string;
}

/** Is it surely not empty, or surely empty? Null: not known. */
export function hasText(word: Word): boolean | null {
  if (word.kind === 'known') {
    return word.value !== '';
  }
  return (word.prefix + word.suffix !== '' && word.whenNothing !== '') || null;
}

/** Stands for what is not known in the shape of a word: a character that no text has (Unicode's noncharacters). */
export const openPart = '\ufdd0';

/** A variable that nobody has written: it stands for what is not known in a script. */
export const openVariable = 'a_value';

export type NamesKind =
  | 'revisions'
  | 'revisions first'
  | 'revisions last'
  | 'default branch'
  | 'default branch last'
  | 'commits'
  | 'commits first'
  | 'tags'
  | 'a remote'
  | 'conflicts'
  | 'deletions'
  | 'changes'
  | 'status'
  | 'conflicts in status'
  | 'deletions in status'
  | 'work trees'
  | MergedInto;

/**
 * Branches that a revision reaches, as `git branch --merged REVISION` lists them; `revisions`: without the marks; `words`:
 * a program has taken words out of the lines, or blanks and marks away.
 */
export type MergedInto = `${'' | 'revisions ' | 'words '}merged into ${string}`;

const mergedInto = /^(?:(?:revisions|words) )?merged into /;

export const isMergedInto = (names: NamesKind): names is MergedInto => mergedInto.test(names);

/** What is known of the words of such an output where its lines are not as git has printed them. */
export function wordsOf(names: NamesKind): NamesKind {
  return names.startsWith('merged into ') ? (`words ${names}` as MergedInto) : names;
}

/** The revision that reaches all of what such an output names; null: nothing is known of that. */
export function reachedFrom(names: NamesKind | undefined): string | null {
  return names !== undefined && isMergedInto(names) ? names.replace(mergedInto, '') : null;
}

/** What each word, and each line, of such an output names. */
const wholeLines: ReadonlySet<NamesKind> = new Set([
  'revisions',
  'default branch',
  'commits',
  'tags',
  'conflicts',
  'deletions',
  'changes',
  'work trees',
]);

/** What one word of an output names, where every word names something. */
export function nameOfEachWord(names: NamesKind | undefined): NamesKind | undefined {
  return names !== undefined && (wholeLines.has(names) || isMergedInto(names)) ? names : undefined;
}

/** What the first or the last word of each line of such an output names. */
export function nameOfOneWord(names: NamesKind): NamesKind {
  return names === 'commits first' ? 'commits' : names === 'default branch last' ? 'default branch' : 'revisions';
}

/** Does it surely name a commit, and no branch? A value that something was put before or behind does not. */
export function namesCommit(word: Word | null): boolean {
  return (
    word?.kind === 'unknown' &&
    word.prefix === '' &&
    (word.names === 'commits' || (word.names === 'tags' && word.suffix === ''))
  );
}

/**
 * `"$(git describe --tags)"`: what can't be known, but is printed by a git command that prints commits and refs alone.
 * The name of a variable says nothing: `"$BASE"` may hold a path.
 */
export function namesRevision(word: Word): boolean {
  return (
    word.kind === 'unknown' && /^(?:revisions(?: merged into .*)?|default branch|commits|tags)$/.test(word.names ?? '')
  );
}

export type UnknownWord = Extract<Word, { kind: 'unknown' }>;

/** What is known of an unknown value beside its beginning and its end. */
export type Provenance = Pick<
  UnknownWord,
  | 'oneOf'
  | 'mayBe'
  | 'options'
  | 'ownValueOf'
  | 'fits'
  | 'whenNothing'
  | 'names'
  | 'onlyFirst'
  | 'unique'
  | 'printedBy'
  | 'statusOf'
  | 'among'
  | 'countOf'
  | 'chosenBy'
>;

/** What of a value still holds where another word takes it over as it is. */
export function provenanceOf({
  oneOf,
  mayBe,
  options,
  ownValueOf,
  fits,
  whenNothing,
  names,
  onlyFirst,
  unique,
  printedBy,
  statusOf,
  among,
  countOf,
  chosenBy,
}: Provenance): Provenance {
  return {
    ...(oneOf === undefined ? {} : { oneOf }),
    ...(mayBe === undefined ? {} : { mayBe }),
    ...(options === undefined ? {} : { options }),
    ...(ownValueOf === undefined ? {} : { ownValueOf }),
    ...(fits === undefined ? {} : { fits }),
    ...(whenNothing === undefined ? {} : { whenNothing }),
    ...(names === undefined ? {} : { names }),
    ...(onlyFirst === undefined ? {} : { onlyFirst }),
    ...(unique === undefined ? {} : { unique }),
    ...(printedBy === undefined ? {} : { printedBy }),
    ...(statusOf === undefined ? {} : { statusOf }),
    ...(among === undefined ? {} : { among }),
    ...(countOf === undefined ? {} : { countOf }),
    ...(chosenBy === undefined ? {} : { chosenBy }),
  };
}

/** A directory of this machine that a container has at another path: both absolute, without a slash at the end. */
export interface Mount {
  readonly source: string;
  readonly target: string;
}

/** A directory, known or not, with the reason. */
export type Directory =
  | {
      readonly kind: 'known';
      readonly path: string;
      /** As a container may see it, where absolute paths mean something else. */
      readonly isMounted?: true;
      /** As a container sees it: where its absolute paths lie here. */
      readonly mounts?: readonly Mount[];
    }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** On another machine: no path there is one of here. */
      readonly isElsewhere?: true;
      /** The paths of those of which it is one, where they are known. */
      readonly among?: readonly string[];
      /** The one that it may well be. */
      readonly presumed?: Presumption;
      /** Of those that are there now, the ones that it may be. */
      readonly candidates?: Candidates;
    };

/** A directory that another one may well be which is not known, and the fork that decides whether it is. */
export interface Presumption {
  readonly path: string;
  readonly fork: Fork;
}

/** Directories of which another one may be any that is not known, and the fork that decides whether it is one of them. */
export interface Candidates {
  readonly paths: readonly string[];
  readonly fork: Fork;
}

/** Absolute paths lead to nothing here: what a container or another machine calls so can't be told from where it stands. */
export function isForeign(directory: Directory): boolean {
  return directory.kind === 'known' ? directory.isMounted === true : directory.isElsewhere === true;
}

/** Where an absolute path lies here, for a command that runs in a directory: the innermost mount has it. */
export function hostPath(path: string, cwd: Directory): string {
  const mounts = (cwd.kind === 'known' ? (cwd.mounts ?? []) : []).filter(({ target }) =>
    `${path}/`.startsWith(`${target}/`),
  );
  const mount = mounts.reduce<Mount | null>(
    (inner, one) => (inner !== null && inner.target.length > one.target.length ? inner : one),
    null,
  );
  return mount === null ? path : mount.source + path.slice(mount.target.length);
}

/** What a command reads on its standard input, where that is known. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** What it surely begins with; absent where nothing is known of that. */
      readonly begins?: string;
      /** What it surely ends with; absent where nothing is known of that. */
      readonly ends?: string;
      /** The command that prints what stands between, where it is one alone. */
      readonly printedBy?: SimpleCommand;
    };

/** One program call that a command line would make, wrappers (`sudo`, `xargs`, `sh -c`) already looked through. */
export interface SimpleCommand {
  readonly kind: 'command';
  readonly argv: readonly Word[];
  readonly cwd: Directory;
  /** Environment in which it runs, as far as the command line changes it: null means unset. */
  readonly env: ReadonlyMap<string, Word | null>;
  readonly input: Input | null;
  /** What files hold that it has written, by their absolute paths; absent where that is known of none. */
  readonly wrote?: ReadonlyMap<string, string>;
  /** Nothing else happens meanwhile, and it may not come a second time: no loop, nothing in the background. */
  readonly isSettled?: boolean;
  readonly origin: Origin;
}

/** Where a line may go on in two ways: a command succeeds or fails, a test holds or doesn't. Known by its identity. */
export interface Fork {
  /** What the test asks of a command's output, where that alone decides. */
  readonly output: TestedOutput | null;
  /**
   * It holds if nothing unforeseen happens: `mkdir -p`, `git switch -c` of a name that is free. What comes behind a list
   * comes then as if it did; what stands there for the case that it does not (`||`, `else`) comes all the same.
   */
  isExpected: boolean;
  /** Whether what nobody knows is what it may well be: nothing says that it is. */
  readonly isGuess: boolean;
  /** What it comes down to, where the command runs others that were read apart; null: to nothing else. */
  ends: Ends | 'several' | null;
}

/** How commands end that were read apart: on which paths they succeed and fail; undefined: they never do. */
export interface Ends {
  /** The path on which they begin. */
  readonly from: Path;
  readonly success: Path | undefined;
  readonly failure: Path | undefined;
}

/** `[ -z "$(git status --porcelain)" ]` */
export interface TestedOutput {
  readonly of: SimpleCommand;
  /** Whether the test holds where the output is empty; it doesn't where there is some, or the other way round. */
  readonly whenEmpty: boolean;
}

/** The conditions under which a moment of the line comes, the last one first; null: it surely comes. */
export type Path = Condition | null;

export type Condition = Taken | Either;

interface Place {
  readonly parent: Path;
  readonly depth: number;
  /** What is on the path comes only where a guess is right. */
  readonly onGuess: boolean;
}

/** Of two ways that a fork leaves, one was taken. */
export interface Taken extends Place {
  readonly kind: 'taken';
  readonly fork: Fork;
  readonly holds: boolean;
}

/** The moment comes on either of two paths that begin at the same parent. */
export interface Either extends Place {
  readonly kind: 'either';
  readonly ways: readonly [Condition, Condition];
}

/** Where a command was found, for `explain`. */
export interface Origin {
  /** The text it was read from. */
  readonly source: string;
  /** What was looked through to find it, outermost first: `sudo`, `bash -c`, `xargs`. */
  readonly through: readonly string[];
  /** The conditions under which it runs; null: whatever else happens (not `a || b`, a branch of an `if`, `a &`). */
  readonly path: Path;
  /** Whether it succeeds; a condition of what stands behind it in `a && b`. */
  readonly success: Fork;
  /** The pipelines that it is in, the outermost first. */
  readonly pipes: readonly PipeLink[];
}

/** A place in one run of `a | b | c`. */
export interface PipeLink {
  readonly pipeline: symbol;
  readonly place: number;
  /** Nothing in it reads what comes out here. */
  readonly isLast: boolean;
}

/** Do both run at the same time, as the commands of a pipeline do? */
export function runsBeside({ pipes: ones }: Origin, { pipes: others }: Origin): boolean {
  return (
    others.length > 0 &&
    ones.some((one) => others.some(({ pipeline, place }) => one.pipeline === pipeline && one.place !== place))
  );
}

/** A file that the command line itself writes (a redirection, `tee`, `cp`, `mv`, `rm`, `chmod`… are programs and appear as commands). */
export interface FileWrite {
  readonly kind: 'write';
  readonly path: Word;
  readonly cwd: Directory;
  readonly append: boolean;
  /** `set -C`: the shell fails where the file is there. */
  readonly refusesExisting: boolean;
  /** What is written, where that is known. */
  readonly content: string | null;
  /** The command whose output it is, and nothing else. */
  readonly printedBy?: SimpleCommand;
  /** The text of the inline program that writes it. */
  readonly program?: string;
  readonly origin: Origin;
}

/** A part that can't be read but could run any program: `eval "$X"`, `bash -c "$X"`, `curl … | sh`. */
export interface Unreadable {
  readonly kind: 'unreadable';
  /**
   * What can't be read: the `program` that runs (`argv` has its words, the first of them unknown), a whole `script`
   * (`argv` has the command that reads it: `bash -c "$X"`, `eval "$X"`), or the `syntax` (`argv` is empty).
   */
  readonly part: 'program' | 'script' | 'syntax';
  readonly argv: readonly Word[];
  readonly cwd: Directory;
  /** Environment in which it runs, as far as the command line changes it: null means unset. */
  readonly env: ReadonlyMap<string, Word | null>;
  /** The part, as written. */
  readonly source: string;
  readonly reason: string;
  /** The command that prints the script; absent where it is not one command's whole output. */
  readonly printed?: Printed;
  readonly origin: Origin;
}

/** A script that is what a command prints. */
export interface Printed {
  readonly by: SimpleCommand;
  /** The file that it is read from, absolute; null: a word of the command, or its standard input. */
  readonly file: string | null;
}

/** What a command line would do, in the order in which it would do it. */
export type Step = SimpleCommand | FileWrite | Unreadable;

/** How a command stands in the line whose output is asked for. */
export interface Standing {
  /** Nothing else happens meanwhile: it is not in the background, nor behind a loop that may have waited. */
  readonly isSettled: boolean;
  /** The line may go on by what it prints: it stands in a condition. */
  readonly decides: boolean;
  /** The text that it stands in: what it prints may be put to another use there. */
  readonly around: string;
}

/**
 * What a program would print, where somebody knows it or something of it; null where nobody does.
 *
 * @param before what the command line does before that
 */
export type OutputOf = (command: SimpleCommand, before: readonly Step[], standing: Standing) => Word | null;

/**
 * Whether a program succeeds, where the caller knows; null: it is not known.
 *
 * @param before what the command line does before that
 */
export type SuccessOf = (command: SimpleCommand, before: readonly Step[]) => boolean | null;

/** The directory that a program surely makes, as far as the caller knows: absolute; null: none that is known. */
export type MadeBy = (command: SimpleCommand, before: readonly Step[]) => string | null;

export function knownWord(value: string): Word {
  return { kind: 'known', value };
}

/** A word as far as it is known from its beginning: its value, or what surely comes first. */
export function beginningOf(word: Word | undefined): string {
  return word?.kind === 'known' ? word.value : (word?.prefix ?? '');
}

const windowsEnding = '.exe';

/**
 * The name of the program that a word starts: the last part of its path, without `.exe`. An unknown path whose end is
 * known (`"$HOME/bin/tool"`) has a known name. Null when it can't be told.
 */
export function programName(word: Word | undefined): string | null {
  if (word === undefined) {
    return null;
  }
  const text = word.kind === 'known' ? word.value : word.suffix;
  const slash = text.lastIndexOf('/');
  if (word.kind === 'unknown' && slash === -1) {
    return null;
  }
  const isWindows = text.slice(-windowsEnding.length).toLowerCase() === windowsEnding;
  const name = text.slice(slash + 1, isWindows ? -windowsEnding.length : undefined);
  return name === '' ? null : name;
}
