import { wayToRef } from '../dialects/kept-text.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { createCheckpoint, findCheckpoint, listCheckpoints, pruneCheckpoints } from '../git/checkpoints/checkpoint.ts';
import type { Checkpoint } from '../git/checkpoints/checkpoint-record.ts';
import { type SkippedFile, skipReasons } from '../git/checkpoints/work-tree-state.ts';
import { quotedPath } from '../git/quoted-path.ts';
import { shortBranchName } from '../git/refs/refspec.ts';
import type { Repository } from '../git/repository.ts';
import { count, refName } from '../guards/wording.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import { printable, printableLine } from '../ui/findings.ts';
import { localTime } from '../ui/local-time.ts';
import type { Command } from './command.ts';
import { requiredRepository } from './required-repository.ts';

interface Options {
  readonly json?: boolean;
  readonly reason?: string;
  readonly all?: boolean;
}

/** What an action gives: a document for scripts, lines for people. */
interface Answer {
  readonly data: unknown;
  lines(): readonly string[];
}

interface Request {
  readonly repository: Repository;
  readonly id: string | undefined;
  readonly options: Options;
  readonly console: Console;
}

const actions: Readonly<Record<string, (request: Request) => Promise<Answer>>> = {
  async list({ repository, console }) {
    const checkpoints = await listCheckpoints(repository);
    return { data: checkpoints, lines: () => listLines(checkpoints, repository, console) };
  },
  async create({ repository, options, console }) {
    const { reason } = options;
    const { id } = await createCheckpoint(repository, reason === undefined ? {} : { reason, anew: true });
    const created = findCheckpoint(await listCheckpoints(repository), repository, id);
    const { green, bold } = console.colors;
    const way = pasteable(`oxide-guard undo ${created.id}`);
    const sentence = `${green('✓')} Checkpoint ${bold(created.id)}: ${way}`;
    return { data: created, lines: () => [sentence, ...skippedLines(created.skipped, console)] };
  },
  async show({ repository, id, console }) {
    const found = findCheckpoint(await listCheckpoints(repository), repository, id);
    return { data: found, lines: () => showLines(found, console) };
  },
  async prune({ repository, options }) {
    const deleted = await pruneCheckpoints(repository, { all: options.all === true });
    return { data: deleted, lines: () => [`${count(deleted.length, 'checkpoint')} deleted.`] };
  },
};

export const checkpoint: Command = {
  actions: Object.keys(actions),
  register(cli, console) {
    cli
      .command('checkpoint [action] [id]', 'Snapshots of the work tree; without an action, lists them')
      .usage('checkpoint [list | create | show ID | prune]')
      .option('--reason <text>', 'With create: what is about to happen')
      .option('--all', 'With prune: delete every checkpoint, not only old ones')
      .option('--json', 'Print one JSON document')
      .action((action: string | undefined, id: string | undefined, options: Options) =>
        runCheckpoint(action ?? 'list', id, options, console),
      );
  },
};

async function runCheckpoint(
  action: string,
  id: string | undefined,
  options: Options,
  console: Console,
): Promise<ExitCode> {
  const repository = await requiredRepository('it has no checkpoints');
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) {
    throw new OxideError('unknown-action', `There is no 'checkpoint ${action}'.`, {
      remedy: `oxide-guard checkpoint [${Object.keys(actions).join('|')}]`,
      exitCode: ExitCode.usage,
    });
  }
  const tooMuch = wordTooMuch(action, id, options);
  if (tooMuch !== null) {
    throw new OxideError('unknown-argument', `'checkpoint ${action}' takes no ${tooMuch}.`, {
      remedy: 'oxide-guard checkpoint --help',
      exitCode: ExitCode.usage,
    });
  }
  const { data, lines } = await run({ repository, id, options, console });
  for (const line of options.json === true ? [JSON.stringify(data)] : lines()) {
    console.out(line);
  }
  return ExitCode.fine;
}

/** What was given for another action; null: nothing. */
function wordTooMuch(action: string, id: string | undefined, { all, reason }: Options): string | null {
  if (id !== undefined && action !== 'show') {
    return printable(id);
  }
  if (all === true && action !== 'prune') {
    return '--all';
  }
  return reason !== undefined && action !== 'create' ? '--reason' : null;
}

function listLines(checkpoints: readonly Checkpoint[], repository: Repository, console: Console): readonly string[] {
  if (checkpoints.length === 0) {
    return ['There is no checkpoint yet. One is taken before a risky command of an agent is let through.'];
  }
  const width = Math.max(...checkpoints.map(({ id }) => id.length));
  return checkpoints.map(({ id, created, reason, workTree }) => {
    const elsewhere = workTree === repository.workTree ? '' : ` (in ${printable(workTree)})`;
    const when = localTime(created);
    return `${console.colors.bold(id.padEnd(width))}  ${console.colors.dim(when)}  ${printableLine(reason)}${elsewhere}`.trimEnd();
  });
}

function showLines({ id, ref, created, reason, head, refs, skipped }: Checkpoint, console: Console): readonly string[] {
  const { dim, bold } = console.colors;
  const where = printable(head.ref === null ? 'a detached HEAD' : shortBranchName(head.ref));
  return [
    `${bold(id)}  ${dim(localTime(created))}`,
    ...(reason === '' ? [] : [`  before   ${printableLine(reason)}`]),
    `  HEAD     ${where}${head.oid === null ? ', no commit yet' : ` at ${head.oid.slice(0, 7)}`}`,
    `  changes  git diff HEAD ${ref}`,
    ...refs.map((ref) => `  keeps    ${printableLine(refName(ref.name))}: ${wayToRef(ref)}`),
    `  restore  ${pasteable(`oxide-guard undo ${id} --dry-run`)}`,
    ...skippedLines(skipped, console),
  ];
}

function skippedLines(skipped: readonly SkippedFile[], console: Console): readonly string[] {
  return skipped.map(
    ({ path, reason }) => `${console.colors.yellow('!')} left out: ${quotedPath(path)} (${skipReasons[reason]})`,
  );
}
