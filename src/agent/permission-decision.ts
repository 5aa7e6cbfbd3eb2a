import type { Verdict } from '../config/rules.ts';
import { pasteable } from '../own-command.ts';
import type { Tool } from '../tools/tool.ts';
import type { PermissionAnswer } from '../ui/permission.ts';
import type { HookVerdict } from './hooks/aggregator.ts';
import type { ToolCall } from './message.ts';
import { rememberedRule } from './permissions.ts';
import { agentOf, guardedCall, inputOfHook, sceneOf, type ToolCallPorts } from './tool-call-ports.ts';

type Input = Readonly<Record<string, unknown>>;

/** A valid call, and what the PreToolUse hooks said of it. */
export interface ProposedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: Input;
  readonly before: HookVerdict;
}

export type CallDecision =
  | {
      readonly kind: 'allowed';
      readonly input: Input;
      readonly unsandboxed: boolean;
      readonly answer: 'policy' | 'person' | 'approval';
    }
  | { readonly kind: 'denied'; readonly code: string; readonly message: string; readonly interrupt: string | null };

/** Why a person must be asked, from one who says so. */
interface Reason {
  readonly rule: string;
  readonly message: string;
  /** Answered by any allowance: only the mode asks. */
  readonly isDefault: boolean;
}

/** What was decided, as events tell it. */
interface Decision {
  readonly rule: string;
  readonly message: string;
  readonly approval?: string | null;
}

/** What all stages before the user say. */
interface Standing {
  readonly input: Input;
  readonly reasons: readonly Reason[];
  readonly isAllowed: boolean;
}

/**
 * Rules, mode, guard and PermissionRequest hooks, then the user: a denial of any of them is final, a question goes to
 * the user, and an allowance answers only what the mode asks. An input that a hook changed is judged anew.
 */
