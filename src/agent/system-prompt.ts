import type { SubagentType } from '../tools/session-ports.ts';
import type { ProjectInstructions } from './project-instructions.ts';

export interface SystemPromptFacts {
  readonly cwd: string;
  readonly platform: string;
  /** Null outside of a repository. */
  readonly branch: string | null;
  readonly instructions: readonly ProjectInstructions[];
  /** Of a subagent: its definition's prompt, in place of the general one. */
  readonly role: string | null;
  readonly virtual: boolean;
  /** Kinds that the Agent and Task tools take. */
  readonly subagents: readonly SubagentType[];
}

const generalRole =
  'You are a coding agent in a terminal. Do what the user asks, with the tools, and say in the end what you did and what ' +
  'you could not do. Read before you change. Keep to the style of the code around. Prefer small changes, and verify ' +
  'them with the project’s own commands. Do not invent results.';

const guardNotice =
  'A guard judges every shell command by what it would do to the repository. When it denies one, do what it suggests ' +
  'instead, or ask the user; do not look for another way to the same effect. Commit messages follow Conventional Commits.';

/** What the model is told before the conversation. Stable within a session, so that providers can cache it. */
export function systemPrompt(facts: SystemPromptFacts): string {
  const { cwd, platform, branch, instructions, role, virtual, subagents } = facts;
  const place = `Working directory: ${cwd} (${platform}${branch === null ? ', no git repository' : `, git branch ${branch}`}).`;
  return [
    role ?? generalRole,
    guardNotice,
    ...(virtual ? ['Files that you write are virtual: nothing reaches the disk until the user applies it.'] : []),
    ...(subagents.length === 0 ? [] : [subagentList(subagents)]),
    place,
    ...instructions.map(({ path, text }) => `Instructions of the project, from ${path}:\n\n${text}`),
  ].join('\n\n');
}

function subagentList(types: readonly SubagentType[]): string {
  const lines = types.map(({ name, description }) => `- ${name}: ${description}`);
  return ['Subagents (`subagent_type` of Agent and Task):', ...lines].join('\n');
}
