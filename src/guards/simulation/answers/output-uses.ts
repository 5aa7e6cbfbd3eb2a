import { ordinaryPrograms } from '../../../shell/programs/ordinary-programs.ts';
import { readingPrograms } from '../../../shell/programs/reading-programs.ts';
import { type Input, programName, type SimpleCommand, type Step, type Word } from '../../../shell/simple-command.ts';
import { textOf } from '../../git-command/words.ts';

/** Subcommands that give nothing of what they are told a name. */
const lookers = new Set(
  'cat-file cherry describe diff diff-tree log ls-tree merge-base merge-tree name-rev patch-id range-diff rev-list show'.split(
    ' ',
  ),
);

/** Other subcommands after which every ref, and what is checked out, is as it was before. */
const keepers = new Set(
  'add commit-tree for-each-ref grep hash-object ls-files ls-remote mktree rev-parse shortlog status var version write-tree'.split(
    ' ',
  ),
);

/** Who on the line is given what a command prints, and what the others do. */
export class OutputUses {
  readonly #steps: readonly Step[];

  /** @param steps of the whole line */
  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /**
   * Does no branch and no HEAD come to stand on what it prints? It is given to commands of git that look, and to nothing
   * else (`git cherry main "$(git commit-tree …)"`), or nothing on the line moves a ref.
   */
  staysUnnamed({ origin }: SimpleCommand): boolean {
    const isMeant = (word: Step['cwd'] | Input | Word | null) =>
      word?.kind === 'unknown' && 'printedBy' in word && word.printedBy?.origin === origin;
    const isWritten = this.#steps.some((step) => step.kind === 'write' && step.printedBy?.origin === origin);
    const users = this.#steps.filter((step) => step.kind === 'command' && [...step.argv, step.input].some(isMeant));
    const isOnlyLookedAt = users.length > 0 && users.every((step) => step.kind === 'command' && looks(step));
    return !isWritten && (isOnlyLookedAt || this.#steps.every(keepsRefs));
  }

  /** Do the commands before it leave the repository as it is? False where it is not one of the line's own. */
  comesFirst({ origin }: SimpleCommand): boolean {
    const at = this.#steps.findIndex((step) => step.origin === origin);
    return at >= 0 && this.#steps.slice(0, at).every(keepsRefs);
  }

  /** Does the line change more of files and repositories than by this command? Programs that git does not start may do so, too. */
  isPart({ origin }: SimpleCommand): boolean {
    return this.#steps.some((step) => step.origin !== origin && (step.kind === 'write' || changesByGit(step)));
  }

  /** Does git come behind it on the line for more than to look or to push? What is not one of the line's own counts as well. */
  isFollowed({ origin }: SimpleCommand): boolean {
    const at = this.#steps.findIndex((step) => step.origin === origin);
    return at < 0 || this.#steps.slice(at + 1).some((step) => step.kind === 'unreadable' || changesHere(step));
  }

  /** Does the line bring back what a stash has put away, before a commit or a push for which hooks should run? */
  unstashes({ origin }: SimpleCommand): boolean {
    const behind = this.#steps.slice(this.#steps.findIndex((step) => step.origin === origin) + 1);
    const next = behind.find((step) => isUnstashing(step) || isChecked(step));
    return next !== undefined && isUnstashing(next);
  }

  /** Does it follow upon `git stash`, with nothing between them that could change a file? */
  followsStash({ origin }: SimpleCommand): boolean {
    const at = this.#steps.findIndex((step) => step.origin === origin);
    const last = this.#steps.slice(0, Math.max(at, 0)).findLast((step) => !leavesFiles(step));
    return last !== undefined && isStashing(last);
  }

  /**
   * Does a commit find what was changed before the line, and nothing else, and does something behind it stand on it?
   * `git add` stages of that what git-status(1) shows.
   */
  isStoodOn({ origin }: SimpleCommand): boolean {
    const at = this.#steps.findIndex((step) => step.origin === origin);
    return at >= 0 && this.#steps.slice(at + 1).some(goesBack) && this.#steps.slice(0, at).every(leavesFiles);
  }
}

/** Programs that are not git's run none, and do nothing to its files. */
function keepsRefs(step: Step): boolean {
  if (step.kind === 'unreadable' || step.cwd.kind === 'unknown' || step.cwd.path.includes('.git')) {
    return false;
  }
  const words = step.kind === 'write' ? [step.path] : step.argv;
  if (step.kind === 'command' && programName(step.argv[0]) === 'git') {
    const subcommand = textOf(step.argv[1]) ?? '';
    return lookers.has(subcommand) || keepers.has(subcommand);
  }
  const name = step.kind === 'command' ? programName(step.argv[0]) : null;
  const isPlain = words.every((word) => word.kind === 'known' && !word.value.includes('.git'));
  return readingPrograms.has(name ?? '') || (isPlain && (step.kind === 'write' || ordinaryPrograms.has(name ?? '')));
}

function isUnstashing(step: Step): boolean {
  const [program, subcommand, action] = step.kind === 'command' ? step.argv : [];
  return (
    programName(program) === 'git' &&
    textOf(subcommand ?? null) === 'stash' &&
    /^(?:pop|apply)$/.test(textOf(action ?? null) ?? '')
  );
}

function changesByGit(step: Step): boolean {
  const isGit = step.kind === 'command' && programName(step.argv[0]) === 'git';
  const name = isGit ? textOf(step.argv[1] ?? null) : null;
  return isGit && (name === 'add' || !isKeeping(step));
}

function changesHere(step: Step): boolean {
  return changesByGit(step) && !(step.kind === 'command' && textOf(step.argv[1] ?? null) === 'push');
}

/** Of each file all that is changed is put away. */
function isStashing(step: Step): boolean {
  const [program, subcommand, ...words] = step.kind === 'command' ? step.argv : [];
  const [action = '-', ...rest] = words.map((word) => textOf(word) ?? '-p');
  const isPush = /^(?:push|save|-.*)$/.test(action) && ![action, ...rest].some((word) => choosing.test(word));
  return programName(program) === 'git' && textOf(subcommand ?? null) === 'stash' && isPush;
}

/** `--patch`, `--staged`, `--pathspec-from-file` */
const choosing = /^-(?:[a-zA-Z]*[pS][a-zA-Z]*$|-[ps])/;

/** Hooks check what it makes or sends; what is not known may be such a command. */
function isChecked(step: Step): boolean {
  const [program, subcommand] = step.kind === 'command' ? step.argv : [];
  const name = programName(program) === 'git' ? (textOf(subcommand ?? null) ?? 'commit') : '';
  return step.kind === 'unreadable' || /^(?:commit|push|am|cherry-pick|revert)$/.test(name);
}

/** It replaces the newest commit, or leaves it, or deletes its branch. */
function goesBack(step: Step): boolean {
  const [program, subcommand, ...words] = step.kind === 'command' ? step.argv : [];
  const name = programName(program) === 'git' ? textOf(subcommand ?? null) : null;
  const has = (option: RegExp) => words.some((word) => option.test(textOf(word) ?? ''));
  return (
    name === 'reset' || (name === 'commit' && has(/^--amend$/)) || (name === 'branch' && has(/^(?:-\w*[dD]|--delete)/))
  );
}

function leavesFiles(step: Step): boolean {
  return (
    step.kind === 'command' &&
    (readingPrograms.has(programName(step.argv[0]) ?? '') || isKeeping(step) || makesBranch(step))
  );
}

function isKeeping({ argv: [program, subcommand, ...words] }: SimpleCommand): boolean {
  const name = textOf(subcommand ?? null) ?? '';
  // Ignored files, modes and line ends are not what git-status(1) shows.
  const isPlain =
    name !== 'add' || words.every((word) => /^(?:[^-]|-(?:A|u|v|-all|-update|-verbose)?$)/.test(textOf(word) ?? '-?'));
  return programName(program) === 'git' && isPlain && (lookers.has(name) || keepers.has(name));
}

/** `git switch -c NAME`, and nothing else: it begins where HEAD stands, with the files as they are. */
function makesBranch({ argv: [program, subcommand, ...words] }: SimpleCommand): boolean {
  const [option = '', name = '-', ...more] = words.map((word) => textOf(word) ?? '-?');
  const making = new Map([
    ['switch', /^(?:-q?c|--create)$/],
    ['checkout', /^-q?b$/],
  ]).get(textOf(subcommand ?? null) ?? '');
  return programName(program) === 'git' && making?.test(option) === true && !name.startsWith('-') && more.length === 0;
}

function looks({ argv: [program, subcommand] }: SimpleCommand): boolean {
  return programName(program) === 'git' && lookers.has(textOf(subcommand) ?? '');
}
