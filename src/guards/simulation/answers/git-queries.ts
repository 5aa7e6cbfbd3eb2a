import { relative } from 'node:path';
import { blobAtOnce } from '../../../git/contents/blobs.ts';
import { realPath } from '../../../git/files.ts';
import { branchCheckedOut } from '../../../git/refs/head.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Head } from '../../../git/repository.ts';
import { listedWords } from '../../../listed-words.ts';
import { readingPrograms } from '../../../shell/programs/reading-programs.ts';
import {
  namesRevision,
  type OutputOf,
  programName,
  type Standing,
  type Step,
  type Word,
} from '../../../shell/simple-command.ts';
import { unknownWord } from '../../../shell/words/parameter.ts';
import { gitDirectoriesOf } from '../../files/git-directories.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { answerPathQuery } from '../../files/path-queries.ts';
import { plainCall, shownCall } from '../../git-command/plain-call.ts';
import { known, shown, textsOf, type UnknownWord } from '../../git-command/words.ts';
import { chosenRefsAnswer } from './chosen-refs.ts';
import { defaultBranchAnswer } from './default-branch.ts';
import { listedBy, plainPathsAnswer } from './listed-paths.ts';
import { ListedWorktrees } from './listed-worktrees.ts';
import { namedByGh, namedByOutput } from './printed-revisions.ts';
import { listedAmong, listedRefs } from './ref-listing.ts';
import { commitsAnswer, keptAnswer, listAnswer, nameAnswer } from './settled-answers.ts';
import {
  type AskingLine,
  type AskSettled,
  type GitQuestion,
  keepsFiles,
  keepsRevisions,
  type SettledQuestion,
} from './settled-questions.ts';
import { statusBeginning } from './status-beginning.ts';

/** Questions whose answer is the name of the branch that is checked out, and what git answers where none is. */
const branchQueries: ReadonlyMap<string, string> = new Map([
  ['symbolic-ref HEAD', ''],
  ['symbolic-ref -q HEAD', ''],
  ['symbolic-ref --quiet HEAD', ''],
  ['rev-parse --symbolic-full-name HEAD', 'HEAD'],
  ['branch --show-current', ''],
  ['rev-parse --abbrev-ref HEAD', 'HEAD'],
  ['rev-parse --abbrev-ref @', 'HEAD'],
  ['symbolic-ref --short HEAD', ''],
  ['symbolic-ref --short -q HEAD', ''],
  ['symbolic-ref -q --short HEAD', ''],
  ['symbolic-ref --quiet --short HEAD', ''],
]);

/** Subcommands after which the same branch is checked out under the same name, whatever their words. */
const alwaysStaying = `add apply archive blame cat-file check-attr check-ignore cherry clean commit config describe diff
  diff-index fetch for-each-ref format-patch gc grep log ls-files ls-remote ls-tree merge merge-base mv name-rev notes
  pull push range-diff reflog remote reset restore rev-list rev-parse revert rm shortlog show show-ref status submodule
  tag update-index version`;

/** Others, by the words with which it is so. */
const stayingWith: ReadonlyMap<string, RegExp> = new Map([
  ['stash', /^(?!branch\b)/],
  ['branch', /^(?!.*(?:^| )(?:-[a-zA-Z]*[mM]|--move))/],
  ['symbolic-ref', /^(?:(?:-q|--quiet|--short) )*\S+$/],
  ['rebase', /^(?:-\S* )*(?:[^-\s]\S*)?$/],
]);

let staying: ReadonlySet<string> | undefined;

/** Is the same branch checked out afterwards, under the same name? */
function stays(subcommand: string, rest: readonly string[]): boolean {
  // Made when first needed: nearly no line asks for a branch behind another command.
  staying ??= new Set(listedWords(alwaysStaying));
  return staying.has(subcommand) || stayingWith.get(subcommand)?.test(rest.join(' ')) === true;
}

/**
 * What git would print for the few questions that people put into a push: which branch, which directory. Read from the
 * files themselves, without a process. Of other questions it may be known that the answer names commits, branches, tags.
 */
export function answersIn(line: AskingLine): OutputOf {
  const blobs = new Blobs(line.ask);
  const worktrees = new ListedWorktrees();
  return (asked, before, standing) => {
    const program = programName(asked.argv[0]);
    const isOwn = [...asked.env.keys()].some((name) => /^GIT_(?:DIR|CONFIG)/.test(name));
    const command = program === 'git' && !isOwn ? plainCall(asked) : asked;
    if (program !== 'git' && program !== 'gh') {
      return worktrees.outOf(asked);
    }
    if (isOwn || command === null) {
      return null;
    }
    const { cwd } = command;
    const rest = command.argv.slice(1);
    const words = textsOf(rest);
    if (words === null) {
      return program === 'git' ? namedByOpen(rest, { ...line, command, before }) : null;
    }
    if (program === 'gh') {
      return namedByGh(words, 'what gh prints is not known');
    }
    const asking = { ...line, ...standing, command, question: words, before };
    const read = cwd.kind === 'known' ? answerAt(cwd.path, { ...asking, blobs }) : null;
    const answer = read ?? withAmong(answerOrName(asking), asking);
    if (words[0] === 'worktree' && answer?.kind === 'known') {
      worktrees.record(answer.value);
    }
    return answer;
  };
}

