import type { Environment } from '../../git/runner.ts';
import { aggregate, type HookVerdict } from './aggregator.ts';
import type { HookInput } from './hook-input.ts';
import { planHooks } from './planner.ts';
import type { Hook, HookRegistry } from './registry.ts';
import { type HookOutcome, runHook } from './runner.ts';

/** Tells hooks what happens, and asks them. */
export interface HookBus {
  readonly registry: HookRegistry;
  /**
   * Never rejects. Functions run in the order of their registration, up to the first denial; then the configured
   * commands, all at the same time. What they say is merged.
   */
  emit(input: HookInput, signal: AbortSignal): Promise<HookVerdict>;
}

export interface HookBusOptions {
  readonly registry: HookRegistry;
  readonly cwd: string;
  readonly env: Environment;
  /** Called with every hook that has run: the session keeps it. */
  readonly onOutcome?: (input: HookInput, outcome: HookOutcome) => void;
}

const silence: HookVerdict = aggregate([]);

/** registry (what is configured) → planner (which apply) → runner (how each ends) → aggregator (what they say together). */
export function createHookBus({ registry, cwd, env, onOutcome }: HookBusOptions): HookBus {
  return {
    registry,
    emit: async (input, signal) => {
      const hooks = planHooks(registry, input);
      if (hooks.length === 0) {
        return silence;
      }
      const outcomes: HookOutcome[] = [];
      const run = async (hook: Hook) => {
        const outcome = await runHook(hook, input, { cwd, env, signal });
        onOutcome?.(input, outcome);
        return outcome;
      };
      for (const hook of hooks.filter(({ action }) => action.kind === 'function')) {
        outcomes.push(await run(hook));
        if (aggregate(outcomes).decision === 'deny') {
          return aggregate(outcomes);
        }
      }
      const commands = hooks.filter(({ action }) => action.kind === 'command');
      return aggregate([...outcomes, ...(await Promise.all(commands.map(run)))]);
    },
  };
}
