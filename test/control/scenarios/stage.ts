import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const program = resolve('bin/oxide-guard.js');

export type Transport = 'stdio' | 'http';

/** What a tool answered. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly progress: readonly Progress[];
}

/** The built program as a server of its own, with state of its own, and a real client of it. */
export interface Stage {
  readonly client: Client;
  readonly env: Readonly<Record<string, string>>;
  readonly root: string;
  /** Over HTTP. */
  readonly url: string | null;
  /** Everything that the server has said on stderr. */
  said(): string;
  call(
    tool: string,
    input?: object,
    options?: { readonly signal?: AbortSignal; readonly timeout?: number },
  ): Promise<Answer>;
  /** Runs another command of the program on the same state, and gives what it prints. */
  run(...words: string[]): string;
  close(): Promise<void>;
}

export interface StageOptions {
  /** Turns of the model, for each session anew. */
  readonly turns?: readonly object[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function stage(transport: Transport, { turns = [], env: more = {} }: StageOptions = {}): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-scenario-')));
  const recording = join(root, 'turns.jsonl');
  writeFileSync(recording, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith('XDG_'),
  );
  const env = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    XDG_RUNTIME_DIR: join(root, 'run'),
    // Whatever engine this machine has: what its images are is not known here.
    DOCKER_HOST: 'unix:///nonexistent/engine.sock',
    OXIDE_GUARD_PROVIDER: `replay:${recording}`,
    ...more,
  };
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [program, ...words], {
      env,
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const server = transport === 'stdio' ? await overStdio(root, env) : await overHttp(root, env, run);
  return {
    ...server,
    env,
    root,
    run,
    call: async (name, input = {}, options = {}) => {
      const progress: Progress[] = [];
      const result = await server.client.callTool(
        { name, arguments: { ...input } },
        { timeout: 60_000, onprogress: (step) => progress.push(step), ...options },
      );
      const [content] = result.content as { readonly type: string; readonly text: string }[];
      return {
        isError: result.isError === true,
        text: content?.text ?? '',
        data: (result.structuredContent ?? {}) as Answer['data'],
        progress,
      };
    },
  };
}

type Server = Pick<Stage, 'client' | 'url' | 'said' | 'close'>;

async function overStdio(cwd: string, env: Record<string, string>): Promise<Server> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env,
    cwd,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (data) => {
    said += data;
  });
  const client = new Client(
    { name: 'scenario', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(transport);
  return { client, url: null, said: () => said, close: () => client.close() };
}

async function overHttp(cwd: string, env: Record<string, string>, run: Stage['run']): Promise<Server> {
  const secret = run('tokens', 'create', 'scenario', '--scope', 'admin').trim();
  const { url, said, child } = await httpServer(cwd, env);
  const client = await httpClient(url, secret);
  return {
    client,
    url,
    said,
    close: async () => {
      await client.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The program over HTTP, at a free port. */
export async function httpServer(
  cwd: string,
  env: Record<string, string>,
): Promise<{ readonly url: string; readonly said: () => string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [program, 'mcp', '--http', '0'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((found, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      said += `${line}\n`;
      const address = /serves MCP at (?<address>http:\S+)\/mcp/.exec(line)?.groups?.address;
      if (address !== undefined) {
        found(address);
      }
    });
  });
  return { url, said: () => said, child };
}

export async function httpClient(url: string, secret: string): Promise<Client> {
  const client = new Client({ name: 'scenario', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}
