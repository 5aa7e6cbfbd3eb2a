import { isForCommands, isVariableForCommands } from '../../git/command-settings.ts';
import { type OpenOptions, openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment, RunningAnswers } from '../../git/runner.ts';
import { monotonicTime } from '../../shell/bounds.ts';
import { commandView } from './command-view.ts';
import { freshHistory, type History, remembering } from './remembering.ts';
import { signatureOf } from './signature.ts';

/** Milliseconds for which everything is believed between command lines. Within one line nothing is read twice. */
const defaultMaxAge = 1000;
/** How many times `maxAge` history is believed while its files look unchanged. */
const historyAges = 10;
/** A long-lived process judges lines for many directories: the oldest are forgotten. */
const maxOpen = 64;

interface Opened {
  readonly at: number;
  readonly historyAt: number;
  readonly history: History | null;
  readonly signature: string | null;
  readonly repository: Repository | null;
  /** The same with settings that only commands obey, by these. */
  readonly views: Map<string, Repository>;
}

/** Undefined: unset. */
type Variables = readonly (readonly [name: string, value: string | undefined])[];

type Opening = OpenOptions & {
  /** Absolute. */
  readonly cwd: string;
  /** The environment of the whole line. */
  readonly env: Environment;
};

/**
 * Repositories that were opened, with the facts read so far. A process that judges many lines (`check --stdin`) keeps
 * one. Facts are shared by lines that come within `maxAge` of each other. After that the state of the work tree is read
 * anew; refs, commits and configuration only if the files that hold them have changed, or after ten times as long.
 */
export class Repositories {
  readonly #maxAge: number;
  readonly #running: (() => RunningAnswers) | undefined;
  readonly #opened = new Map<string, Promise<Opened>>();

  /**
   * @param maxAge milliseconds
   * @param running makes what answers questions of a repository for long; default: a process for each
   */
  constructor(maxAge: number = defaultMaxAge, running?: () => RunningAnswers) {
    this.#maxAge = maxAge;
    this.#running = running;
  }

  /**
   * Opens a repository, or gives the one opened a moment ago; null where there is none.
   *
   * @param variables what the command sets for itself, of what decides where and how git reads
   * @throws what {@link openRepository} throws
   */
  async open(options: Opening, variables: Variables = []): Promise<Repository | null> {
    const { env, parameters = [] } = options;
    if (parameters.length + variables.length === 0) {
      return (await this.#opening(options, [])).repository;
    }
    const [ownParameters, deciding] = parted(parameters, isForCommands);
    const [ownVariables, decidingVariables] = parted(variables, ([name]) => isVariableForCommands(name));
    const shared = { ...options, env: withVariables(env, decidingVariables), parameters: deciding };
    const { repository, views } = await this.#opening(shared, decidingVariables);
    if (repository === null || ownParameters.length + ownVariables.length === 0) {
      return repository;
    }
    const key = JSON.stringify([parameters, variables]);
    const { context } = repository.git;
    const own = { ...context, env: withVariables(context.env, ownVariables), parameters };
    const view = views.get(key) ?? commandView(repository, own, ownParameters);
    views.set(key, view);
    return view;
  }

  async #opening(options: Opening, variables: Variables): Promise<Opened> {
    const { cwd, gitDir, workTree, parameters = [] } = options;
    const isPlain = gitDir === undefined && workTree === undefined && parameters.length + variables.length === 0;
    const key = isPlain ? cwd : JSON.stringify([cwd, gitDir, workTree, parameters, variables]);
    const known = await this.#opened.get(key);
    // The last in the map is the one that was asked for last.
    this.#opened.delete(key);
    const isCurrent = known !== undefined && monotonicTime() - known.at < this.#maxAge;
    const opening = isCurrent ? Promise.resolve(known) : this.#read(options, known ?? null);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    this.#forgetOldest();
    return opening;
  }

  async #read(options: OpenOptions, before: Opened | null): Promise<Opened> {
    const now = monotonicTime();
    const tree = await openRepository(this.#running === undefined ? options : { ...options, running: this.#running() });
    if (tree === null) {
      return { at: now, historyAt: now, history: null, signature: null, repository: null, views: new Map() };
    }
    // Never asked for where nothing ever gets old.
    const signature = Number.isFinite(this.#maxAge) ? signatureOf(tree) : null;
    const isRecent = before !== null && now - before.historyAt < this.#maxAge * historyAges;
    const history = isRecent && signature !== null && signature === before.signature ? before.history : null;
    const next = history ?? freshHistory(tree);
    return {
      at: now,
      historyAt: history === null || before === null ? now : before.historyAt,
      history: next,
      signature,
      repository: remembering(tree, next),
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

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [readonly Item[], readonly Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function withVariables(env: Environment, variables: Variables): Environment {
  return variables.length === 0 ? env : { ...env, ...Object.fromEntries(variables) };
}
