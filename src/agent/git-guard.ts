import { type Action, actionDigest } from '../audit/approval.ts';
import { consumeApproval, requestApproval } from '../audit/approvals.ts';
import { recordConfirmation } from '../audit/confirmations.ts';
import { type AuditEntry, appendAudit } from '../audit/log.ts';
import { userState } from '../audit/user-state.ts';
import { messageOf } from '../error-message.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import { judgeCommandLine } from '../guards/evaluate.ts';
import { type Finding, strongest, withoutLoss } from '../guards/finding.ts';
import type { Convention } from '../guards/scene.ts';
import type { HookRegistry } from './hooks/registry.ts';

/** What the guard found in the command line of one tool call. */
export interface GuardFindings {
  readonly verdict: Finding['verdict'];
  /** The strongest first. */
  readonly findings: readonly Finding[];
}

export interface GitGuardOptions {
  readonly env: Environment;
  /** A repository's configuration; null: where the repository can't be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
  /** The command line that a tool call would run; null: it runs none. */
  readonly commandOf: (tool: string, input: unknown) => string | null;
}

/** A tool call as the guard knows it: agents that work at the same time may give theirs the same ids. */
export interface GuardedCall {
  readonly id: string;
  /** Undefined for the main agent. */
  readonly agentId: string | undefined;
}

/** The git guard of a session. */
export interface GitGuard {
  /** What it found last time for a tool call; null: it was not asked, or the call runs no command line. */
  findingsOf(call: GuardedCall): GuardFindings | null;
  /** Uses up a person's approval, given in another terminal, of exactly this command. */
  isApproved(call: GuardedCall): Promise<boolean>;
  /** Makes the command one that a person can approve from another terminal; null: it could not be recorded. */
  requestApproval(call: GuardedCall): Promise<string | null>;
  /** Keeps who let a command through or stopped it. */
  record(
    call: GuardedCall,
    verdict: AuditEntry['verdict'],
    answer: AuditEntry['answer'],
    checkpoint?: string,
  ): Promise<void>;
}

interface Matter extends GuardFindings {
  readonly command: string;
  readonly cwd: string;
}

/**
 * Registers the guard as the first PermissionRequest hook: for every tool that runs a command line, in every permission
 * mode, it judges what the git hooks and other agents' hooks judge, by the same rules. Its denial is final, and its
 * question goes to a person.
 */
export function registerGitGuard(registry: HookRegistry, options: GitGuardOptions): GitGuard {
  const matters = new Map<string, Matter>();
  registry.register('PermissionRequest', 'git guard', async (request) => {
    const { tool_name, tool_input, tool_use_id: id, agent_id: agentId, cwd } = request;
    const key = keyOf({ id, agentId });
    const command = options.commandOf(tool_name, tool_input);
    if (command === null) {
      matters.delete(key);
      return undefined;
    }
    const matter = { command, cwd, ...(await judge(command, cwd, options)) };
    matters.set(key, matter);
    const message = matter.findings
      .filter(({ verdict }) => verdict === matter.verdict)
      .map((finding) => `${finding.message} [${finding.rule}]${instead(finding)}`)
      .join('\n');
    return matter.verdict === 'allow'
      ? undefined
      : { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: matter.verdict, message } } };
  });

  const place = async (cwd: string): Promise<string> => {
    const repository = await openRepository({ cwd, env: options.env }).catch(() => null);
    return repository?.commonDir ?? userState(options.env);
  };
  const actionOf = ({ command, cwd, findings }: Matter): Action => ({
    front: 'agent',
    directory: cwd,
    text: command,
    rules: rulesOf(findings),
  });
  return {
    findingsOf: (call) => matters.get(keyOf(call)) ?? null,
    isApproved: async (call) => {
      const matter = matters.get(keyOf(call));
      return matter !== undefined && consumeApproval(await place(matter.cwd), actionDigest(actionOf(matter)));
    },
    requestApproval: async (call) => {
      const matter = matters.get(keyOf(call));
      return matter === undefined ? null : (requestApproval(await place(matter.cwd), actionOf(matter))?.id ?? null);
    },
    record: async (call, verdict, answer, checkpoint) => {
      const matter = matters.get(keyOf(call));
      if (matter === undefined || matter.findings.length === 0) {
        return;
      }
      const directory = await place(matter.cwd);
      if (verdict !== 'deny' && (answer === 'person' || answer === 'approval')) {
        // The person has answered: the git hooks that the command starts need not ask the same again.
        recordConfirmation(directory, { command: matter.command, rules: rulesOf(matter.findings) });
      }
      appendAudit(directory, {
        front: 'agent',
        agent: 'oxide-guard',
        directory: matter.cwd,
        action: matter.command,
        verdict,
        rules: rulesOf(matter.findings),
        answer,
        ...(checkpoint === undefined ? {} : { checkpoint }),
      });
    },
  };
}

function keyOf({ id, agentId = '' }: GuardedCall): string {
  return `${agentId}\0${id}`;
}

async function judge(command: string, cwd: string, { env, convention }: GitGuardOptions): Promise<GuardFindings> {
  try {
    const { findings } = await judgeCommandLine(command, { cwd, env, convention });
    return { verdict: strongest(findings), findings: findings.map(withoutLoss) };
  } catch (error) {
    const message = `The command could not be judged: ${messageOf(error)}`;
    const evidence = { commits: [], files: [], refs: [] };
    return {
      verdict: 'deny',
      findings: [{ rule: 'guard-failure', verdict: 'deny', message, evidence, suggestion: null }],
    };
  }
}

function rulesOf(findings: readonly Finding[]) {
  return findings.filter(({ verdict }) => verdict !== 'allow').map(({ rule }) => rule);
}

function instead({ suggestion }: Finding): string {
  return suggestion === null ? '' : `\nInstead: ${suggestion}`;
}
