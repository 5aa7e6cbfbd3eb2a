import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A guard that the corpus is judged by. */
export interface Guard {
  readonly name: string;
  readonly version: string;
  /** Whether the guard lets the command pass without a word; everything else, a question too, counts as stopped. */
  stops(command: string, cwd: string): Promise<boolean>;
  /** The same through the hook that the agent starts; null where the library is the interface. */
  readonly hook: ((command: string, cwd: string) => Promise<boolean>) | null;
}

const modules = join(import.meta.dirname, 'node_modules');

function version(name: string): string {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

function load<T>(...path: string[]): Promise<T> {
  return import(pathToFileURL(join(modules, ...path)).href) as Promise<T>;
}

/** Runs a hook with the payload that Claude Code gives to PreToolUse. */
function runHook(script: string, args: string[], command: string, cwd: string) {
  const payload = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'bench',
    tool_name: 'Bash',
    tool_input: { command },
    cwd,
  });
  return new Promise<{ code: number; stdout: string }>((resolve) => {
    const child = execFile(process.execPath, [script, ...args], { cwd }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout }),
    );
    child.stdin?.end(payload);
  });
}

async function ccSafetyNet(): Promise<Guard> {
  const { checkCommand } = await load<{
    checkCommand(input: { command: string; cwd: string }): { kind: 'allow' | 'deny' };
  }>('cc-safety-net', 'dist', 'api.js');
  return {
    name: 'cc-safety-net',
    version: version('cc-safety-net'),
    stops: async (command, cwd) => checkCommand({ command, cwd }).kind !== 'allow',
    hook: async (command, cwd) => {
      const script = join(modules, 'cc-safety-net', 'dist', 'bin', 'cc-safety-net.js');
      const { stdout } = await runHook(script, ['hook', '--coding-cli'], command, cwd);
      return /"permissionDecision":"(deny|ask)"/.test(stdout);
    },
  };
}

async function blockNoVerify(): Promise<Guard> {
  const { checkCommand } = await load<{ checkCommand(input: string): { blocked: boolean } }>(
    'block-no-verify',
    'dist',
    'index.js',
  );
  return {
    name: 'block-no-verify',
    version: version('block-no-verify'),
    stops: async (command) => checkCommand(command).blocked,
    hook: async (command, cwd) => {
      const script = join(modules, 'block-no-verify', 'dist', 'cli.js');
      return (await runHook(script, [], command, cwd)).code === 2;
    },
  };
}

/** An OpenCode plugin: its hook is the function that OpenCode calls before it asks for a permission. */
async function destructiveCheck(): Promise<Guard> {
  const name = '@sureshsankaran/opencode-destructive-check';
  type Ask = (input: object, output: { status: string }) => Promise<void>;
  const plugin = await load<{ default: () => Promise<{ 'permission.ask': Ask }> }>(name, 'src', 'index.ts');
  const hooks = await plugin.default();
  return {
    name: 'opencode-destructive-check',
    version: version(name),
    stops: async (command) => {
      const output = { status: 'allow' };
      await hooks['permission.ask'](
        { id: '1', permission: 'bash', patterns: [command], sessionID: 'bench', metadata: { command } },
        output,
      );
      return output.status !== 'allow';
    },
    hook: null,
  };
}

/** The peers, each by its library where that answers as its hook does. */
export function peers(): Promise<readonly Guard[]> {
  return Promise.all([ccSafetyNet(), blockNoVerify(), destructiveCheck()]);
}
