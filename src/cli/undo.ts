import { ExitCode } from '../errors.ts';
import { findCheckpoint, listCheckpoints } from '../git/checkpoints/checkpoint.ts';
import { type HeadChange, type Undo, undoTo } from '../git/checkpoints/undo.ts';
import type { FileChange } from '../git/checkpoints/undone-files.ts';
import { quotedPath } from '../git/quoted-path.ts';
import { shortBranchName } from '../git/refs/refspec.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';
import type { Command } from './command.ts';
import { requiredRepository } from './required-repository.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const undo: Command = {
  register(cli, console) {
    cli
      .command('undo [id]', 'Bring the work tree back to a checkpoint, the newest one by default')
      .option('--dry-run', 'Say what would be done, and do nothing')
      .option('--json', 'Print one JSON document')
      .action((id: string | undefined, options: Options) => runUndo(id, options, console));
  },
};

async function runUndo(id: string | undefined, options: Options, console: Console): Promise<ExitCode> {
  const repository = await requiredRepository('there is nothing to undo');
  const checkpoints = await listCheckpoints(repository);
  const checkpoint = findCheckpoint(checkpoints, repository, id);
  const result = await undoTo(repository, checkpoint, { dryRun: options.dryRun === true });
  if (options.json === true) {
    console.out(JSON.stringify(result));
  } else {
    undoLines(result, console).forEach((line) => {
      console.out(line);
    });
  }
  return ExitCode.fine;
}

const shownFiles = 20;

const changeWords: Readonly<Record<FileChange['change'], string>> = {
  restore: 'restored ',
  recreate: 'recreated',
  delete: 'deleted  ',
};

function undoLines({ checkpoint, files, head, advice, before }: Undo, console: Console): readonly string[] {
  const { green, dim, yellow, bold } = console.colors;
  const title =
    before === null
      ? `${dim('·')} Going back to ${bold(checkpoint.id)} would do this:`
      : `${green('✓')} Back at ${bold(checkpoint.id)}.`;
  const shown = files.slice(0, shownFiles).map(({ path, change }) => `  ${changeWords[change]}  ${quotedPath(path)}`);
  const more = files.length - shown.length;
  const isNothing = files.length === 0 && head.kind === 'keep';
  return [
    title,
    ...shown,
    ...(more > 0 ? [dim(`  … and ${more} more`)] : []),
    ...headLines(head),
    ...(isNothing ? ['  No file differs; only what is staged may.'] : []),
    ...advice.map((command) => `${yellow('!')} not undone; to do it: ${printable(command)}`),
    ...(before === null ? [] : [dim(`  The state before is kept: ${pasteable(`oxide-guard undo ${before.id}`)}`)]),
  ];
}

function headLines(head: HeadChange): readonly string[] {
  const name = (ref: string) => printable(shortBranchName(ref));
  switch (head.kind) {
    case 'keep':
      return head.reason === null ? [] : [`  HEAD stays: ${printable(head.reason)}`];
    case 'move':
      return [`  ${name(head.ref)} moves from ${head.from.slice(0, 7) || 'nowhere'} back to ${head.to.slice(0, 7)}`];
    case 'switch':
      return [`  HEAD goes back to ${head.ref === null ? head.to.slice(0, 7) : name(head.ref)}`];
  }
}
