import { spawn } from 'node:child_process';
import type { Environment } from '../git/runner.ts';
import { type Check, type Diagnosis, failure, fine, warning } from '../githooks/doctor.ts';
import { quoteWord } from '../quote.ts';
import { linkInTheWay } from './agent-installation.ts';
import { type AgentName, agentNames } from './dialect.ts';
import { dialects } from './dialects.ts';
import { hooksOff } from './hooks-off.ts';
import { hearsAll, installedCommand } from './installed-hook.ts';
import { trialCommand } from './trial.ts';

const check = 'agent-refuses';
const patience = 10_000;

/** Does each agent's hook, started as that agent would start it, answer a force push with a denial? */
export const agentRefuses: Check = {
  name: check,
  async examine({ repository, env }) {
    const { workTree } = repository;
    const found = workTree === null ? [] : agentNames.filter((name) => installedCommand(name, workTree) !== null);
    return Promise.all(found.map((name) => examineAgent(name, workTree ?? '', env)));
  },
};

async function examineAgent(name: AgentName, workTree: string, env: Environment): Promise<Diagnosis> {
  const { title } = dialects[name];
  const remedy = `npx oxide-guard install --agent ${name}`;
  const link = linkInTheWay(name, workTree);
  if (link !== null) {
    return failure(check, `${title} reads no settings through a symbolic link: ${link}`, `ls -ld ${quoteWord(link)}`);
  }
  const off = hooksOff(name, workTree, env);
  if (off !== null) {
    return failure(check, `${title} starts no hooks: ${off.file} says ${off.setting}.`, `Take that out of ${off.file}`);
  }
  const output = await start(installedCommand(name, workTree) ?? '', cannedCall(name, workTree), workTree, env);
  const answer = parsed(output);
  if (answer === null) {
    return failure(check, `${title}'s hook can't be started or does not answer a force push.`, remedy);
  }
  const text = JSON.stringify(answer);
  if (/"deny"/.test(text) && !hearsAll(name, workTree)) {
    return warning(
      check,
      `${title}'s hook is not told of every tool that this version judges: its settings are older, or were changed.`,
      remedy,
    );
  }
  if (/"deny"/.test(text)) {
    return fine(check, `${title}'s hook refuses a force push to main`);
  }
  return warning(
    check,
    `${title}'s hook answers a force push to main with no denial: ${text.slice(0, 200)}`,
    'oxide-guard config print   # is protected-force-push set to less than deny?',
  );
}

/** A force push as each agent would announce it. */
function cannedCall(name: AgentName, cwd: string): unknown {
  const input = { command: trialCommand };
  const claudes = { hook_event_name: 'PreToolUse', session_id: 'doctor', cwd, tool_input: input };
  const calls: Readonly<Record<AgentName, unknown>> = {
    claude: { ...claudes, tool_name: 'Bash' },
    codex: { ...claudes, tool_name: 'Bash' },
    droid: { ...claudes, tool_name: 'Execute' },
    qwen: { ...claudes, tool_name: 'run_shell_command' },
    copilot: { cwd, toolName: 'bash', toolArgs: JSON.stringify(input) },
    cursor: { hook_event_name: 'beforeShellExecution', cwd, ...input },
    gemini: { ...claudes, hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' },
    opencode: { tool: 'bash', args: input, cwd },
    grok: { hookEventName: 'PreToolUse', cwd, toolName: 'Bash', toolInput: input },
  };
  return calls[name];
}

/** Standard output of a hook's command with a call on its input. */
function start(command: string, call: unknown, cwd: string, env: Environment): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd, env: { ...env }, shell: true, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stdin.on('error', () => undefined);
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(output);
    });
    child.stdin.end(JSON.stringify(call));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
