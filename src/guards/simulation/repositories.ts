import { type OpenOptions, openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment, RunningAnswers } from '../../git/runner.ts';
import { isForCommands, isVariableForCommands } from '../../git/settings/command-settings.ts';
import { monotonicTime } from '../../shell/bounds.ts';
import { AnswersAtOnce } from './answers/answers-at-once.ts';
import type { AskSettled } from './answers/settled-questions.ts';
import { carriedSettings, carriesSettings, type Variables } from './carried-settings.ts';
import { commandView } from './command-view.ts';
import { freshHistory, type History, type RememberingRepository, remembering } from './remembering.ts';
import { signatureOf } from './signature.ts';
import { TreeFacts } from './tree-facts.ts';

/** Milliseconds for which everything is believed between command lines. Within one line nothing is read twice. */
const defaultMaxAge = 1000;
/** How many times `maxAge` history is believed while its files look unchanged. */
const historyAges = 10;
/** Variables that say where a repository is, and nothing else. */
const places: ReadonlySet<string> = new Set(['GIT_DIR', 'GIT_WORK_TREE']);
/** A long-lived process judges lines for many directories: the oldest are forgotten. */
const maxOpen = 64;

interface Opened {
  readonly at: number;
  readonly historyAt: number;
  readonly history: History | null;
  readonly signature: string | null;
  readonly tree: TreeFacts | null;
  readonly repository: RememberingRepository | null;
  /** The same with settings that only commands obey, by these. */
  readonly views: Map<string, RememberingRepository>;
}

type Opening = OpenOptions & {
  /** Absolute. */
  readonly cwd: string;
  /** The environment of the whole line. */
  readonly env: Environment;
};

/**
 * Repositories that were opened, with the facts read so far. A process that judges many lines (`check --stdin`) keeps
 * one. Facts are shared by lines that come within `maxAge` of each other, if nobody doubts them in between. After that
 * they are read anew if the files that they come from have changed, or can't tell, or after ten times as long.
 */
export class Repositories {
  readonly #maxAge: number;
  readonly #running: (() => RunningAnswers) | undefined;
  /** Made when first needed: nearly no line asks git anything before it is judged. */
  #answers: AnswersAtOnce | undefined;
  /** As soon as it is known: what is waited for without need costs time for every command. */
  readonly #opened = new Map<string, Opened | Promise<Opened>>();
  /** What was known before is looked at again. */
  #doubtedAt = 0;

  /**
   * @param maxAge milliseconds
   * @param running makes what answers questions of a repository for long; default: a process for each
   */
  constructor(maxAge: number = defaultMaxAge, running?: () => RunningAnswers) {
    this.#maxAge = maxAge;
    this.#running = running;
  }

