import type { CommitConvention, RuleName } from '../convention.ts';
import type { HeaderLine, ParsedMessage } from '../parse.ts';

/** A stretch of one line of the message: where the caret goes. */
export interface Position {
  /** 1 for the first line. */
  readonly line: number;
  /** 1 for the first character, counted in UTF-16 code units. */
  readonly column: number;
  /** In UTF-16 code units; 0 marks a place where something is missing. */
  readonly length: number;
}

/** What a rule has to say against a message. */
export interface Objection {
  /** What is wrong, in plain words. */
  readonly message: string;
  readonly position?: Position;
  /** What to put at the position to satisfy the rule, where that changes no meaning. */
  readonly replacement?: string;
}

/** One rule of the convention: pure, null when it has nothing to say. */
export interface Rule {
  readonly name: RuleName;
  check(message: ParsedMessage, convention: CommitConvention): Objection | null;
}

/** A stretch of the header. `column` counts from 0 here. */
export function inHeader(header: HeaderLine | null, column: number, length: number): { position?: Position } {
  return header === null ? {} : { position: { line: header.firstLine + 1, column: column + 1, length } };
}

/** Where the subject begins in the header, counted from 0. */
export function subjectColumn(message: ParsedMessage): number {
  return (message.header?.text.length ?? 0) - (message.subject?.length ?? 0);
}
