import { keptShellDirectories, rememberKeptShell } from '../audit/kept-shells.ts';
import { userState } from '../audit/user-state.ts';
import type { Environment } from '../git/runner.ts';
import { isStronger } from '../guards/finding.ts';
import type { ToolCall } from './dialect.ts';
import type { Judge, Judgement } from './judge.ts';

interface JudgeCallContext {
  readonly env: Environment;
  readonly judge: Judge;
}

/** The strongest of a command's judgements in the directories where it may run, and which directory that is. */
export interface JudgedCall extends Judgement {
  readonly cwd: string;
}

/**
 * Judges a call where it runs: in `cwd`, or wherever the commands before may have left the shell that the agent keeps.
 *
 * @param cwd absolute directory that the payload names, or where the shell began
 */
export async function judgeCall(call: ToolCall, cwd: string, { env, judge }: JudgeCallContext): Promise<JudgedCall> {
  const judgeIn = async (place: string) => ({
    ...(await judge({ command: call.command, cwd: place, env })),
    cwd: place,
  });
  let judged: JudgedCall = await judgeIn(cwd);
  for (const place of placesOf(call, env)) {
    if (place !== cwd) {
      const there = await judgeIn(place);
      const endsIn = [...new Set([...judged.endsIn, ...there.endsIn])];
      judged = { ...(isStronger(there.verdict, judged.verdict) ? there : judged), endsIn };
    }
  }
  return judged;
}

function placesOf({ keptShell, session }: ToolCall, env: Environment): readonly string[] {
  return keptShell === null || keptShell.isTold || session === null
    ? []
    : keptShellDirectories(userState(env), session);
}

/** A command that will run leaves the shell somewhere, if the agent keeps one: there the next command may start. */
export function followShell({ keptShell, session }: ToolCall, { endsIn }: Judgement, env: Environment): void {
  const places = keptShell === null ? [] : endsIn.filter((place) => place !== keptShell.began);
  if (session !== null && places.length > 0) {
    rememberKeptShell(userState(env), session, places);
  }
}
