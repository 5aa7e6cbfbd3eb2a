import { together } from '../path.ts';
import type { Outcome } from '../shell-state.ts';
import type { Path } from '../simple-command.ts';
import { type Decision, InlineDecisions, type PlacedCall } from './inline-decisions.ts';
import { InlineFunctions } from './inline-functions.ts';
import type { Language } from './source/languages.ts';

/** A decision whose call has been run. */
interface Taken {
  readonly decision: Decision;
  /** The path on from there. */
  readonly path: Path;
  /** The decisions behind which the call stands itself. */
  readonly before: ReadonlySet<Taken>;
}

/** On which paths the calls of an inline program come, by how those have ended that came before. */
export class DecidedPaths {
  readonly #decisions: InlineDecisions | null;
  readonly #taken: Taken[] = [];

  /** @param end where the program's own text ends, behind which stand the modules that it loads */
  constructor(language: Language, source: string, end: number) {
    this.#decisions = InlineFunctions.reads(language) ? new InlineDecisions(language, source, end) : null;
  }

  /** What the call decides by that. */
  by(call: PlacedCall | null, by: Decision['by']): readonly Decision[] {
    return call === null ? [] : (this.#decisions?.at(call).filter((decision) => decision.by === by) ?? []);
  }

  /** What the call decides that leads to another one in a helper. @param at where its arguments begin */
  through(call: PlacedCall | null, at: number): readonly Decision[] {
    return call === null ? [] : (this.#decisions?.through(call, at) ?? []);
  }

  /**
   * What comes behind a call that comes once.
   *
   * @param position where it stands, or what leads to it
   * @param outcomes how it may end, of each time that it comes
   */
  take(decisions: readonly Decision[], position: number, [only, ...others]: readonly Outcome[]): void {
    const success = others.length > 0 ? null : (only?.success ?? null);
    if (success !== null && decisions.length > 0) {
      const before = new Set(this.#applying(position).flatMap((one) => [one, ...one.before]));
      this.#taken.push(...decisions.map((decision) => ({ decision, path: success.path, before })));
    }
  }

  /** The path of what stands there. @param path of the program */
  pathAt(position: number, path: Path): Path {
    return this.#applying(position).reduce((before, taken) => together(taken.path, before), path);
  }

  /** What has been decided there, but for what stands behind another decision itself. */
  #applying(position: number): readonly Taken[] {
    const applying: Taken[] = [];
    const behind = new Set<Taken>();
    for (const taken of this.#taken.toReversed()) {
      const { from, to } = taken.decision;
      if (from <= position && position < to && !behind.has(taken)) {
        applying.unshift(taken);
        for (const earlier of taken.before) {
          behind.add(earlier);
        }
      }
    }
    return applying;
  }
}
