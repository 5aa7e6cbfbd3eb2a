import { type HookInput, subjectOf } from './hook-input.ts';
import type { Hook, HookRegistry } from './registry.ts';

/** The hooks that an event calls: of its kind, and for its tool or subagent. A command that is configured twice runs once. */
export function planHooks(registry: HookRegistry, input: HookInput): readonly Hook[] {
  const subject = subjectOf(input);
  const commands = new Set<string>();
  return registry.of(input.hook_event_name).filter(({ matcher, action }) => {
    if (matcher !== null && (subject === null || !matcher.test(subject))) {
      return false;
    }
    if (action.kind === 'function') {
      return true;
    }
    const isNew = !commands.has(action.command);
    commands.add(action.command);
    return isNew;
  });
}
