import { resolve } from 'node:path';
import { type OpenOptions, openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import { monotonicTime } from '../../shell/bounds.ts';
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
}

/**
 * Repositories that were opened, with the facts read so far. A process that judges many lines (`check --stdin`) keeps
 * one. Facts are shared by lines that come within `maxAge` of each other. After that the state of the work tree is read
 * anew; refs, commits and configuration only if the files that hold them have changed, or after ten times as long.
 */
export class Repositories {
  readonly #maxAge: number;
  readonly #opened = new Map<string, Promise<Opened>>();

  /** @param maxAge milliseconds */
  constructor(maxAge: number = defaultMaxAge) {
    this.#maxAge = maxAge;
  }

  /**
   * Opens a repository, or gives the one opened a moment ago; null where there is none.
   *
   * @param environmentKey tells environments apart in which git would read differently
   * @throws what {@link openRepository} throws
   */
  async open(options: OpenOptions & { readonly cwd: string }, environmentKey: string): Promise<Repository | null> {
    const { cwd, gitDir, workTree, parameters = [] } = options;
    const key = JSON.stringify([resolve(cwd), gitDir, workTree, parameters, environmentKey]);
    const known = await this.#opened.get(key);
    if (known !== undefined && monotonicTime() - known.at < this.#maxAge) {
      return known.repository;
    }
    const opening = this.#read(options, known ?? null);
    this.#opened.delete(key);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    this.#forgetOldest();
    return (await opening).repository;
  }

  async #read(options: OpenOptions, before: Opened | null): Promise<Opened> {
    const now = monotonicTime();
    const tree = await openRepository(options);
    if (tree === null) {
      return { at: now, historyAt: now, history: null, signature: null, repository: null };
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
    };
  }

  #forgetOldest(): void {
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > maxOpen && oldest !== undefined) {
      this.#opened.delete(oldest);
    }
  }
}
