import type { Repository } from '../../../git/repository.ts';
import { runsOnlyAfter } from '../../../shell/path.ts';
import { type Origin, programName, type SimpleCommand, type Step, type Word } from '../../../shell/simple-command.ts';
import { type Invocation, readInvocation } from '../../git-command/invocation.ts';
import { known, textsOf, type UnknownWord } from '../../git-command/words.ts';
import type { World } from '../../world.ts';
import { overlaid } from '../overlaid-repository.ts';
import type { Overlay, PresumedBranch } from '../overlay.ts';
import { branchAnswer, branchPrefix, branchQuery } from './git-queries.ts';
import { isRevisionQuery, revisionAnswer } from './revision-queries.ts';

interface Answer {
  readonly text: string;
  /** What in it stands before a branch's name. */
  readonly prefix: string;
  /** The branch that is checked out instead if the switch before has succeeded. */
  readonly presumed: PresumedBranch | null;
  /** What the branch has been called by the switch before, where that can't be known. */
  readonly open: UnknownWord | null;
}

/**
 * What git will answer where a command line asks which branch is checked out after it has switched itself, or for a commit:
 * `git switch -c topic; branch=$(git branch --show-current); git push origin "$branch"`, `git reset --hard $(git merge-base …)`.
 */
export class Answers {
  // By what a command keeps where others are made of it: in another environment, with answers in it.
  readonly #asked: ReadonlySet<Origin>;
  readonly #answers = new Map<Origin, Answer>();

  /** @param steps the whole line, or what a command of it starts: only questions are answered whose answer is used */
  constructor(steps: readonly Step[]) {
    this.#asked = printersIn(steps);
  }

  /** Does anybody use what the command prints? */
  isAsked(command: SimpleCommand): boolean {
    return this.#asked.has(command.origin);
  }

  /** Keeps what git answers now, if the command is such a question. */
  async record(command: SimpleCommand, world: World): Promise<void> {
    const invocation = readInvocation(command.argv.slice(1), command.cwd, (name) => world.variable(command, name));
    const query = programName(command.argv[0]) === 'git' ? branchQuery(invocation.words) : null;
    const question = questionOf(command, invocation, query);
    if (question === null) {
      return;
    }
    const place = await world.places.of(invocation, command).catch(() => null);
    if (place?.kind !== 'repository') {
      return;
    }
    const { repository, changes } = place;
    const overlays = await changes.before(command.origin, false);
    const texts = await Promise.all(overlays.map((overlay) => question(overlay, repository)));
    const [text = null, ...others] = texts;
    const open = overlays.find(({ openSwitch }) => openSwitch !== null)?.openSwitch ?? null;
    if (open !== null && query === null) {
      // A commit that HEAD names is another one on each of the branches.
      return;
    }
    if (text !== null && (open !== null || others.every((other) => other === text))) {
      const prefix = query === null ? '' : branchPrefix(query);
      this.#answers.set(command.origin, { text, prefix, presumed: overlays[0]?.presumed ?? null, open });
    }
  }

  /** The command, with answers in the place of questions. */
  applied(command: SimpleCommand): SimpleCommand {
    return this.#answers.size === 0 || !command.argv.some((word) => this.#answerIn(word) !== null)
      ? command
      : { ...command, argv: command.argv.flatMap((word) => this.#replaced(word, command)) };
  }

  #answerIn(word: Word): Answer | null {
    const printer = printerOf(word);
    return printer === undefined ? null : (this.#answers.get(printer.origin) ?? null);
  }

  #replaced(word: Word, { origin }: SimpleCommand): readonly Word[] {
    const answer = this.#answerIn(word);
    if (answer === null || word.kind === 'known') {
      return [word];
    }
    const { text, presumed, open } = answer;
    const named = { ...word, prefix: word.prefix + answer.prefix };
    if (open !== null) {
      return [withinWord({ name: open, head: null }, named)];
    }
    if (presumed !== null && runsOnlyAfter(origin, presumed.after)) {
      return [withinWord(presumed, named)];
    }
    const value = word.prefix + text + word.suffix;
    return value === '' && word.mayExpandToSeveral ? [] : [known(value)];
  }
}

type Question = (overlay: Overlay, repository: Repository) => Promise<string | null>;

/** How the answer is found; null: it is no question whose answer is looked for. */
function questionOf(command: SimpleCommand, { words }: Invocation, query: string | null): Question | null {
  if (query !== null) {
    return async (overlay, repository) => branchAnswer(query, await overlaid(repository, overlay).head());
  }
  const texts = programName(command.argv[0]) === 'git' ? textsOf(words) : null;
  return texts !== null && isRevisionQuery(texts)
    ? (overlay, repository) => revisionAnswer(texts, overlay, repository, overlaid(repository, overlay))
    : null;
}

type Naming = Pick<PresumedBranch, 'name'> & { readonly head: PresumedBranch['head'] | null };

/** The branch's name, as far as it is known, in the place of the question. */
function withinWord({ name, head }: Naming, { prefix, suffix }: UnknownWord): Word {
  return name === null
    ? known(prefix + (head?.kind === 'branch' ? head.branch : '') + suffix)
    : { ...name, prefix: prefix + name.prefix, suffix: name.suffix + suffix };
}

function printersIn(steps: readonly Step[]): ReadonlySet<Origin> {
  const printers = new Set<Origin>();
  for (const step of steps) {
    for (const word of step.kind === 'command' ? step.argv : []) {
      const printer = printerOf(word);
      if (printer !== undefined) {
        printers.add(printer.origin);
      }
    }
  }
  return printers;
}

function printerOf(word: Word): SimpleCommand | undefined {
  return word.kind === 'unknown' ? word.printedBy : undefined;
}
