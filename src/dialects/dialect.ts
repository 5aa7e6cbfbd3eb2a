/** The coding agents whose hooks the guard answers. */
export const agentNames = [
  'claude',
  'codex',
  'copilot',
  'cursor',
  'gemini',
  'droid',
  'opencode',
  'qwen',
  'grok',
] as const;

export type AgentName = (typeof agentNames)[number];

export function isAgentName(name: string): name is AgentName {
  return (agentNames as readonly string[]).includes(name);
}

/** An agent's payload: one JSON object, of which nothing else is known yet. */
export type Payload = Readonly<Record<string, unknown>>;

/** One shell for a whole session, which stays where a command leaves it. */
export interface KeptShell {
  /** Where it stood at first; null where nothing tells. */
  readonly began: string | null;
  /** Does this payload tell where it stands? If not, the call's directory is the one where it began. */
  readonly isTold: boolean;
}

/**
 * A command that an agent wants to run. `before-tool`: always asked; `permission-request`: the agent is about to ask
 * its user, so an "ask" of the guard needs nothing more.
 */
export interface ToolCall {
  readonly event: 'before-tool' | 'permission-request';
  readonly command: string;
  /** Where the command runs; null: where the agent started the hook. */
  readonly cwd: string | null;
  readonly session: string | null;
  /** The agent's id of this tool call; null where it gives none. */
  readonly id: string | null;
  /** Another of the agent's events may have asked about this very call just before, with an id that this one lacks. */
  readonly follows: boolean;
  /** Null where every command has a shell of its own, or the agent always tells where its shell stands. */
  readonly keptShell: KeptShell | null;
  /** The agent runs without asking anybody: an "ask" would be lost. */
  readonly unattended: boolean;
}

/** `not-ours`: another event or tool, no opinion. `malformed`: a shell command that can't be read, to be stopped. */
export type Parsed = ToolCall | 'not-ours' | 'malformed';

/** What the guard has to say about a call; no opinion is no answer at all. */
export interface Opinion {
  readonly verdict: 'deny' | 'ask' | 'notice';
  readonly reason: string;
}

/** One object, or nothing, for the agent's reader; the exit code where the agent goes by it. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** How one agent asks and wants to be answered. */
export interface Dialect {
  readonly name: AgentName;
  /** The agent's name for people. */
  readonly title: string;
  parse(payload: Payload): Parsed;
  /** Can the agent be told to ask its user about this call? */
  canAsk(call: ToolCall): boolean;
  /** What says that there is no objection, where the agent takes silence for a failure; otherwise that is silence. */
  readonly silence?: Answer;
  /** @param call null when the payload could not be read: the answer must stop whatever it was */
  render(opinion: Opinion, call: ToolCall | null): Answer;
}

export const noOpinion: Answer = { stdout: '', stderr: '', exitCode: 0 };

export function answerJson(value: unknown): Answer {
  return { stdout: JSON.stringify(value), stderr: '', exitCode: 0 };
}
