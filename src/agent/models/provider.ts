import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  type AssistantModelMessage,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  RetryError,
  streamText,
  type ToolModelMessage,
  type ToolSet,
  tool,
} from 'ai';
import type { ProviderName } from '../../config/agent-settings.ts';
import { OxideError } from '../../errors.ts';
import type { Message, ToolCall } from '../message.ts';
import type { Model, ModelRequest, ModelTurn } from '../model.ts';
import { type ModelAddress, missingKey, modelError, shown } from './failure.ts';
import { defaultRetries, type RetryAdvice, type RetryOptions, retryAfterOf, withRetries } from './retry.ts';
import { wellFormed, wellFormedValue } from './well-formed.ts';

// The only file that knows the provider SDK; the command line loads it when a session talks to a provider.

export interface ProviderOptions {
  readonly provider: ProviderName;
  readonly model: string;
  /** Null: the provider's own. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly retries?: RetryOptions;
}

const providers: Readonly<Record<ProviderName, { readonly baseUrl: string; readonly keyVariable: string }>> = {
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyVariable: 'ANTHROPIC_API_KEY' },
  'openai-compatible': { baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
};

/**
 * A model behind the AI SDK: one step a turn, the tools without `execute`, for the loop runs them.
 *
 * @throws OxideError `model-key-missing`; a server of one's own (`baseUrl`) that speaks OpenAI's format may want no key
 */
export function openProviderModel(options: ProviderOptions): Model {
  const { provider, model, apiKey, retries = defaultRetries } = options;
  const known = providers[provider];
  const isOwnServer = provider === 'openai-compatible' && options.baseUrl !== null;
  if (apiKey === null && !isOwnServer) {
    throw missingKey(known.keyVariable);
  }
  const baseUrl = (options.baseUrl ?? known.baseUrl).replace(/\/+$/, '');
  const address: ModelAddress = { provider, model, baseUrl, keyVariable: known.keyVariable };
  // The SDK would print its remarks on standard output, which belongs to the session.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const languageModel = openLanguageModel(provider, model, baseUrl, apiKey);
  return {
    name: model,
    turn: (request) => runTurn(languageModel, request, address, retries),
  };
}

function openLanguageModel(
  provider: ProviderName,
  model: string,
  baseURL: string,
  apiKey: string | null,
): Exclude<LanguageModel, string> {
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ baseURL, apiKey: apiKey ?? '' })(model);
    case 'openai-compatible':
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        includeUsage: true,
        ...(apiKey === null ? {} : { apiKey }),
      })(model);
  }
}

/** An attempt that can't be made again: the person has seen a part of its answer. */
class Interrupted extends Error {}

async function runTurn(
  languageModel: Exclude<LanguageModel, string>,
  request: ModelRequest,
  address: ModelAddress,
  retries: RetryOptions,
): Promise<ModelTurn> {
  try {
    return await withRetries(() => streamTurn(languageModel, request), adviceOn, request.signal, {
      ...retries,
      onWait: (pause, error) =>
        request.onNotice(
          `The model's provider: ${shown(providerMessage(error))}. Trying again in ${Math.ceil(pause / 1000)} s.`,
        ),
    });
  } catch (error) {
    request.signal.throwIfAborted();
    throw asModelError(error, address);
  }
}

