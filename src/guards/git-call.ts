import { quoteWord } from '../quote.ts';
import type { SimpleCommand, Step } from '../shell/simple-command.ts';
import type { Finding } from './finding.ts';
import type { Invocation } from './git-command/invocation.ts';
import { programVariables } from './program-settings.ts';
import type { HookedCall } from './rules/checks/skip-checks.ts';
import type { World } from './world.ts';

/** Judges steps that a command sets off, without a trace of their own. */
export type JudgeSteps = (steps: readonly Step[]) => Promise<readonly Finding[]>;

/** One call of git, where it stands in the line. */
export interface GitCall {
  readonly command: SimpleCommand;
  readonly invocation: Invocation;
  readonly world: World;
  readonly judgeSteps: JudgeSteps;
}

/** Does it name programs, in settings or variables of its own? */
export function namesPrograms({ command, invocation }: GitCall): boolean {
  return invocation.settings.length > 0 || [...command.env.keys()].some((key) => key in programVariables);
}

/** @param subcommand '' before it is known */
export function hookedCall(call: GitCall, subcommand: string): HookedCall {
  return { subcommand, plain: (from) => plainCall(call, from) };
}

function plainCall({ command, invocation }: GitCall, from: string | undefined): string {
  const { words, directory } = invocation;
  const { cwd } = command;
  const path = from ?? (directory.kind === 'known' ? directory.path : null);
  const isElsewhere = path !== null && (cwd.kind === 'unknown' || cwd.path !== path);
  const place = isElsewhere ? ['-C', quoteWord(path)] : [];
  const spelled = words
    .map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source))
    .filter((word) => word !== '--no-verify');
  return ['git', ...place, ...spelled].join(' ');
}
