import { ExitCode, OxideError } from '../errors.ts';
import { createCheckpoint, findCheckpoint, listCheckpoints, pruneCheckpoints } from '../git/checkpoint.ts';
import type { Checkpoint } from '../git/checkpoint-record.ts';
import { quotedPath } from '../git/quoted-path.ts';
import { shortBranchName } from '../git/refspec.ts';
import type { Repository } from '../git/repository.ts';
import { type SkippedFile, skipReasons } from '../git/work-tree-state.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import { printable, printableLine } from '../ui/findings.ts';
import { localTime } from '../ui/local-time.ts';
import type { Command } from './command.ts';
import { requiredRepository } from './required-repository.ts';
import { textOption } from './text-option.ts';

interface Options {
  readonly json?: boolean;
  readonly reason: string;
  readonly all?: boolean;
}

const actions = ['list', 'create', 'show', 'prune'];

export const checkpoint: Command = {
  actions,
  register(cli, console) {
    cli
      .command('checkpoint [action] [id]', 'Snapshots of the work tree; without an action, lists them')
      .usage('checkpoint [list | create | show ID | prune]')
      .option('--reason <text>', 'With create: what is about to happen')
      .option('--all', 'With prune: delete every checkpoint, not only old ones')
      .option('--json', 'Print one JSON document')
      .action((action: string | undefined, id: string | undefined, options: Omit<Options, 'reason'>) =>
        runCheckpoint(action ?? 'list', id, { ...options, reason: textOption(cli.rawArgs, 'reason') ?? '' }, console),
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
  const print = (value: unknown, lines: () => readonly string[]) => {
    if (options.json === true) {
      console.out(JSON.stringify(value));
    } else {
      lines().forEach((line) => {
        console.out(line);
      });
    }
  };
  switch (action) {
    case 'list': {
      const checkpoints = await listCheckpoints(repository);
      print(checkpoints, () => listLines(checkpoints, repository, console));
      return ExitCode.fine;
    }
    case 'create': {
      const created = await createCheckpoint(repository, { reason: options.reason });
      print(created, () => [
        `${console.colors.green('✓')} Checkpoint ${console.colors.bold(created.id)}: ${pasteable(`oxide-guard undo ${created.id}`)}`,
        ...skippedLines(created.skipped, console),
      ]);
      return ExitCode.fine;
    }
    case 'show': {
      const found = findCheckpoint(await listCheckpoints(repository), repository.workTree, id);
      print(found, () => showLines(found, console));
      return ExitCode.fine;
    }
    case 'prune': {
      const deleted = await pruneCheckpoints(repository, { all: options.all === true });
      print(deleted, () => [`${deleted.length} checkpoint${deleted.length === 1 ? '' : 's'} deleted.`]);
      return ExitCode.fine;
    }
    default:
      throw new OxideError('unknown-action', `There is no 'checkpoint ${action}'.`, {
        remedy: `oxide-guard checkpoint [${actions.join('|')}]`,
        exitCode: ExitCode.usage,
      });
  }
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

function showLines({ id, ref, created, reason, head, skipped }: Checkpoint, console: Console): readonly string[] {
  const { dim, bold } = console.colors;
  const where = printable(head.ref === null ? 'a detached HEAD' : shortBranchName(head.ref));
  return [
    `${bold(id)}  ${dim(localTime(created))}`,
    ...(reason === '' ? [] : [`  before   ${printableLine(reason)}`]),
    `  HEAD     ${where}${head.oid === null ? ', no commit yet' : ` at ${head.oid.slice(0, 7)}`}`,
    `  changes  git diff HEAD ${ref}`,
    `  restore  ${pasteable(`oxide-guard undo ${id} --dry-run`)}`,
    ...skippedLines(skipped, console),
  ];
}

function skippedLines(skipped: readonly SkippedFile[], console: Console): readonly string[] {
  return skipped.map(
    ({ path, reason }) => `${console.colors.yellow('!')} left out: ${quotedPath(path)} (${skipReasons[reason]})`,
  );
}
