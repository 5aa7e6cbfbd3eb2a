import type { AgentTools } from '../control/agent-tools.ts';

/** The control plane's tools for an agent's registry; their modules are loaded where they are wanted. */
export async function agentControl(notify: (text: string) => void): Promise<AgentTools> {
  const [{ agentTools }, { systemClock }, { controlStore }] = await Promise.all([
    import('../control/agent-tools.ts'),
    import('../control/clock.ts'),
    import('./control-environment.ts'),
  ]);
  return agentTools({ env: process.env, store: controlStore(null), clock: systemClock, notify });
}
