import { join } from 'node:path';
import type { RuleId } from '../config/rules.ts';
import { messageOf } from '../error-message.ts';
import { takeCheckpoint } from '../git/checkpoints/checkpoint.ts';
import type { EndangeredRef } from '../git/checkpoints/checkpoint-record.ts';
import { addable, filesAtStake } from '../git/checkpoints/named-files.ts';
import { isThere, realPath } from '../git/files.ts';
import { stoppedOperations } from '../git/history/stopped-operations.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import type { Finding, LostWork } from '../guards/finding.ts';
import { type Kept, keptText } from './kept-text.ts';

/** Rules about work that is only here: what a checkpoint may bring back. */
const localLosses: ReadonlySet<RuleId> = new Set(['discard-changes', 'lose-commits', 'rewrite-published']);

/** Milliseconds; the agent waits for it. */
const checkpointTime = 4000;

/** What was done before a command that may lose local work. */
export interface Protection {
  /** The checkpoint's id; null: none was taken. */
  readonly checkpoint: string | null;
  /** What is to be said of it: only what is true of this command's losses. */
  readonly sentence: string | null;
}

const unprotected: Protection = { checkpoint: null, sentence: null };

interface Call {
  readonly findings: readonly Finding[];
  readonly cwd: string;
  readonly env: Environment;
  readonly session: string;
  readonly reason: string;
  /** Does the repository want checkpoints? */
  readonly wanted: (repository: Repository) => Promise<boolean>;
}

/** Takes a checkpoint of the work tree that the command would take work from, where it would. */
export async function protectWork(call: Call): Promise<Protection> {
  const local = call.findings.filter(({ rule, verdict }) => verdict !== 'allow' && localLosses.has(rule));
  if (local.length === 0) {
    return unprotected;
  }
  const losses = local.flatMap(({ loss }) => loss ?? []);
  const [place = call.cwd, ...others] = new Set(losses.map(({ workTree }) => workTree));
  // Not the judgement's, which remembers what it has read.
  const repository = await openRepository({ cwd: others.length === 0 ? place : call.cwd, env: call.env }).catch(
    () => null,
  );
  if (repository?.workTree == null) {
    return unprotected;
  }
  try {
    return (await call.wanted(repository)) ? await keep(repository, losses, local.length, call) : unprotected;
  } catch (error) {
    return { checkpoint: null, sentence: `No checkpoint could be taken before: ${messageOf(error)}` };
  }
}

async function keep(
  repository: Repository,
  losses: readonly LostWork[],
  findings: number,
  { cwd, session, reason }: Call,
): Promise<Protection> {
  const workTree = repository.workTree ?? '';
  const here = losses.filter((loss) => loss.workTree === workTree);
  const listed = here.flatMap(({ files = [] }) => files);
  const files = filesAtStake(workTree, listed) ?? listed;
  const names = [...new Set(here.flatMap(({ refs = [] }) => refs))];
  const head = await repository.head();
  const ofHead = names.filter((name) => name === 'HEAD' || (head.kind === 'branch' && name === head.ref));
  const others = names.filter((name) => !ofHead.includes(name));
  const refs = await endangered(others, repository);
  const { checkpoint, held } = await takeCheckpoint(repository, {
    session,
    reason,
    budget: checkpointTime,
    named: addable(workTree, files),
    refs,
  });
  const sentence = keptText({
    checkpoint,
    place: placeOf(workTree, here, cwd),
    files: files.filter((path) => held.has(path)).length,
    missing: [...new Set(files)].filter((path) => !held.has(path) && isThere(join(workTree, path))),
    head: ofHead.length > 0,
    operation: stoppedOperations(repository.gitDir)[0] ?? null,
    isAll: here.length === findings && refs.length === others.length,
  });
  return { checkpoint: checkpoint.id, sentence };
}

function placeOf(workTree: string, losses: readonly LostWork[], cwd: string): Kept['place'] {
  if (losses.some(({ takesWorkTree }) => takesWorkTree === true)) {
    return 'gone';
  }
  return isWithin(realPath(cwd) ?? cwd, workTree) ? 'here' : 'elsewhere';
}

function isWithin(path: string, directory: string): boolean {
  return `${path}/`.startsWith(`${directory}/`);
}

/** What has to be a commit to be kept. */
async function endangered(names: readonly string[], repository: Repository): Promise<readonly EndangeredRef[]> {
  const oids = await Promise.all(names.map((name) => repository.resolve(`${name}^{commit}`)));
  return names.flatMap((name, at) => {
    const oid = oids[at] ?? null;
    return oid === null ? [] : [{ name, oid }];
  });
}