async function streamTurn(languageModel: Exclude<LanguageModel, string>, request: ModelRequest): Promise<ModelTurn> {
  const { system, messages, tools, signal, onText } = request;
  const result = streamText({
    model: languageModel,
    system: { role: 'system', content: wellFormed(system), providerOptions: cacheUpToHere },
    messages: withCacheMark(messages.flatMap(asModelMessages)),
    tools: Object.fromEntries(tools.map((declared) => [declared.name, asTool(declared)])),
    abortSignal: signal,
    maxRetries: 0,
    // Anthropic's wire wants a limit; the SDK lowers it to what a model is known to allow.
    ...(languageModel.provider.startsWith('anthropic') ? { maxOutputTokens: 32_000 } : {}),
    // Errors come as parts of the stream, and are thrown below.
    onError: () => {},
  });
  let text = '';
  let turn: ModelTurn | null = null;
  const calls: ToolCall[] = [];
  try {
    for await (const part of result.fullStream) {
      switch (part.type) {
        case 'text-delta':
          text += part.text;
          onText(part.text);
          break;
        case 'tool-call':
          calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
          break;
        case 'error':
          throw part.error;
        case 'finish-step':
          turn = { text, calls, usage: usageOf(part.usage), stop: stopOf(part, calls.length) };
          break;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw text === '' ? error : new Interrupted(providerMessage(error), { cause: error });
  }
  signal.throwIfAborted();
  if (turn === null) {
    throw new Error('it ended before it was complete');
  }
  return turn;
}

type Finish = { readonly finishReason: string; readonly rawFinishReason: string | undefined };

function stopOf({ finishReason, rawFinishReason }: Finish, calls: number): ModelTurn['stop'] {
  if (rawFinishReason === undefined) {
    // Providers always say why they stop; without it the connection was cut.
    throw new Error('it ended before it was complete');
  }
  switch (finishReason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refused';
    default:
      return calls > 0 ? 'calls' : 'end';
  }
}

interface SdkUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly inputTokenDetails?: { readonly cacheReadTokens: number | undefined };
}

function usageOf({ inputTokens = 0, outputTokens = 0, inputTokenDetails }: SdkUsage): ModelTurn['usage'] {
  return { inputTokens, outputTokens, cachedInputTokens: inputTokenDetails?.cacheReadTokens ?? 0 };
}

function asTool({ description, parameters }: ModelRequest['tools'][number]): ToolSet[string] {
  return tool({ description, inputSchema: jsonSchema<never>(parameters) }) as ToolSet[string];
}

/** The prefix up to here is the same in the next turn: Anthropic reads it from its cache then. */
const cacheUpToHere = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

function withCacheMark(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, providerOptions: cacheUpToHere } : message,
  );
}

function asModelMessages(message: Message): readonly ModelMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: wellFormed(message.text) }];
    case 'assistant':
      return asAssistantMessage(message.text, message.calls);
    case 'tool':
      return [asToolMessage(message)];
  }
}

function asAssistantMessage(text: string, calls: readonly ToolCall[]): readonly AssistantModelMessage[] {
  const content: AssistantModelMessage['content'] = [
    // Anthropic's server refuses a text of white space alone, though its models write some before a call.
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text: wellFormed(text) }]),
    ...calls.map(({ id, name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      // A call whose arguments were no JSON object must be one when it is sent back.
      input: wellFormedValue(typeof input === 'object' && input !== null ? input : { invalid: input }),
    })),
  ];
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

function asToolMessage({ results }: Extract<Message, { role: 'tool' }>): ToolModelMessage {
  return {
    role: 'tool',
    content: results.map(({ callId, name, content, isError }) => ({
      type: 'tool-result',
      toolCallId: callId,
      toolName: name,
      output: { type: isError ? 'error-text' : 'text', value: wellFormed(content) },
    })),
  };
}

/** Statuses that another attempt may mend: too many requests, and the server's own trouble (529: Anthropic's "overloaded"). */
function mayPass(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function adviceOn(thrown: unknown): RetryAdvice {
  const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
  if (error instanceof Interrupted || error instanceof OxideError) {
    return { retry: false, retryAfter: null };
  }
  if (!APICallError.isInstance(error)) {
    return { retry: true, retryAfter: null };
  }
  const { statusCode, responseHeaders = {} } = error;
  // 200: the answer began, and its stream broke.
  const retry = statusCode === undefined ? connectionOf(error) === null : statusCode === 200 || mayPass(statusCode);
  return { retry, retryAfter: retryAfterOf(responseHeaders, Date.now()) };
}

function asModelError(thrown: unknown, address: ModelAddress): OxideError {
  const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
  if (error instanceof OxideError) {
    return error;
  }
  const status = APICallError.isInstance(error) ? (error.statusCode ?? null) : statusInStream(error);
  const isAnswered = status !== null && status !== 200;
  return modelError(
    {
      status: isAnswered ? status : null,
      message: providerMessage(error),
      connection: isAnswered || error instanceof Interrupted ? null : connectionOf(error),
      cause: error,
    },
    address,
  );
}

/** Anthropic reports an overload that comes after the headers as an event of the stream. */
function statusInStream(error: unknown): number | null {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  return type === 'overloaded_error' ? 529 : type === 'rate_limit_error' ? 429 : null;
}

/** The system's code of a connection that could not be made, through the causes of an error. */
function connectionOf(error: unknown): string | null {
  for (let cause = error, depth = 0; depth < 5 && typeof cause === 'object' && cause !== null; depth += 1) {
    const code = 'code' in cause ? cause.code : null;
    if (
      typeof code === 'string' &&
      /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS)/.test(code)
    ) {
      return code;
    }
    cause = 'cause' in cause ? cause.cause : null;
  }
  return null;
}

/** Providers throw texts and plain objects, too. */
function providerMessage(error: unknown): string {
  if (error instanceof Error) {
    return error.message;
  }
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
