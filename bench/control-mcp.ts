/**
 * A tool call over a real client of the built server, on standard streams and over HTTP: from the request to the answer.
 * Run: `npm run build && npx jiti bench/control-mcp.ts [CALLS]`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const calls = Number(process.argv[2] ?? 1000);
const warmUp = 50;
const program = resolve(import.meta.dirname, '..', 'bin', 'oxide-guard.js');
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: home };

interface Timing {
  readonly name: string;
  readonly milliseconds: readonly number[];
}

/** @param rest milliseconds between two calls, not measured */
async function time(name: string, rest: number, call: () => Promise<unknown>): Promise<Timing> {
  const milliseconds: number[] = [];
  for (let index = -warmUp; index < calls; index += 1) {
    if (rest > 0) {
      await pause(rest);
    }
    const start = performance.now();
    await call();
    if (index >= 0) {
      milliseconds.push(performance.now() - start);
    }
  }
  return { name, milliseconds: milliseconds.sort((one, other) => one - other) };
}

async function measure(transport: string, client: Client, rest: number): Promise<readonly Timing[]> {
  const tool = (name: string, input: Record<string, unknown>) => async () => {
    const result = await client.callTool({ name, arguments: input });
    if (result.isError === true) {
      throw new Error(JSON.stringify(result));
    }
  };
  const { structuredContent } = await client.callTool({
    name: 'project',
    arguments: { action: 'create', name: `bench ${transport}` },
  });
  const { project_id } = structuredContent as { readonly project_id: string };
  return [
    await time(`${transport}: project list`, rest, tool('project', { action: 'list' })),
    await time(`${transport}: project get`, rest, tool('project', { action: 'get', project_id })),
    await time(`${transport}: config_limits`, rest, tool('config_limits', { project_id })),
    await time(`${transport}: workspace_glob`, rest, tool('workspace_glob', { project_id, pattern: '**/*' })),
    await time(`${transport}: tools/list`, rest, () => client.listTools()),
  ];
}

async function overStdio(): Promise<readonly Timing[]> {
  const client = new Client({ name: 'bench', version: '1' });
  const start = performance.now();
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, stderr: 'ignore' }),
  );
  console.log(`stdio: ${(performance.now() - start).toFixed(0)} ms from starting the server to its first answer`);
  const timings = await measure('stdio', client, 0);
  await client.close();
  return timings;
}

async function overHttp(): Promise<readonly Timing[]> {
  const secret = execFileSync(process.execPath, [program, 'tokens', 'create', 'bench', '--scope', 'admin'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const server = spawn(process.execPath, [program, 'mcp', '--http', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((found) => {
    createInterface({ input: server.stderr }).on('line', (line) => {
      const address = /serves MCP at (?<address>http:[^;]+);/.exec(line)?.groups?.address;
      if (address !== undefined) {
        found(address);
      }
    });
  });
  const client = new Client({ name: 'bench', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  // A token may make 50 requests a second.
  const timings = await measure('http', client, 1000 / 50);
  await client.close();
  server.kill('SIGTERM');
  return timings;
}

const at = ({ milliseconds }: Timing, share: number) =>
  (milliseconds[Math.min(milliseconds.length - 1, Math.floor(share * milliseconds.length))] ?? Number.NaN).toFixed(2);

try {
  const timings = [...(await overStdio()), ...(await overHttp())];
  console.log(`\n${calls} calls each, milliseconds\n\n| call | median | p95 | p99 |\n| --- | --- | --- | --- |`);
  for (const timing of timings) {
    console.log(`| ${timing.name} | ${at(timing, 0.5)} | ${at(timing, 0.95)} | ${at(timing, 0.99)} |`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
