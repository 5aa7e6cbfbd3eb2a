import { spawn, spawnSync } from 'node:child_process';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a session of its own: without a controlling terminal, as CI and graphical clients do. */
export function withoutTerminal(cwd: string, program: string, ...args: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync('setsid', ['-w', program, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    input: '',
  });
  return { status, stdout, stderr };
}

/** One thing a person types when the screen shows something. */
export interface Reply {
  readonly when: RegExp;
  readonly type: string;
}

/**
 * Runs a shell command in a real pseudo-terminal (script(1)) and types the replies, each once, in order.
 *
 * @returns the exit code and all that was shown
 */
export function inTerminal(
  cwd: string,
  command: string,
  replies: readonly Reply[],
): Promise<{ status: number | null; screen: string }> {
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pending = [...replies];
  let screen = '';
  let unread = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    screen += chunk;
    unread += chunk;
    const [next] = pending;
    if (next?.when.test(unread)) {
      pending.shift();
      unread = '';
      child.stdin.write(next.type);
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, screen: screen.replaceAll('\r', '') }));
  });
}
