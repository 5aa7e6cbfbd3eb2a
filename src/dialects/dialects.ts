import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { AgentName, Dialect, Payload } from './dialect.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { grok } from './grok.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** Every dialect by its agent's name. Getters: an agent's hook starts no dialect but the one it speaks. */
export const dialects: Readonly<Record<AgentName, Dialect>> = {
  get claude() {
    return claude;
  },
  get codex() {
    return codex;
  },
  get copilot() {
    return copilot;
  },
  get cursor() {
    return cursor;
  },
  get gemini() {
    return gemini;
  },
  get droid() {
    return droid;
  },
  get opencode() {
    return opencode;
  },
  get qwen() {
    return qwen;
  },
  get grok() {
    return grok;
  },
};

/**
 * The dialect a payload is written in. Cursor, Grok and Copilot also start the hooks they find in other agents'
 * settings, with payloads of their own: they are answered as they ask, whatever the hook was installed for.
 */
export function dialectOf(payload: Payload, installedFor: AgentName): Dialect {
  const has = (...names: readonly string[]) => names.every((name) => payload[name] !== undefined);
  const event = payload.hook_event_name;
  if (has('toolName', 'toolInput')) {
    return grok;
  }
  if (has('toolName', 'toolArgs')) {
    return copilot;
  }
  if (event === 'beforeShellExecution' || event === 'preToolUse') {
    return cursor;
  }
  if (event === 'BeforeTool') {
    return gemini;
  }
  const isClaudes = event === 'PreToolUse' || event === 'PermissionRequest';
  const speaksClaude = ['claude', 'codex', 'droid', 'qwen', 'grok'].includes(installedFor);
  return isClaudes && !speaksClaude ? claude : dialects[installedFor];
}
