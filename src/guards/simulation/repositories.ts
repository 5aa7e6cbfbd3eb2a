import { resolve } from 'node:path';
import { type OpenOptions, openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';

/** Milliseconds for which facts are believed between command lines. Within one line nothing is read twice. */
const defaultMaxAge = 1000;
/** A long-lived process judges lines for many directories: the oldest are forgotten. */
const maxOpen = 64;

interface Opened {
  readonly at: number;
  readonly repository: Promise<Repository | null>;
}

/**
 * Repositories that were opened, with the facts read so far. A process that judges many lines (`check --stdin`) keeps
 * one: facts are shared by lines that come within `maxAge` of each other, and read anew after that.
 */
export class Repositories {
  readonly #maxAge: number;
  readonly #opened = new Map<string, Opened>();

  /** @param maxAge milliseconds */
  constructor(maxAge: number = defaultMaxAge) {
    this.#maxAge = maxAge;
  }

  /** Opens a repository, or gives the one opened a moment ago. */
  open(options: OpenOptions & { readonly cwd: string }, environmentKey: string): Promise<Repository | null> {
    const { cwd, gitDir, workTree, parameters = [] } = options;
    const key = JSON.stringify([resolve(cwd), gitDir, workTree, parameters, environmentKey]);
    const known = this.#opened.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.at < this.#maxAge) {
      return known.repository;
    }
    const repository = openRepository(options);
    repository.catch(() => this.#opened.delete(key));
    this.#opened.delete(key);
    this.#opened.set(key, { at: now, repository });
    this.#forgetOldest();
    return repository;
  }

  #forgetOldest(): void {
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > maxOpen && oldest !== undefined) {
      this.#opened.delete(oldest);
    }
  }
}
