import type { AgentEvent } from '../../agent/event.ts';
import type { PermissionMode, PermissionPort } from '../permission.ts';
import type { QuestionPort } from '../question.ts';

/** What the status line tells. What is not known is null and left out. */
export interface SessionStatus {
  readonly branch: string | null;
  /** Commits that the upstream lacks, and commits that only the upstream has. */
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly model: string;
  /** Input and output tokens of the session so far. */
  readonly tokens: number;
  readonly mode: PermissionMode;
}

/** What the person does to a session besides submitting prompts. */
export interface SessionControls {
  /** Ends the turn that runs, with Ctrl+C; its `result` event still comes. */
  interrupt(): void;
  /** Holds from the next tool call on. */
  changeMode(mode: PermissionMode): void;
  /** The person wants to leave now: a turn that still runs is given up, and {@link TerminalUi.nextPrompt} is null. */
  quit(): void;
}

/** The terminal UI of one session, as the command sees it. */
export interface TerminalUi {
  readonly permissions: PermissionPort;
  /** Suspends the UI, asks with selection lists on the same terminal, and resumes. */
  readonly questions: QuestionPort;
  /** Takes every event of the session, in order. A `result` ends the turn: the UI is ready for the next prompt. */
  show(event: AgentEvent): void;
  /** A line of the program itself: where the session is kept, an error with its remedy. */
  notice(text: string): void;
  setStatus(status: Partial<SessionStatus>): void;
  /** What Ctrl+C does. Before the keyboard is read, and where another program sends it, that is a signal. */
  interrupt(): void;
  /** The next prompt; prompts submitted during a turn wait for it. Null when the person quits. */
  nextPrompt(): Promise<string | null>;
  /** Gives the terminal back; the transcript stays on it. */
  close(): Promise<void>;
}
