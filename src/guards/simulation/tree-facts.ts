import type { Repository } from '../../git/repository.ts';
import type { GitOutput } from '../../git/runner.ts';
import { treeSignatureOf } from './tree-signature.ts';

/** What git has printed, by what it was asked. */
export type Outputs = Map<string, Promise<GitOutput>>;

/** What was read of a work tree. */
export interface TreeAnswers {
  readonly repository: Repository;
  readonly outputs: Outputs;
  /** What the work tree looked like before the first of it was read; null: that can't tell whether it has changed. */
  readonly signature: string | null;
}

interface TreeFactsOptions {
  /** The repository, opened just now. */
  readonly repository: Repository;
  /** What may still hold; null: nothing. */
  readonly before: Promise<TreeAnswers> | null;
  /** What has its configuration; null: what is read now is not handed on. */
  readonly past: Pick<Repository, 'config'> | null;
}

/**
 * Facts about a work tree, read when they are asked for. Those read before are taken if nothing has changed since,
 * which is looked at only then.
 */
export class TreeFacts {
  readonly #options: TreeFactsOptions;
  #current: Promise<TreeAnswers> | undefined;

  constructor(options: TreeFactsOptions) {
    this.#options = options;
  }

  /** What is known now. */
  current(): Promise<TreeAnswers> {
    this.#current ??= this.#look();
    return this.#current;
  }

  /** What a later look may take up. */
  get last(): Promise<TreeAnswers> | null {
    return this.#current ?? this.#options.before;
  }

  async #look(): Promise<TreeAnswers> {
    const { repository, before, past } = this.#options;
    const signature = past === null ? null : await treeSignatureOf(repository, past);
    const known = signature === null ? null : await before;
    return known !== null && known.signature === signature ? known : { repository, outputs: new Map(), signature };
  }
}
