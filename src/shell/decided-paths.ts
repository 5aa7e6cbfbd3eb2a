import { type Decision, InlineDecisions, type PlacedCall } from './inline-decisions.ts';
import { InlineFunctions } from './inline-functions.ts';
import type { Language } from './languages.ts';
import { together } from './path.ts';
import type { Outcome } from './shell-state.ts';
import type { Path } from './simple-command.ts';

/** On which paths the calls of an inline program come, by how those have ended that came before. */
export class DecidedPaths {
  readonly #decisions: InlineDecisions | null;
  readonly #taken: { readonly decision: Decision; readonly path: Path }[] = [];

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

  /** What comes behind a call that comes once. @param outcomes how it may end, of each time that it comes */
  take(decisions: readonly Decision[], [only, ...others]: readonly Outcome[]): void {
    const success = others.length > 0 ? null : (only?.success ?? null);
    if (success !== null) {
      this.#taken.push(...decisions.map((decision) => ({ decision, path: success.path })));
    }
  }

  /** The path of what stands there. @param path of the program */
  pathAt(position: number, path: Path): Path {
    return this.#taken
      .filter(({ decision: { from, to } }) => from <= position && position < to)
      .reduce((before, taken) => together(taken.path, before), path);
  }
}
