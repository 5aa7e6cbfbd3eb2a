import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const program = resolve('bin/oxide-guard.js');

export interface KillableServer {
  /** Calls a tool; the answer may never come. */
  call(tool: string, input: object): Promise<Readonly<Record<string, unknown>>>;
  said(): string;
  /** `kill -9`, and nothing of it is there when this resolves. */
  kill(): Promise<void>;
  /** Ends it in good order, and gives its exit code. */
  end(): Promise<number | null>;
}

/** The built program on standard streams, to be killed at a bad moment. */
export async function killableServer(env: NodeJS.ProcessEnv): Promise<KillableServer> {
  const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: 'pipe' });
  const answers = new Map<number, (result: Record<string, unknown>) => void>();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result: Record<string, unknown> };
    answers.get(id)?.(result);
  });
  let last = 0;
  const request = (method: string, params: object) => {
    const id = ++last;
    const answer = new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  };
  const clientInfo = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    call: async (name, input) =>
      (await request('tools/call', { name, arguments: input })).structuredContent as Readonly<Record<string, unknown>>,
    said: () => said,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    end: async () => {
      child.stdin.end();
      return (await ended)[0];
    },
  };
}
