import { spawnSync } from 'node:child_process';
import type { HookPrograms } from './hook-settings.ts';

/** Reaches more of the guard than most commands do, and is allowed, so that it leaves no trace. */
const command = 'git push origin HEAD:refs/heads/warm-up';

/**
 * Runs the agents' hook once, as an agent would, so that the code which V8 has compiled for it lies ready (see
 * `runCached`) and holds what judging a push needs, whatever the agent asks first. Best effort.
 */
export function warmUpHook({ node, hook }: HookPrograms, cwd: string): void {
  const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', cwd, tool_input: { command } };
  spawnSync(node, [hook, '--agent', 'claude'], {
    cwd,
    input: JSON.stringify(payload),
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 10_000,
  });
}
