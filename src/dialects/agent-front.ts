import { resolve } from 'node:path';
import { type Action, actionDigest } from '../audit/approval.ts';
import { consumeApproval, consumeApprovalForCall, consumeHandedOver, requestApproval } from '../audit/approvals.ts';
import { recordConfirmation } from '../audit/confirmations.ts';
import { type AuditEntry, appendAudit } from '../audit/log.ts';
import { redact } from '../audit/redaction.ts';
import { userState } from '../audit/user-state.ts';
import type { RuleId } from '../config/rules.ts';
import { messageOf } from '../error-message.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import type { Finding } from '../guards/finding.ts';
import { printable } from '../ui/findings.ts';
import type { AgentName, Answer, Dialect, Payload, ToolCall } from './dialect.ts';
import { noOpinion } from './dialect.ts';
import { dialectOf, dialects } from './dialects.ts';
import { standingOf } from './gone-directory.ts';
import type { Judge } from './judge.ts';
import { followShell, type JudgedCall, judgeCall } from './judge-call.ts';
import { type Protection, protectWork } from './kept-work.ts';
import { approvalText, reasonOf } from './reason.ts';
import { asObject } from './tool-call.ts';
import { trialCommand } from './trial.ts';

/** What the front needs of the process it runs in. */
export interface FrontContext {
  readonly env: Environment;
  /** Where the agent started the hook. */
  readonly cwd: string;
  readonly judge: Judge;
  /** The repository at a directory as the judgement has opened it: opening it again costs 1 % of a call. */
  readonly opened?: (cwd: string) => Promise<Repository | null>;
  /** Does the repository want checkpoints before a risky command is let through? */
  readonly checkpoints: (repository: Repository) => Promise<boolean>;
  /** What else is to be said with an objection, a sentence each; asked for after the judgement. */
  readonly notices?: () => readonly string[];
}

/**
 * Answers one call of an agent's hook. A payload that can't be read is answered with a denial, anything that is no
 * shell command with nothing.
 *
 * @param text what the agent wrote to the hook's standard input
 */
