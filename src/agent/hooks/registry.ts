import { type AgentSettings, type HookEvent, hookEvents } from '../../config/agent-settings.ts';
import type { HookInputOf } from './hook-input.ts';
import type { HookOutput } from './hook-output.ts';

/** A hook in this process. Nothing returned means no change; a throw counts as a failure of the hook. */
export type HookFunction<Event extends HookEvent = HookEvent> = (
  input: HookInputOf<Event>,
  signal: AbortSignal,
) => Promise<HookOutput | undefined> | HookOutput | undefined;

export type HookAction =
  | { readonly kind: 'function'; readonly run: HookFunction<never> }
  | { readonly kind: 'command'; readonly command: string };

/** One hook that is configured. */
export interface Hook {
  readonly event: HookEvent;
  /** For people, in notices. */
  readonly name: string;
  /** Tool names or subagent types that it is for; null: all. */
  readonly matcher: RegExp | null;
  readonly action: HookAction;
  /** Milliseconds. */
  readonly timeout: number;
}

export const defaultHookTimeout = 60_000;

/** What is configured: functions first, in the order in which they were registered, then the configuration's commands. */
export interface HookRegistry {
  register<Event extends HookEvent>(
    event: Event,
    name: string,
    run: HookFunction<Event>,
    options?: { readonly matcher?: string; readonly timeout?: number },
  ): void;
  of(event: HookEvent): readonly Hook[];
}

export function createHookRegistry(settings: AgentSettings['hooks'] = {}): HookRegistry {
  const functions: Hook[] = [];
  const commands = hookEvents.flatMap((event) =>
    (settings[event] ?? []).map(({ matcher, command, timeout = defaultHookTimeout }): Hook => {
      const action = { kind: 'command', command } as const;
      return { event, name: command, matcher: compileMatcher(matcher), action, timeout };
    }),
  );
  return {
    register: (event, name, run, { matcher, timeout = defaultHookTimeout } = {}) => {
      functions.push({ event, name, matcher: compileMatcher(matcher), action: { kind: 'function', run }, timeout });
    },
    of: (event) => [...functions, ...commands].filter((hook) => hook.event === event),
  };
}

/** Empty and `*` stand for all, as in other agents' settings. */
function compileMatcher(matcher: string | undefined): RegExp | null {
  return matcher === undefined || matcher === '' || matcher === '*' ? null : new RegExp(`^(?:${matcher})$`);
}
