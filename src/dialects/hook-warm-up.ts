import { spawnSync } from 'node:child_process';
import { type HookPrograms, hookCommand } from './hook-settings.ts';

/**
 * Reaches more of the guard than most commands do, and the shell's grammar, which most of them need. It is allowed, so
 * that it leaves no trace.
 */
const command = 'cd . && ls -la "$PWD" 2>/dev/null | head -n 5; git status -s; git push origin HEAD:refs/heads/warm-up';

/**
 * Runs the agents' hook once, as an agent would, so that the code which V8 has compiled for it lies ready (see
 * `runCached`) and holds what judging such a line needs, whatever the agent asks first. Best effort.
 */
export function warmUpHook(programs: HookPrograms, cwd: string): void {
  const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', cwd, tool_input: { command } };
  spawnSync(hookCommand('claude', programs), {
    shell: true,
    cwd,
    input: JSON.stringify(payload),
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 10_000,
  });
}
