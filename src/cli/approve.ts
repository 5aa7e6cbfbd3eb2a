import { agentInEnvironment } from '../audit/agent-environment.ts';
import type { Approval } from '../audit/approval.ts';
import { approvalWindow, approve as approveRequest, listApprovals } from '../audit/approvals.ts';
import { userState } from '../audit/user-state.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import { shortBranchName } from '../git/refs/refspec.ts';
import type { Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';
import type { Command } from './command.ts';

interface Options {
  readonly json?: boolean;
}

export const approve: Command = {
  register(cli, console) {
    cli
      .command('approve [id]', 'Allow one action that the guard has stopped, once; without an id, list what waits')
      .option('--json', 'Print one JSON document')
      .action((id: string | undefined, options: Options) => runApprove(id, options, console));
  },
};

async function runApprove(id: string | undefined, options: Options, console: Console): Promise<ExitCode> {
  const places = await approvalPlaces();
  if (id === undefined) {
    const waiting = places.flatMap((place) => listApprovals(place));
    if (options.json === true) {
      console.out(JSON.stringify(waiting));
    } else {
      printWaiting(waiting, console);
    }
    return ExitCode.fine;
  }
  refuseAgents();
  const approval = approveIn(places, id);
  if (options.json === true) {
    console.out(JSON.stringify(approval));
  } else {
    console.out(`${console.colors.green('✓')} Approved for one use within ${approvalWindow / 60_000} minutes:`);
    for (const line of actionLines(approval.text)) {
      console.out(`  ${printable(line)}`);
    }
    console.out(console.colors.dim(`  in ${printable(approval.directory)}`));
  }
  return ExitCode.fine;
}

/** This repository's approvals, then those of commands that were judged outside of any. */
async function approvalPlaces(): Promise<readonly string[]> {
  const repository = await openRepository();
  return [...(repository === null ? [] : [repository.commonDir]), userState(process.env)];
}

function refuseAgents(): void {
  const agent = agentInEnvironment(process.env);
  if (agent !== null) {
    throw new OxideError(
      'agent-approval',
      `This terminal belongs to ${agent}, and an approval must come from a person.`,
      {
        remedy: 'Run the same command in a terminal of your own.',
      },
    );
  }
}

function approveIn(places: readonly string[], id: string): Approval {
  const answers = places.map((place) => approveRequest(place, id));
  const approval = answers.find((answer) => typeof answer === 'object');
  if (approval !== undefined) {
    return approval;
  }
  const because = answers.find((answer) => answer !== 'unknown') ?? 'unknown';
  const sentences = {
    unknown: `Nothing with the id '${id}' waits for approval here.`,
    expired: `The request '${id}' is too old: it could be approved for ${approvalWindow / 60_000} minutes.`,
    'already-approved': `'${id}' is approved already and waits for its one use.`,
  } as const;
  throw new OxideError(`approval-${because}`, sentences[because as keyof typeof sentences], {
    remedy:
      because === 'already-approved' ? 'Run the stopped command again.' : 'oxide-guard approve   # lists what waits',
  });
}

/** A command as it was typed; of a push, where it goes and which commits it moves: githooks(5) "pre-push". */
function actionLines(text: string): readonly string[] {
  const [first = '', ...updates] = text.trim().split('\n');
  const moves = updates.map((line) => /^.+ ([0-9a-f]{40,64}) (\S+) ([0-9a-f]{40,64})$/.exec(line));
  return updates.length === 0 || moves.includes(null)
    ? text.trim().split('\n')
    : [
        `push to ${first}`,
        ...moves.map((move) => {
          const [, to = '', ref = '', from = ''] = move ?? [];
          return `${shortBranchName(ref)}: ${shortOid(from, 'new')} → ${shortOid(to, 'deleted')}`;
        }),
      ];
}

function shortOid(oid: string, none: string): string {
  return /^0+$/.test(oid) ? none : oid.slice(0, 7);
}

function printWaiting(waiting: readonly Approval[], console: Console): void {
  if (waiting.length === 0) {
    console.out('Nothing waits for approval here.');
  }
  for (const { id, state, text, directory, rules, expires } of waiting) {
    const left = Math.max(1, Math.round((expires - Date.now()) / 60_000));
    const what = state === 'approved' ? 'approved, waits for its use' : 'waits for approval';
    console.out(`${console.colors.bold(id)}  ${printable(actionLines(text).join(' · '))}`);
    console.out(
      console.colors.dim(`        ${what}, ${left} min left · ${rules.join(', ')} · ${printable(directory)}`),
    );
  }
}
