import { type ChildProcess, spawn } from 'node:child_process';
import type { McpProgram } from '../../config/agent-settings.ts';
import { OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import { quoteCommand } from '../../quote.ts';
import { BoundedLines } from './bounded-lines.ts';
import { answerLimit, type McpConnection } from './connection.ts';
import { asResponse, outcomeOf } from './response.ts';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts a server. It runs with the person's rights, as everything that the configuration names. */
export function connectToProgram(name: string, server: McpProgram, cwd: string, env: Environment): McpConnection {
  const child = spawn(server.command, [...(server.args ?? [])], {
    cwd,
    env: { ...env, ...server.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let end: OxideError | null = null;
  const gone = (why: string) => {
    end ??= new OxideError('mcp-gone', `The MCP server '${name}' has ended (${why}).`, {
      remedy: `Try it by hand: ${quoteCommand([server.command, ...(server.args ?? [])])}`,
    });
    for (const { reject } of waiting.values()) {
      reject(end);
    }
    waiting.clear();
  };
  child.once('error', (error) => gone(error.message));
  child.once('close', (code, signal) => gone(signal ?? `exit code ${code}`));
  child.stdin.on('error', () => {});
  const lines = new BoundedLines(answerLimit);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const whole = lines.take(chunk);
    if (whole === null) {
      gone('it was ended, because it wrote a line of more than 32 MiB');
      child.stdout.destroy();
      endServer(child);
    }
    for (const line of whole ?? []) {
      settle(line, name, waiting);
    }
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  return {
    name,
    request: (method, params, signal) => {
      if (end !== null) {
        return Promise.reject(end);
      }
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(id);
          send({ method: 'notifications/cancelled', params: { requestId: id } });
          reject(signal.reason);
        };
        const settled =
          <Value>(take: (value: Value) => void) =>
          (value: Value) => {
            signal.removeEventListener('abort', onAbort);
            take(value);
          };
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
        signal.addEventListener('abort', onAbort, { once: true });
        send({ id, method, params });
      });
    },
    notify: (method, params = {}) => send({ method, params }),
    agree: () => {},
    close: () => endServer(child),
  };
}

/** First its input ends, as the protocol has it; who stays is killed. */
function endServer(child: ChildProcess): void {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 1000);
  timer.unref();
  child.once('close', () => clearTimeout(timer));
  child.kill('SIGTERM');
  child.unref();
}

/** Lines that are no answer (notifications, logs on the wrong stream) are none of ours. */
function settle(line: string, name: string, waiting: Map<number, Waiting>): void {
  const response = asResponse(line);
  const waiter = response === null ? undefined : waiting.get(response.id);
  if (response === null || waiter === undefined) {
    return;
  }
  waiting.delete(response.id);
  try {
    waiter.resolve(outcomeOf(response, name));
  } catch (error) {
    waiter.reject(error);
  }
}