/** `git tag --sort=-creatordate`: of a list of refs which one stands where is not known. */
function withAmong(answer: Word | null, asking: GitQuestion): Word | null {
  const { cwd } = asking.command;
  const place = cwd.kind === 'known' && refAnswer(asking.question[0]) === listedRefs ? realPath(cwd.path) : null;
  const top = answer?.kind === 'unknown' && place !== null ? workTreeAbove(place) : null;
  const directories = top === null ? null : gitDirectoriesOf(top);
  const among = directories === null ? null : listedAmong(asking, directories);
  return answer?.kind === 'unknown' && among !== null ? { ...answer, among } : answer;
}

/** Where a commit's name comes from still counts: `H=$(git rev-parse HEAD); git checkout main; git checkout "$H"`. */
function answerOrName(asking: GitQuestion): Word | null {
  const commits =
    commitsAnswer(asking) ??
    listAnswer(asking) ??
    keptAnswer(asking) ??
    chosenRefsAnswer(asking) ??
    plainPathsAnswer(asking);
  if (commits !== null) {
    return known(commits);
  }
  const [name, named] = [nameAnswer(asking), namedBy(asking)];
  return name === null
    ? named
    : name === ''
      ? known('')
      : { ...(named ?? unknownWord(`git ${asking.question.join(' ')}`, reasonFor(asking))), code: name, shape: name };
}

const reasonFor = ({ question }: GitQuestion) => `what git ${question[0] ?? ''} prints is not known`;

function namedBy(asking: GitQuestion): UnknownWord | null {
  return namedByOutput(asking.question, reasonFor(asking), listedBy(asking));
}

/** The same of words that are not all known. */
function namedByOpen(words: readonly Word[], asked: Omit<GitQuestion, 'question' | keyof Standing>): Word | null {
  const question = words.flatMap((word) => asRevision(word) ?? []);
  return question.length === words.length
    ? namedBy({ ...asked, question, isSettled: false, decides: false, around: '' })
    : null;
}

/** `"$BASE..HEAD"`, `$(git merge-base main HEAD)`: an operand, whatever its value, is read as a revision. */
function asRevision(word: Word): string | null {
  if (word.kind === 'known') {
    return word.value;
  }
  return namesRevision(word) || word.suffix.startsWith('..') ? `HEAD${word.suffix}` : null;
}

interface Asking extends GitQuestion {
  readonly blobs: Blobs;
}

function answerAt(cwd: string, asking: Asking): Word | null {
  const { question: words, environment, before, blobs } = asking;
  // git looks from where symbolic links lead to: a directory's parents are others than its name says.
  const place = realPath(cwd);
  // Of a directory that the line makes, somebody else knows whether it is a repository of its own.
  const top = place === null ? null : workTreeAbove(place);
  if (place === null || top === null) {
    return null;
  }
  const query = words.join(' ');
  if (query === 'rev-parse --show-toplevel') {
    return known(`${top}\n`);
  }
  if (query === 'rev-parse --show-cdup') {
    return known(`${relative(top, place).replace(/[^/]+\/?/g, '../')}\n`);
  }
  const path = answerPathQuery(words, { workTree: top, cwd: place }, environment);
  if (path !== null) {
    return known(path === '' ? '' : `${path}\n`);
  }
  const blob = printedBlob(words);
  if (blob !== null) {
    const text = before.some((step) => mayMove(step, blob)) ? null : blobs.text(blob, top);
    return text === null ? null : known(text);
  }
  if (words[0] === 'status') {
    return before.some(maySwitch) ? null : statusAt(top, asking);
  }
  if (words[0] === 'remote') {
    const url = remoteUrl(place, asking);
    return url === null ? null : known(url);
  }
  const answer = branchQueries.has(query) && !before.some(maySwitch) ? currentBranch(top, query) : refsAt(top, asking);
  return answer === null ? null : known(answer);
}

/** `git remote get-url NAME`, where nothing before may have configured anything else. */
function remoteUrl(place: string, { question, command, before, isSettled, ask }: Asking): string | null {
  const [, verb, name = '', ...more] = question;
  const isAsked = verb === 'get-url' && more.length === 0 && /^[^-]/.test(name);
  const isAsBefore = (step: Step) => step.origin === command.origin || keepsFiles(step);
  if (!isAsked || !isSettled || !before.every(isAsBefore)) {
    return null;
  }
  const { exitCode, text } = ask(question, place);
  return exitCode === 0 ? text : null;
}

/** What is known of it where a branch is checked out. */
function statusAt(top: string, asking: GitQuestion): UnknownWord | null {
  const directories = gitDirectoriesOf(top);
  const head = directories === null ? null : branchCheckedOut(directories, top);
  return directories !== null && head?.startsWith('refs/heads/') === true
    ? statusBeginning(asking, head, directories)
    : null;
}