export async function answerAgent(installedFor: AgentName, text: string, context: FrontContext): Promise<Answer> {
  const payload = asObject(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (payload === null) {
    return refuse(dialects[installedFor], 'The payload of this hook is not one JSON object.');
  }
  const dialect = dialectOf(payload, installedFor);
  const answer = await answerPayload(dialect, payload, context);
  return answer === noOpinion ? (dialect.silence ?? noOpinion) : answer;
}

async function answerPayload(dialect: Dialect, payload: Payload, context: FrontContext): Promise<Answer> {
  const call = dialect.parse(payload);
  if (call === 'not-ours') {
    return noOpinion;
  }
  if (call === 'malformed') {
    return refuse(dialect, `The payload names no command that could be read as ${dialect.title} writes it.`);
  }
  try {
    return await answerCall(dialect, call, context);
  } catch (error) {
    return refuse(dialect, messageOf(error), call);
  }
}

/** A denial for what the guard itself could not do. */
export function refuse(dialect: Dialect, why: string, call: ToolCall | null = null): Answer {
  const reason = `oxide-guard: the command could not be judged, so it is refused: ${printable(why)} [guard-failure]`;
  return dialect.render({ verdict: 'deny', reason }, call);
}

async function answerCall(dialect: Dialect, call: ToolCall, context: FrontContext): Promise<Answer> {
  const standing = standingOf(call.command, resolve(context.cwd, call.cwd ?? ''), context.env);
  if (standing.kind === 'gone') {
    return refuse(dialect, `${standing.reason} Instead: ${standing.suggestion}`, call);
  }
  const judged = await judgeCall(call, standing.cwd, context);
  const { verdict, findings } = judged;
  if (verdict === 'allow') {
    followShell(call, judged, context.env);
  }
  if (findings.length === 0) {
    return noOpinion;
  }
  const told = reasonOf(findings.filter((finding) => verdict === 'allow' || finding.verdict !== 'allow'));
  const reason = [told, ...(context.notices?.() ?? [])].join('\n');
  if (verdict === 'allow') {
    return dialect.render({ verdict: 'notice', reason }, call);
  }
  const place = await placeOf(judged.cwd, context);
  const matter: Matter = { dialect, call, judged, findings, reason, cwd: judged.cwd, place };
  if (verdict === 'deny') {
    record(matter, 'deny', 'policy');
    return dialect.render({ verdict: 'deny', reason }, call);
  }
  return ask(matter, context);
}

/** A command that a person must allow, with what is known of it. */
interface Matter {
  readonly dialect: Dialect;
  readonly call: ToolCall;
  readonly judged: JudgedCall;
  readonly findings: readonly Finding[];
  readonly reason: string;
  readonly cwd: string;
  readonly place: Place;
}

/** Where approvals and the audit trail are kept. */
interface Place {
  readonly repository: Repository | null;
  readonly directory: string;
}

async function ask(matter: Matter, context: FrontContext): Promise<Answer> {
  const { dialect, call, reason, place, cwd } = matter;
  if (call.event === 'permission-request') {
    // The agent is about to ask its user anyway.
    expectConfirmation(matter);
    return noOpinion;
  }
  if (dialect.canAsk(call)) {
    expectConfirmation(matter);
    const { checkpoint, sentence } = await protect(matter, context);
    record(matter, 'ask', 'person', checkpoint === null ? {} : { checkpoint });
    return dialect.render({ verdict: 'ask', reason: sentence === null ? reason : `${reason}\n${sentence}` }, call);
  }
  const action: Action = { front: 'agent', directory: cwd, text: call.command, rules: rulesOf(matter) };
  if (isApproved(place, actionDigest(action), call)) {
    expectConfirmation(matter);
    followShell(call, matter.judged, context.env);
    const { checkpoint, sentence } = await protect(matter, context);
    record(matter, 'allow', 'approval', checkpoint === null ? {} : { checkpoint });
    return sentence === null ? noOpinion : dialect.render({ verdict: 'notice', reason: sentence }, call);
  }
  const approval = requestApproval(place.directory, action);
  record(matter, 'ask', 'nobody', approval === null ? {} : { approval: approval.id });
  const where = place.repository?.workTree ?? cwd;
  return dialect.render({ verdict: 'deny', reason: `${reason}\n${approvalText(approval, where)}` }, call);
}

function isApproved({ directory }: Place, digest: string, { id, follows }: ToolCall): boolean {
  if (id !== null) {
    return consumeApprovalForCall(directory, digest, id);
  }
  return consumeApproval(directory, digest) || (follows && consumeHandedOver(directory, digest));
}

/** If the command runs now, a person has said yes: its git hooks need not ask again. */
function expectConfirmation(matter: Matter): void {
  recordConfirmation(matter.place.directory, { command: matter.call.command, rules: rulesOf(matter) });
}

async function placeOf(cwd: string, { env, opened }: FrontContext): Promise<Place> {
  const repository = await (opened?.(cwd) ?? openRepository({ cwd, env })).catch(() => null);
  return { repository, directory: repository?.commonDir ?? userState(env) };
}

function protect({ findings, call, dialect, cwd }: Matter, { env, checkpoints }: FrontContext): Promise<Protection> {
  const session = [dialect.name, call.session?.slice(0, 8)].filter(Boolean).join('-');
  const reason = redact(call.command).slice(0, 500);
  return protectWork({ findings, cwd, env, session, reason, wanted: checkpoints });
}

function rulesOf({ findings }: Matter): readonly RuleId[] {
  return findings.filter(({ verdict }) => verdict !== 'allow').map(({ rule }) => rule);
}

function record(
  matter: Matter,
  verdict: AuditEntry['verdict'],
  answer: AuditEntry['answer'],
  more: Pick<AuditEntry, 'approval' | 'checkpoint'> = {},
): void {
  const { dialect, call, cwd, place } = matter;
  if (verdict === 'deny' && call.command === trialCommand) {
    return;
  }
  const rules = rulesOf(matter);
  const entry = { front: 'agent', agent: dialect.name, directory: cwd, action: call.command } as const;
  appendAudit(place.directory, { ...entry, verdict, rules, answer, ...more });
}
