/** A choice put to a person. */
export interface Question {
  readonly question: string;
  /** A label of at most 12 characters, shown beside the question. */
  readonly header: string;
  /** 2–4 choices; "Other", a text of one's own, is added by what asks. */
  readonly options: readonly QuestionOption[];
  readonly multiSelect: boolean;
}

export interface QuestionOption {
  readonly label: string;
  readonly description: string;
}

/** By the question's text; the labels chosen for a multi-select are joined by ", ". */
export type Answers = Readonly<Record<string, string>>;

export type QuestionOutcome =
  | { readonly kind: 'answered'; readonly answers: Answers }
  /** The person pressed Esc or Ctrl+C. */
  | { readonly kind: 'cancelled' }
  /** Nobody can be asked: there is no terminal. An answer is never invented. */
  | { readonly kind: 'nobody'; readonly reason: string };

/** The port through which a session asks a person. The plain front asks with `prompts`; the terminal UI suspends itself. */
export interface QuestionPort {
  ask(questions: readonly Question[], signal: AbortSignal): Promise<QuestionOutcome>;
}

/** For sessions that nobody watches: subagents, schedules, pipes. */
export function nobodyToAsk(reason: string): QuestionPort {
  return { ask: () => Promise.resolve({ kind: 'nobody', reason }) };
}