  /** Puts a question to git that nothing can wait for; its answer is a fact as the others are. */
  readonly ask: AskSettled = (words, directory) => {
    this.#answers ??= new AnswersAtOnce({
      maxAge: this.#maxAge,
      maxHistoryAge: this.#maxAge * historyAges,
      signatureAt: (place) => this.#signatureAt(place),
    });
    return this.#answers.ask(words, directory);
  };

  /**
   * Opens a repository, or gives the one opened a moment ago; null where there is none.
   *
   * @param variables what the command sets for itself, of what decides where and how git reads
   * @throws what {@link openRepository} throws
   */
  async open(options: Opening, variables: Variables = []): Promise<Repository | null> {
    const { env, parameters = [] } = options;
    if (parameters.length + variables.length === 0) {
      const opening = this.#opening(options);
      return (opening instanceof Promise ? await opening : opening).repository;
    }
    const carried = carriedSettings(variables, env);
    const [ownParameters, deciding] = parted(parameters, isForCommands);
    const [ownVariables, decidingVariables] = parted(
      variables,
      ([name]) => isVariableForCommands(name) || (carried !== null && carriesSettings(name)),
    );
    const shared = { ...options, env: withVariables(env, decidingVariables), parameters: deciding };
    const { repository, views } = await this.#opening(shared, decidingVariables, env);
    if (repository === null || ownParameters.length + ownVariables.length === 0) {
      return repository;
    }
    const key = JSON.stringify([parameters, variables]);
    const { context } = repository.git;
    const own = { ...context, env: withVariables(context.env, ownVariables), parameters };
    const added = [...(carried ?? []), ...ownParameters];
    const view = views.get(key) ?? commandView(repository, own, added);
    views.set(key, view);
    return view;
  }

  /** Somebody may have changed something since: whether files have changed is looked at before anything is believed. */
  doubt(): void {
    this.#doubtedAt = monotonicTime();
    this.#answers?.doubt();
  }

  /** @param usual the environment without the variables; default: there are none */
  #opening(options: Opening, variables: Variables = [], usual = options.env): Opened | Promise<Opened> {
    const { cwd, gitDir, workTree, parameters = [] } = options;
    const isPlain = gitDir === undefined && workTree === undefined && parameters.length + variables.length === 0;
    const key = isPlain ? cwd : JSON.stringify([cwd, gitDir, workTree, parameters, variables]);
    const known = this.#opened.get(key);
    // The last in the map is the one that was asked for last.
    this.#opened.delete(key);
    if (known instanceof Promise || (known !== undefined && this.#isBelieved(known))) {
      this.#opened.set(key, known);
      return known;
    }
    const namesPlaces = !isPlain && parameters.length === 0 && variables.every(([name]) => places.has(name));
    const opening = this.#read(options, known ?? null, namesPlaces ? { cwd, env: usual } : null);
    this.#opened.set(key, opening);
    opening.then(
      (opened) => this.#settle(key, opening, opened),
      () => this.#settle(key, opening, null),
    );
    this.#forgetOldest();
    return opening;
  }

  #isBelieved({ at }: Opened): boolean {
    return at >= this.#doubtedAt && monotonicTime() - at < this.#maxAge;
  }

  /** What failed is tried again when it is asked for again. */
  #settle(key: string, opening: Promise<Opened>, opened: Opened | null): void {
    if (this.#opened.get(key) !== opening) {
      return;
    }
    if (opened === null) {
      this.#opened.delete(key);
    } else {
      this.#opened.set(key, opened);
    }
  }

  /** @param found what is opened without naming it; null: something else is named than places */
  async #read(options: OpenOptions, before: Opened | null, found: Opening | null): Promise<Opened> {
    const now = monotonicTime();
    const opened = await openRepository(
      this.#running === undefined ? options : { ...options, running: this.#running() },
    );
    if (opened === null) {
      return nothingOpened(now);
    }
    return (found === null ? null : await this.#sameAs(opened, found)) ?? this.#reading(opened, now, before);
  }

  /** `git --git-dir=.git` is told where the repository is that it would have found: the facts are the same. */
  async #sameAs({ gitDir, commonDir, workTree, git }: Repository, found: Opening): Promise<Opened | null> {
    const usual = Number.isFinite(this.#maxAge) ? await this.#usual(found) : null;
    const repository = usual?.repository ?? null;
    const isSame =
      repository?.gitDir === gitDir && repository.commonDir === commonDir && repository.workTree === workTree;
    return usual === null || repository === null || !isSame
      ? null
      : { ...usual, repository: commandView(repository, git.context, []), views: new Map() };
  }

  async #usual(options: Opening): Promise<Opened | null> {
    try {
      return await this.#opening(options);
    } catch {
      return null;
    }
  }

  #signatureAt(directory: string): string | null {
    const opened = this.#opened.get(directory);
    const repository = opened === undefined || opened instanceof Promise ? null : opened.repository;
    return repository === null || !Number.isFinite(this.#maxAge) ? null : signatureOf(repository);
  }

  #reading(opened: Repository, now: number, before: Opened | null): Opened {
    // Never asked for where nothing ever gets old.
    const signature = Number.isFinite(this.#maxAge) ? signatureOf(opened) : null;
    const isRecent = before !== null && now - before.historyAt < this.#maxAge * historyAges;
    const isUnchanged = isRecent && signature !== null && signature === before.signature;
    const history = (isUnchanged ? before.history : null) ?? freshHistory(opened);
    const tree = new TreeFacts({
      repository: opened,
      before: isUnchanged ? (before.tree?.last ?? null) : null,
      past: signature === null ? null : history.repository,
    });
    return {
      at: now,
      historyAt: isUnchanged ? before.historyAt : now,
      history,
      signature,
      tree,
      repository: remembering(opened, tree, history),
      views: new Map(),
    };
  }

  #forgetOldest(): void {
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > maxOpen && oldest !== undefined) {
      this.#opened.delete(oldest);
    }
  }
}

function nothingOpened(at: number): Opened {
  return { at, historyAt: at, history: null, signature: null, tree: null, repository: null, views: new Map() };
}

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [readonly Item[], readonly Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function withVariables(env: Environment, variables: Variables): Environment {
  return variables.length === 0 ? env : { ...env, ...Object.fromEntries(variables) };
}