export async function decideCall(
  proposed: ProposedCall,
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<CallDecision> {
  const { before } = proposed;
  if (before.decision === 'deny') {
    return deny(proposed, ports, { rule: 'PreToolUse', message: before.message || 'A PreToolUse hook denied it.' });
  }
  let standing = await takeStanding(proposed, ports, signal, true);
  if (!('kind' in standing) && standing.input !== proposed.input) {
    const changed = await takeStanding({ ...proposed, input: standing.input }, ports, signal, false);
    standing = 'kind' in changed ? changed : { ...changed, isAllowed: changed.isAllowed || standing.isAllowed };
  }
  if ('kind' in standing) {
    return standing;
  }
  const { input, isAllowed } = standing;
  const unsandboxed = proposed.tool.shellCommand?.(input)?.unsandboxed === true;
  const reasons = standing.reasons.filter(({ isDefault }) => !isDefault || !isAllowed);
  const answer = reasons.length === 0 ? 'policy' : await askUser({ ...proposed, input }, reasons, ports, signal);
  if (typeof answer !== 'string') {
    return answer;
  }
  const refusal = unsandboxed ? await confirmUnsandboxed({ ...proposed, input }, ports, signal) : null;
  return refusal ?? { kind: 'allowed', input, unsandboxed, answer };
}

async function takeStanding(
  proposed: ProposedCall,
  ports: ToolCallPorts,
  signal: AbortSignal,
  mayChangeInput: boolean,
): Promise<Standing | CallDecision> {
  const { call, tool, input, before } = proposed;
  const { context, permissions, hooks, guard, onStage } = ports;
  onStage?.('rules', call);
  const ruled = { tool, input, cwd: context.cwd, env: context.env };
  const rules = permissions.byRules(ruled);
  const mode = permissions.byMode(ruled, context.roots);
  const denial = [rules, mode].find(({ verdict }) => verdict === 'deny');
  if (denial !== undefined) {
    return deny(proposed, ports, denial);
  }
  if (tool.shellCommand?.(input)?.unsandboxed === true && !ports.allowUnsandboxed) {
    const message = 'The configuration forbids commands without the sandbox (agent.allowUnsandboxed).';
    return deny(proposed, ports, { rule: 'allowUnsandboxed', message });
  }
  onStage?.('PermissionRequest', call);
  const asked = await hooks.emit(
    { hook_event_name: 'PermissionRequest', ...sceneOf(call, tool, input, ports) },
    signal,
  );
  const guarded = guardedCall(call, ports);
  const found = guard.findingsOf(guarded);
  const rule = found !== null && found.verdict !== 'allow' ? (found.findings[0]?.rule ?? 'guard') : 'PermissionRequest';
  if (asked.decision === 'deny') {
    await guard.record(guarded, 'deny', 'policy');
    return deny(proposed, ports, { rule, message: asked.message }, asked.interrupt);
  }
  const isAllowed = before.decision === 'allow' || rules.verdict === 'allow' || asked.decision === 'allow';
  const [notice] = found?.verdict === 'allow' ? found.findings : [];
  if (notice !== undefined) {
    announce(proposed, ports, 'allow', { rule: notice.rule, message: notice.message });
  }
  const updated = mayChangeInput && asked.updatedInput !== null ? tool.validate(asked.updatedInput) : null;
  if (updated !== null && !updated.ok) {
    return deny(proposed, ports, {
      rule: 'PermissionRequest',
      message: inputOfHook(updated.failure.text, 'PermissionRequest').text,
    });
  }
  const reasons = [
    { verdict: before.decision, rule: 'PreToolUse', message: before.message, isDefault: false },
    { ...rules, isDefault: false },
    mode,
    { verdict: asked.decision, rule, message: asked.message, isDefault: false },
  ].filter(({ verdict }) => verdict === 'ask');
  return { input: updated?.input ?? input, reasons, isAllowed };
}

/** Who allowed it: the user now, or before, in another terminal, exactly this command; or the denial. */
async function askUser(
  proposed: ProposedCall,
  reasons: readonly Reason[],
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<CallDecision | 'person' | 'approval'> {
  const { call, tool, input } = proposed;
  const { context, guard, permissions, onStage } = ports;
  const guarded = guardedCall(call, ports);
  const found = guard.findingsOf(guarded);
  const findings = found?.findings ?? [];
  const isGuards = found?.verdict === 'ask';
  const rule = reasons[0]?.rule ?? '';
  const reason = reasons.map(({ message }) => message).join('\n');
  if (isGuards && reasons.length === 1 && (await guard.isApproved(guarded))) {
    announce(proposed, ports, 'allow', { rule, message: 'A person approved exactly this command.' });
    return 'approval';
  }
  const sessionRule = reasons.every(({ isDefault }) => isDefault)
    ? rememberedRule({ tool, input, cwd: context.cwd, env: context.env })
    : null;
  announce(proposed, ports, 'ask', { rule, message: reason });
  onStage?.('user', call);
  const request = { id: call.id, tool: tool.name, input, reason, findings, sessionRule, ...agentIdOf(ports) };
  const answer = await ports.person.ask(request, signal);
  if (answer.kind === 'once' || answer.kind === 'session') {
    if (answer.kind === 'session' && sessionRule !== null) {
      permissions.remember(sessionRule);
    }
    announce(proposed, ports, 'allow', { rule, message: 'The user allowed it.' });
    return 'person';
  }
  const isDenied = answer.kind === 'deny';
  await guard.record(guarded, isDenied ? 'deny' : 'ask', isDenied ? 'person' : 'nobody');
  const approval = answer.kind === 'nobody' && isGuards ? await guard.requestApproval(guarded) : null;
  return deny(proposed, ports, { rule, message: refusal(answer, reason, approval, context.cwd), approval });
}

function refusal(
  answer: Exclude<PermissionAnswer, { kind: 'once' | 'session' }>,
  reason: string,
  approval: string | null,
  directory: string,
): string {
  if (answer.kind === 'deny') {
    return answer.reason === '' ? 'The user refused it.' : `The user refused it: ${answer.reason}`;
  }
  const way =
    approval === null
      ? 'Go on without it, or say what the user would have to allow.'
      : `Tell the user that \`${pasteable(`oxide-guard approve ${approval}`)}\` in ${directory}, in a terminal of their own, allows exactly this command once.`;
  return `This needs the user’s permission, and nobody could answer: ${answer.reason}. ${reason}\n${way}`;
}

/** Apart from "the tool may run": no rule, mode or answer given before stands in for it. */
async function confirmUnsandboxed(
  proposed: ProposedCall,
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<CallDecision | null> {
  const { call, tool, input } = proposed;
  const message = 'It asks to run without the sandbox: with your rights, to all files and the network.';
  const reason = { rule: 'dangerouslyDisableSandbox', message };
  announce(proposed, ports, 'ask', reason);
  ports.onStage?.('user', call);
  const request = {
    id: call.id,
    tool: tool.name,
    input,
    reason: message,
    findings: [],
    sessionRule: null,
    ...agentIdOf(ports),
  };
  const answer = await ports.person.ask(request, signal);
  if (answer.kind === 'once' || answer.kind === 'session') {
    announce(proposed, ports, 'allow', { ...reason, message: 'The user allowed it without the sandbox.' });
    return null;
  }
  return deny(proposed, ports, { ...reason, message: refusal(answer, message, null, ports.context.cwd) });
}

function agentIdOf({ agentId }: ToolCallPorts): { readonly agentId?: string } {
  return agentId === undefined ? {} : { agentId };
}

function deny(proposed: ProposedCall, ports: ToolCallPorts, decision: Decision, interrupt = false): CallDecision {
  announce(proposed, ports, 'deny', decision);
  return {
    kind: 'denied',
    code: 'permission-denied',
    message: `Denied: ${decision.message}`,
    interrupt: interrupt ? decision.message : null,
  };
}

function announce(
  { call }: ProposedCall,
  ports: ToolCallPorts,
  verdict: Verdict,
  { rule, message, approval = null }: Decision,
): void {
  const findings = ports.guard.findingsOf(guardedCall(call, ports))?.findings ?? [];
  ports.emit({
    type: 'permission',
    id: call.id,
    verdict,
    rule,
    message,
    ...(findings.length === 0 ? {} : { findings }),
    ...(approval === null ? {} : { approval }),
    ...agentOf(ports),
  });
}
