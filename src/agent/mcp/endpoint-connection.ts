import type { McpEndpoint } from '../../config/agent-settings.ts';
import { ExitCode, OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import { quoteWord } from '../../quote.ts';
import { answerLimit, type McpConnection } from './connection.ts';
import { asResponse, type McpResponse, outcomeOf } from './response.ts';

/**
 * A server that listens: streamable HTTP, MCP specification 2025-06-18, "Transports". Each message is a POST of its own,
 * answered by JSON or a stream of events. What a server says unasked is not listened to.
 *
 * @throws OxideError `mcp-header` for a header whose variable is not set
 */
export function connectToEndpoint(name: string, { url, headers = {} }: McpEndpoint, env: Environment): McpConnection {
  const own = Object.entries(headers).map(([header, value]) => [header, expand(value, name, env)] as const);
  const closing = new AbortController();
  let session: string | null = null;
  let version: string | null = null;
  let last = 0;

  const post = async (message: object, signal: AbortSignal): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      // Elsewhere the headers, which may hold a key, are nobody's business.
      redirect: 'manual',
      headers: {
        ...Object.fromEntries(own),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...sessionHeaders(session, version),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal,
    });
    session = response.headers.get('mcp-session-id') ?? session;
    return response;
  };
  const notify = (method: string, params: object = {}) => {
    post({ method, params }, closing.signal)
      .then((response) => response.body?.cancel())
      .catch(() => {});
  };

  return {
    name,
    request: async (method, params, signal) => {
      last += 1;
      const id = last;
      const call = new AbortController();
      const onAbort = () => call.abort(signal.reason);
      const signals = [signal, closing.signal];
      for (const each of signals) {
        each.addEventListener('abort', onAbort, { once: true });
      }
      if (signal.aborted) {
        onAbort();
      }
      try {
        return outcomeOf(await answerTo(id, await post({ id, method, params }, call.signal), name, url), name);
      } catch (error) {
        if (signal.aborted) {
          notify('notifications/cancelled', { requestId: id });
          throw signal.reason;
        }
        throw error instanceof OxideError ? error : unreachable(name, url, error);
      } finally {
        for (const each of signals) {
          each.removeEventListener('abort', onAbort);
        }
      }
    },
    notify,
    agree: (protocolVersion) => {
      version = protocolVersion;
    },
    close: () => {
      closing.abort();
      if (session !== null) {
        const goodbye = { ...Object.fromEntries(own), ...sessionHeaders(session, version) };
        // A server that keeps the process waiting keeps its session until it forgets it.
        const time = new AbortController();
        setTimeout(() => time.abort(), 1000).unref();
        fetch(url, { method: 'DELETE', redirect: 'manual', headers: goodbye, signal: time.signal })
          .then((response) => response.body?.cancel())
          .catch(() => {});
      }
    },
  };
}

function sessionHeaders(session: string | null, version: string | null): Readonly<Record<string, string>> {
  return {
    ...(session === null ? {} : { 'mcp-session-id': session }),
    ...(version === null ? {} : { 'mcp-protocol-version': version }),
  };
}

/** `${NAME}` and `${NAME:-default}`: a header without its key would be refused with less to go by. */
function expand(value: string, server: string, env: Environment): string {
  return value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, fallback?: string) => {
    const found = env[name] || fallback;
    if (found === undefined) {
      throw new OxideError('mcp-header', `A header of the MCP server '${server}' needs ${name}, which is not set.`, {
        remedy: `export ${name}=…`,
        exitCode: ExitCode.usage,
      });
    }
    return found;
  });
}

async function answerTo(id: number, response: Response, name: string, url: string): Promise<McpResponse> {
  const { status, body } = response;
  if (!response.ok || body === null) {
    await body?.cancel();
    throw refused(name, url, status);
  }
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const answer = isStream ? await answerInStream(id, body, name) : asResponse(await wholeText(body, name));
  if (answer?.id !== id) {
    throw new OxideError('mcp-failed', `The MCP server '${name}' gave no answer to a request.`);
  }
  return answer;
}

/** HTML Living Standard, "Server-sent events": events end with an empty line, data lines are joined. */
async function answerInStream(id: number, body: ReadableStream<Uint8Array>, name: string): Promise<McpResponse | null> {
  let rest = '';
  for await (const text of texts(body, name)) {
    rest += text;
    const events = rest.split(/\r\n\r\n|\n\n|\r\r/);
    rest = events.pop() ?? '';
    const answer = events.map((event) => asResponse(dataOf(event))).find((found) => found?.id === id);
    if (answer !== undefined && answer !== null) {
      return answer;
    }
  }
  return asResponse(dataOf(rest));
}

function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n');
}

async function wholeText(body: ReadableStream<Uint8Array>, name: string): Promise<string> {
  let whole = '';
  for await (const text of texts(body, name)) {
    whole += text;
  }
  return whole;
}

async function* texts(body: ReadableStream<Uint8Array>, name: string): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > answerLimit) {
      throw new OxideError('mcp-failed', `The MCP server '${name}' answers with more than 32 MiB.`);
    }
    yield decoder.decode(chunk, { stream: true });
  }
}

function refused(name: string, url: string, status: number): OxideError {
  if (status === 401 || status === 403) {
    return new OxideError('mcp-failed', `The MCP server '${name}' at ${url} refuses the key (HTTP ${status}).`, {
      remedy: `"headers": {"Authorization": "Bearer \${NAME}"} in the configuration of '${name}'`,
    });
  }
  if (status === 404) {
    return new OxideError('mcp-gone', `The MCP server '${name}' at ${url} has ended the session, or is not there.`, {
      remedy: 'Begin a new session: oxide-guard agent --continue',
    });
  }
  const way = status >= 300 && status < 400 ? ': it redirects, which is not followed' : '';
  return new OxideError('mcp-failed', `The MCP server '${name}' at ${url} answers with HTTP ${status}${way}.`);
}

function unreachable(name: string, url: string, error: unknown): OxideError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
  return new OxideError('mcp-gone', `The MCP server '${name}' at ${url} can't be reached (${why}).`, {
    remedy: `curl -i ${quoteWord(url)}   # does it listen?`,
    cause: error,
  });
}
