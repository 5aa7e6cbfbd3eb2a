/** What a model asks to be run. */
export interface ToolCall {
  /** The provider's id: its result must carry the same. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolCallResult {
  readonly callId: string;
  readonly name: string;
  /** What the model sees. */
  readonly content: string;
  readonly isError: boolean;
}

/** One message of a conversation, in no provider's form. Ids are the session's own. */
export type Message =
  | { readonly role: 'user'; readonly id: string; readonly text: string }
  | { readonly role: 'assistant'; readonly id: string; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly results: readonly ToolCallResult[] };
