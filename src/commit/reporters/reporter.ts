import type { Paint } from '../../ui/paint.ts';
import type { CommitConvention } from '../convention.ts';
import type { LintedMessage } from '../linted-message.ts';

export interface ReportContext {
  readonly paint: Paint;
  /** Of the terminal that it goes to, if it is one. */
  readonly columns: number | undefined;
  readonly convention: CommitConvention;
  /** A range of commits was asked for, be it of one commit. */
  readonly isRange: boolean;
}

/** Renders what the linter said. Ends without a newline; empty when there is nothing to print. */
export type Reporter = (linted: readonly LintedMessage[], context: ReportContext) => string;
