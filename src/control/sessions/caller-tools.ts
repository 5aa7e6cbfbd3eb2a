import { OxideError } from '../../errors.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolInput, Validation } from '../../tools/tool-input.ts';
import { failure, success, type ToolResult } from '../../tools/tool-result.ts';
import type { PermissionAnswer, PermissionPort, PermissionRequest } from '../../ui/permission.ts';
import { answerTime, type CallerAnswer, type CallerRequest, type CallerRequests } from './caller-requests.ts';
import type { CallerTool } from './session.ts';

/** A lent tool of this name is asked whether a call may run, instead of being one that the model can call. */
export const permissionTool = 'permission_prompt';

/** Characters of JSON that a caller is asked with: it is an event, and listed until it is answered. */
const inputLimit = 100_000;

/** How one session reaches its caller. */
export interface CallerLine {
  readonly requests: CallerRequests;
  readonly sessionId: string;
  /** Who lent the tools with the prompt that is worked on. */
  readonly callerId: () => string | null;
  readonly tools: () => readonly CallerTool[];
  readonly onAsked: (request: CallerRequest) => void;
  readonly onAnswered: (request: CallerRequest, answer: CallerAnswer) => void;
}

/**
 * Makes a tool of what a caller lends: each call is a request that the caller answers. It runs alone and changes nothing
 * here, whatever it does over there.
 */
export function lentTool({ name, description, input_schema }: CallerTool, line: CallerLine): Tool {
  return {
    name,
    description,
    parameters: input_schema,
    effect: 'asks',
    // The caller checks the fields by its own schema.
    validate: (input) => validate(name, input),
    touches: () => [],
    execute: async (input, { signal }) =>
      resultOf(name, await askCaller(line, { kind: 'tool', tool: name, input }, signal)),
  };
}

function validate(name: string, input: unknown): Validation {
  const invalid = (must: string): Validation => ({
    ok: false,
    failure: failure('invalid-input', `Invalid input for ${name}: it must be ${must}.`),
  });
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return invalid('an object');
  }
  return JSON.stringify(input).length > inputLimit
    ? invalid(`at most ${inputLimit} characters of JSON`)
    : { ok: true, input: input as ToolInput };
}

async function askCaller(
  line: CallerLine,
  asked: Pick<CallerRequest, 'kind' | 'tool' | 'input'>,
  signal: AbortSignal,
): Promise<CallerAnswer> {
  let request: CallerRequest | null = null;
  const { requests, sessionId } = line;
  const answer = await requests.ask({
    ...asked,
    sessionId,
    callerId: line.callerId(),
    signal,
    onAsked: (made) => {
      request = made;
      line.onAsked(made);
    },
  });
  if (request !== null) {
    line.onAnswered(request, answer);
  }
  return answer;
}

function resultOf(name: string, answer: CallerAnswer): ToolResult {
  switch (answer.kind) {
    case 'result': {
      const { result } = answer;
      return success(typeof result === 'string' ? result : JSON.stringify(result ?? null));
    }
    case 'error':
      return failure('caller-tool-failed', answer.message);
    case 'timed-out':
      return failure('caller-timed-out', `The caller did not answer ${name} within ${answerTime / 1000} s.`, {
        remedy: 'Go on without it.',
      });
    case 'interrupted':
      return failure('interrupted', `${name} was interrupted before the caller answered.`);
  }
}

/**
 * Permission questions of a session that no person watches. Where the caller has lent {@link permissionTool}, it is
 * asked; but what the guard asks, and what is to run without the sandbox, only a person at a terminal can confirm. With
 * nobody to ask the answer is no, and why.
 *
 * @param onQuestion told of every question, also of one that nobody can answer
 */
export function permissionsBy(
  line: CallerLine,
  onQuestion: (request: PermissionRequest, isAsked: boolean) => void,
): PermissionPort {
  return {
    ask: async (request, signal) => {
      const needsPerson = request.findings.length > 0 || isUnsandboxed(request.input);
      const isAsked = !needsPerson && line.tools().some(({ name }) => name === permissionTool);
      onQuestion(request, isAsked);
      if (needsPerson) {
        return { kind: 'nobody', reason: 'no person watches this session, and no caller can confirm this' };
      }
      if (!isAsked) {
        return { kind: 'nobody', reason: `no person watches this session, and its caller lent no ${permissionTool}` };
      }
      const { tool, input, reason } = request;
      const asked = { kind: 'permission', tool: permissionTool, input: { tool, input, reason } } as const;
      return permissionOf(await askCaller(line, asked, signal));
    },
  };
}

function isUnsandboxed(input: unknown): boolean {
  return (input as { dangerouslyDisableSandbox?: unknown } | null)?.dangerouslyDisableSandbox === true;
}

/** Only a clear yes is one. */
function permissionOf(answer: CallerAnswer): PermissionAnswer {
  if (answer.kind !== 'result') {
    const reason = answer.kind === 'error' ? answer.message : `the caller’s answer: ${answer.kind}`;
    return { kind: 'nobody', reason };
  }
  const { behavior, message } = (answer.result ?? {}) as { readonly behavior?: unknown; readonly message?: unknown };
  return behavior === 'allow' ? { kind: 'once' } : { kind: 'deny', reason: typeof message === 'string' ? message : '' };
}

/**
 * Checks what a caller lends.
 *
 * @param taken names of the session's own tools
 * @throws OxideError `duplicate-tool`
 */
export function assertLendable(tools: readonly CallerTool[], taken: readonly string[]): void {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => taken.includes(name) || names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new OxideError('duplicate-tool', `The session has a tool named '${twice}' already.`, {
      remedy: `Give it another name, such as caller_${twice}.`,
    });
  }
}
