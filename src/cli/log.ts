import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEntry, auditPath, parseAudit, readAudit } from '../audit/log.ts';
import { userState } from '../audit/user-state.ts';
import { ExitCode } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Colors, Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';
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
  const path = auditPath(directory);
  const position = sizeOf(path);
  const entries = readAudit(directory);
  entries.forEach(print);
  if (options.follow === true) {
    await follow(path, position, print);
  } else if (entries.length === 0 && options.json !== true) {
    console.err('The guard has not stopped anything here yet.');
  }
  return ExitCode.fine;
}

/** Polls, because watching a file that is appended to and rotated differs between systems. Ends with the process. */
async function follow(path: string, start: Position, print: (entry: AuditEntry) => void): Promise<never> {
  for (let position = start; ; await sleep(pollMilliseconds)) {
    const now = sizeOf(path);
    const from = now.file === position.file ? position.size : 0;
    if (now.size > from) {
      const text = await readFrom(path, from, now.size);
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      parseAudit(whole).forEach(print);
      position = { file: now.file, size: from + Buffer.byteLength(whole) };
    }
  }
}

interface Position {
  /** The file's inode: a rotated trail is another file. */
  readonly file: number;
  readonly size: number;
}

function sizeOf(path: string): Position {
  const stats = statSync(path, { throwIfNoEntry: false });
  return { file: stats?.ino ?? 0, size: stats?.size ?? 0 };
}

async function readFrom(path: string, start: number, end: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

const answers: Readonly<Record<AuditEntry['answer'], string>> = {
  policy: '',
  person: 'put to the user',
  approval: 'approved by a person',
  nobody: 'nobody could answer',
};

function lineOf(entry: AuditEntry, colors: Colors): string {
  const verdict = { allow: colors.green('allowed'), ask: colors.yellow('asked  '), deny: colors.red('denied ') }[
    entry.verdict
  ];
  const details = [
    entry.rules.join(', '),
    entry.agent ?? entry.front,
    answers[entry.answer] ?? '',
    entry.checkpoint === undefined ? '' : `checkpoint ${entry.checkpoint}`,
  ].filter((detail) => detail !== '');
  const action = printable(entry.action.replaceAll('\n', ' ⏎ '));
  return `${colors.dim(entry.time.slice(0, 19).replace('T', ' '))}  ${verdict}  ${action}  ${colors.dim(`[${details.join(' · ')}]`)}`;
}
