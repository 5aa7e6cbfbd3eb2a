import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEntry, auditPath, parseAudit, readAudit } from '../audit/log.ts';
import { userState } from '../audit/user-state.ts';
import { ExitCode } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Colors, Console } from '../ui/console.ts';
import { printableLine } from '../ui/findings.ts';
import { localTime } from '../ui/local-time.ts';
import type { Command } from './command.ts';

interface Options {
  readonly json?: boolean;
  readonly follow?: boolean;
}

export const log: Command = {
  register(cli, console) {
    cli
      .command('log', 'Show what the guard has stopped, asked about and let through here')
      .option('--json', 'Print one JSON object a line')
      .option('--follow', 'Go on with what comes, until interrupted')
      .action((options: Options) => runLog(options, console));
  },
};

const pollMilliseconds = 250;

async function runLog(options: Options, console: Console): Promise<ExitCode> {
  const directory = (await openRepository())?.commonDir ?? userState(process.env);
  const print = (entry: AuditEntry) =>
    console.out(options.json === true ? JSON.stringify(entry) : lineOf(entry, console.colors));
  if (options.follow === true) {
    await follow(auditPath(directory), print);
  }
  const entries = readAudit(directory);
  entries.forEach(print);
  if (entries.length === 0 && options.json !== true) {
    console.err('The guard has not stopped anything here yet.');
  }
  return ExitCode.fine;
}

/** Polls, because watching a file that is appended to and rotated differs between systems. Ends with the process. */
async function follow(path: string, print: (entry: AuditEntry) => void): Promise<never> {
  const older = `${path}.1`;
  await printPart(older, 0, positionOf(older).size, print);
  for (let last: Position = { file: 0, size: 0 }; ; await sleep(pollMilliseconds)) {
    const now = positionOf(path);
    const rotated = positionOf(older);
    if (now.file !== last.file && rotated.file === last.file) {
      await printPart(older, last.size, rotated.size, print);
    }
    // A trail that has become shorter was emptied.
    const from = now.file === last.file && now.size >= last.size ? last.size : 0;
    last = { file: now.file, size: from + (await printPart(path, from, now.size, print)) };
  }
}

interface Position {
  /** The file's inode: a rotated trail is another file. 0: there is none. */
  readonly file: number;
  readonly size: number;
}

function positionOf(path: string): Position {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { file: stats?.ino ?? 0, size: stats?.isFile() === true ? stats.size : 0 };
}

/**
 * Prints the whole lines of a part of the trail.
 *
 * @returns the bytes that they take
 */
async function printPart(
  path: string,
  start: number,
  end: number,
  print: (entry: AuditEntry) => void,
): Promise<number> {
  if (end <= start) {
    return 0;
  }
  const file = await open(path).catch(() => null); // Rotated just now.
  try {
    const read = await file?.read(Buffer.alloc(end - start), 0, end - start, start);
    const bytes = read?.buffer.subarray(0, read.bytesRead) ?? Buffer.alloc(0);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    parseAudit(whole.toString()).forEach(print);
    return whole.length;
  } finally {
    await file?.close();
  }
}

const answers: Readonly<Record<AuditEntry['answer'], string>> = {
  policy: '',
  person: 'put to the user',
  approval: 'approved by a person',
  nobody: 'nobody could answer',
};

/** A person at a terminal has answered when the entry is written; an agent's dialog has only been opened. */
const answersToPush: Readonly<Partial<Record<AuditEntry['answer'], string>>> = {
  policy: 'a person said no',
  person: 'a person said yes',
};

function answerOf({ front, verdict, answer }: AuditEntry): string {
  return (front === 'pre-push' && verdict === 'ask' ? answersToPush[answer] : undefined) ?? answers[answer] ?? '';
}

function lineOf(entry: AuditEntry, colors: Colors): string {
  const verdict = { allow: colors.green('allowed'), ask: colors.yellow('asked  '), deny: colors.red('denied ') }[
    entry.verdict
  ];
  const details = [
    entry.rules.join(', '),
    entry.agent ?? entry.front,
    answerOf(entry),
    entry.checkpoint === undefined ? '' : `checkpoint ${entry.checkpoint}`,
  ].filter((detail) => detail !== '');
  const when = printableLine(localTime(entry.time));
  return `${colors.dim(when)}  ${verdict ?? '?'}  ${printableLine(entry.action)}  ${colors.dim(`[${printableLine(details.join(' · '))}]`)}`;
}
