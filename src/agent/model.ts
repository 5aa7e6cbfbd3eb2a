import type { JsonSchema } from '../tools/tool.ts';
import type { Message, ToolCall } from './message.ts';

/** Tokens as the provider counts them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that came from the provider's cache; a part of `inputTokens`. */
  readonly cachedInputTokens: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonSchema }[];
  readonly signal: AbortSignal;
  /** Takes text as it streams in. */
  readonly onText: (text: string) => void;
  /** Takes what the person should know while they wait: that the provider is busy, and for how long. */
  readonly onNotice: (text: string) => void;
}

/** One turn of the model: text to finish with, or calls to run. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
  /** `length`: the provider cut the output; the turn's calls are not complete and must not run. */
  readonly stop: 'end' | 'calls' | 'length' | 'refused';
}

/**
 * A language model. The loop knows nothing else of providers.
 */
export interface Model {
  /** `claude-opus-4-1`, `replay:demo` */
  readonly name: string;
  /**
   * @throws OxideError `model-*` with a remedy, after its own retries; an abort rejects with the signal's reason
   */
  turn(request: ModelRequest): Promise<ModelTurn>;
}