/** A file as a commit has it. */
export interface Blob {
  readonly revision: string;
  /** From the top of the work tree. */
  readonly path: string;
}

/** `git show REVISION:PATH`, `git cat-file -p REVISION:PATH`: git prints the blob as it is. */
export function printedBlob(words: readonly string[]): Blob | null {
  const [, revision, path] =
    /^(?:show|cat-file (?:-p|blob)) ([^-:\s][^:\s]*):([^.:][^:\n]*)$/.exec(words.join(' ')) ?? [];
  return revision === undefined || path === undefined ? null : { revision, path };
}

/** A loop may print any number of files: so many are read, of so many characters. */
const maximumBlobs = 20;
const maximumBlob = 65_536;

/** Blobs that a line has git print. */
class Blobs {
  readonly #ask: AskSettled;
  readonly #read = new Set<string>();

  constructor(ask: AskSettled) {
    this.#ask = ask;
  }

  /** Null where it is none, or no text that a program could read. @param top of the work tree */
  text({ revision, path }: Blob, top: string): string | null {
    const name = `${revision}:${path}`;
    this.#read.add(name);
    const text = this.#read.size > maximumBlobs ? null : blobAtOnce(name, (args) => this.#ask(args, top));
    return text !== null && text.length <= maximumBlob && !/[\0\ufffd]/.test(text) ? text : null;
  }
}

/** May a program that is none of git's run what its words speak of? One that only reads does not, whatever it prints. */
function mayRun({ kind, argv }: Exclude<Step, { kind: 'write' }>, spoken: RegExp): boolean {
  const isReading = kind === 'command' && readingPrograms.has(programName(argv[0]) ?? '');
  return !isReading && spoken.test(argv.map(shown).join(' '));
}

/** May the revision mean something else after the step than before the line? */
function mayMove(step: Step, { revision }: Blob): boolean {
  if (step.kind === 'write') {
    return false;
  }
  if (step.kind === 'unreadable' || programName(step.argv[0]) !== 'git') {
    return mayRun(step, /\b(?:git|gh|hub)\b/);
  }
  const [subcommand = '', ...rest] = shownCall(step);
  if (/^(?:checkout|switch)$/.test(subcommand)) {
    return /HEAD|@/.test(revision) || rest.some((word) => /^-(?!-?q)/.test(word));
  }
  return !keepsRevisions(subcommand) || (subcommand === 'fetch' && /FETCH_HEAD|:/.test([revision, ...rest].join(' ')));
}

/** What answers questions for branches, and for a remote's default one. Nothing of it is read where nobody asks. */
function refAnswer(subcommand: string | undefined): typeof listedRefs | null {
  switch (subcommand) {
    case 'branch':
    case 'for-each-ref':
    case 'tag':
      return listedRefs;
    case 'symbolic-ref':
    case 'rev-parse':
      return defaultBranchAnswer;
    default:
      return null;
  }
}

function refsAt(top: string, asking: SettledQuestion): string | null {
  const answer = refAnswer(asking.question[0]);
  const directories = answer === null ? null : gitDirectoriesOf(top);
  return answer === null || directories === null ? null : answer(asking, directories);
}

/** Another branch may be checked out after the step. */
function maySwitch(step: Step): boolean {
  if (step.kind === 'write') {
    return false;
  }
  if (step.kind === 'unreadable' || programName(step.argv[0]) !== 'git') {
    return mayRun(step, /\b(?:checkout|switch)\b/);
  }
  const [subcommand = '', ...rest] = shownCall(step);
  return !stays(subcommand, rest);
}

function currentBranch(top: string, query: string): string | null {
  const directories = gitDirectoriesOf(top);
  const head = directories === null ? null : branchCheckedOut(directories, top);
  if (head === 'detached') {
    return withoutBranch(query);
  }
  return head?.startsWith('refs/heads/') ? `${branchPrefix(query)}${shortBranchName(head)}\n` : null;
}

/** What stands before the branch's name in the answer: its full name, or nothing. */
export function branchPrefix(query: string): string {
  return /^symbolic-ref (?!.*--short)|--symbolic-full-name/.test(query) ? 'refs/heads/' : '';
}

function withoutBranch(query: string): string {
  const answer = branchQueries.get(query) ?? '';
  return answer === '' ? '' : `${answer}\n`;
}

/**
 * The question that a call of git puts, where its answer is the branch that is checked out at that moment; else null.
 *
 * @param words the subcommand and what follows it
 */
export function branchQuery(words: readonly Word[]): string | null {
  const query = textsOf(words)?.join(' ') ?? '';
  return branchQueries.has(query) ? query : null;
}

/** What git answers to such a question, newline at the end aside. */
export function branchAnswer(query: string, head: Head): string {
  return head.kind === 'branch' ? branchPrefix(query) + head.branch : withoutBranch(query).trim();
}
