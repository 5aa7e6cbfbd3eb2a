import type { Verdict } from '../config/rules.ts';
import type { Finding } from '../guards/finding.ts';
import type { Usage } from './model.ts';

/** Why a session stopped. */
export type StopReason = 'end_turn' | 'max_turns' | 'interrupted' | 'error';

/**
 * Everything that happens in a session, as it happens: one union drives the terminal UI, plain output, `stream-json`
 * and the control plane's events. Field names are those of the wire.
 */
export type AgentEvent =
  | { readonly type: 'session'; readonly session_id: string; readonly model: string; readonly cwd: string }
  | { readonly type: 'text'; readonly text: string; readonly agent_id?: string }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly agent_id?: string;
    }
  | {
      readonly type: 'permission';
      /** The tool call's. */
      readonly id: string;
      readonly verdict: Verdict;
      readonly rule: string;
      readonly message: string;
      /** The guard's, with evidence; absent where a rule or a person decided. */
      readonly findings?: readonly Finding[];
      /** Of a denial because nobody could answer the guard: `oxide-guard approve` with it allows the command once. */
      readonly approval?: string;
      readonly agent_id?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly name: string;
      readonly is_error: boolean;
      readonly content: string;
      readonly agent_id?: string;
    }
  | { readonly type: 'checkpoint'; readonly checkpoint_id: string; readonly reason: string }
  | {
      readonly type: 'subagent';
      readonly agent_id: string;
      readonly state: 'started' | 'finished' | 'failed';
      readonly subagent_type: string;
      readonly description: string;
    }
  | {
      readonly type: 'result';
      readonly stop_reason: StopReason;
      readonly text: string;
      readonly turns: number;
      readonly usage: Usage;
      readonly session_id: string;
    };
