import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { clients } from './clients.ts';
import { providerServer } from './provider-server.ts';
import type { Wish } from './tool-use.ts';

/** What one drive found out, printed as one line of JSON. */
export interface DriveReport {
  /** What the model was told the tool had done; null when no tool was called. Of several calls, all or the last. */
  readonly result: string | null;
  readonly output: string;
}

/** Milliseconds; some clients look for a network first, and give up after a while. */
const patience = 240_000;

/**
 * Drives one client to its tool calls, inside a network namespace that the test has made.
 *
 * @param agent one of {@link clients}
 * @param root where the clients' packages are installed
 * @param wishes what the model wants, one after the other
 * @param tool the tool that shall run commands; null for the usual one
 */
export async function drive(
  agent: string,
  root: string,
  home: string,
  work: string,
  wishes: readonly Wish[],
  tool: string | null,
): Promise<DriveReport> {
  const client = clients.find((candidate) => candidate.agent === agent);
  let result: string | null = null;
  const server = providerServer({
    wishes,
    tool,
    onResult: (text) => {
      result = text;
    },
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const stage = { home, work, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const [program = '', ...args] = client?.command(root, stage) ?? [];
  client?.prepare(stage);
  const env = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', ...client?.env(stage) };
  const output = await new Promise<string>((ended) => {
    const child = spawn(program, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience });
    let text = '';
    const take = (chunk: Buffer) => {
      text += chunk;
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => ended(String(error)));
    child.on('close', () => ended(text));
  });
  server.close();
  server.closeAllConnections();
  return { result, output };
}
