import { fullNames } from '../../git/refs/refspec.ts';
import type { MadeCommit } from './refs/made-commit.ts';

/** What HEAD or a branch named before a command of the line. */
export interface Past {
  readonly oid: string | null;
  /** Commits that the line had made on top of that. */
  readonly made: readonly MadeCommit[];
}

/** A revision that goes back in time: to a moment of this line, or to an entry that was in the reflog before it. */
export type PastRevision =
  | { readonly kind: 'in the line'; readonly past: Past; readonly rest: string }
  | { readonly kind: 'before the line'; readonly revision: string };

/** What the line adds to the reflogs, and ORIG_HEAD: gitrevisions(7) "<refname>@{<n>}". */
export class Pasts {
  /** By full name, `HEAD` too; the newest first. */
  readonly #logs = new Map<string, readonly Past[]>();
  /** ORIG_HEAD, once a command of the line has set it. */
  original: Past | null = null;

  get isEmpty(): boolean {
    return this.#logs.size === 0 && this.original === null;
  }

  record(ref: string, past: Past): void {
    this.#logs.set(ref, [past, ...(this.#logs.get(ref) ?? [])]);
  }

  /**
   * Reads `HEAD@{1}~2`, `@{1}`, `main@{1}`, `ORIG_HEAD`; null: the revision does not go back, or not by what the line did.
   *
   * @param current what is checked out, by its full name; `HEAD` where it is detached
   */
  find(revision: string, current: string): PastRevision | null {
    const [, original, rest = ''] = /^(ORIG_HEAD)(?![\w/-])(.*)$/s.exec(revision) ?? [];
    if (original !== undefined) {
      return this.original === null ? null : { kind: 'in the line', past: this.original, rest };
    }
    const [, name, number, after = ''] = /^([^~^:@]*)@\{(\d+)\}(.*)$/s.exec(revision) ?? [];
    const ref = name === undefined ? null : this.#logged(name, current);
    const log = ref === null ? [] : (this.#logs.get(ref) ?? []);
    const back = Number(number);
    if (back === 0 || log.length === 0) {
      return null;
    }
    const past = log[back - 1];
    return past === undefined
      ? { kind: 'before the line', revision: `${name}@{${back - log.length}}${after}` }
      : { kind: 'in the line', past, rest: after };
  }

  #logged(name: string, current: string): string | null {
    const named = name === '' ? [current] : name === 'HEAD' ? ['HEAD'] : fullNames(name);
    return named.find((ref) => this.#logs.has(ref)) ?? null;
  }
}
