import { readFileSync } from 'node:fs';
import { type LintedMessage, lintWith } from '../commit/linted-message.ts';
import type { Linter } from '../commit/linter.ts';
import { cleanMessage, cleanupOptions } from '../commit/message.ts';
import { lintRange } from '../commit/range.ts';
import { formats } from '../commit/reporters/formats.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { Git } from '../git/runner.ts';
import type { Console } from '../ui/console.ts';
import type { Command } from './command.ts';
import { repositoryLinter } from './repository-linter.ts';
import { notInRepository } from './required-repository.ts';

interface Options {
  readonly message?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format?: string;
  readonly json?: boolean;
}

export const lint: Command = {
  register(cli, console) {
    cli
      .command('lint [file]', 'Check a commit message (a file, or - for standard input), or every commit of a range')
      .option('--message <text>', 'The message itself')
      .option('--from <rev>', 'Check the commits after this one')
      .option('--to <rev>', 'Check the commits up to this one (default: HEAD)')
      .option('--format <name>', 'text, json, github or sarif')
      .option('--json', 'The same as --format json')
      .action((file: string | undefined, { message, from, to, format, json }: Options) =>
        check(
          {
            file: file ?? null,
            message: message ?? null,
            from: from ?? null,
            to: to ?? null,
            format: json === true ? 'json' : (format ?? 'text'),
          },
          console,
        ),
      );
  },
};

interface Request {
  readonly file: string | null;
  readonly message: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly format: string;
}

async function check(request: Request, console: Console): Promise<ExitCode> {
  const report = Object.hasOwn(formats, request.format) ? formats[request.format] : undefined;
  if (report === undefined) {
    throw usage(`'${request.format}' is no format: ${Object.keys(formats).join(', ')}.`);
  }
  const isRange = request.from !== null || request.to !== null;
  if ([request.file, request.message, isRange ? '' : null].filter((source) => source !== null).length > 1) {
    throw usage('A file, --message and a range (--from, --to) exclude each other.');
  }
  const repository = await openRepository();
  const linter = await repositoryLinter(repository);
  const linted = isRange
    ? await lintCommits(request, repository, linter)
    : [await lintOne(request, repository, linter)];
  const { columns } = process.stdout;
  const output = report(linted, { paint: console.colors, columns, convention: linter.convention, isRange });
  if (output !== '') {
    console.out(output);
  }
  return linted.every((each) => each.report.valid) ? ExitCode.fine : ExitCode.failed;
}

async function lintCommits(
  { from, to }: Request,
  repository: Repository | null,
  linter: Linter,
): Promise<LintedMessage[]> {
  if (repository === null) {
    throw notInRepository('there are no commits to check');
  }
  const git = new Git({ cwd: repository.cwd, env: process.env });
  return lintRange(git, repository.commonDir, { from, to: to ?? 'HEAD' }, linter);
}

/** @throws OxideError `empty-message`: git would make no commit of it */
async function lintOne(request: Request, repository: Repository | null, linter: Linter): Promise<LintedMessage> {
  const message = await messageToLint(request, repository);
  if (message.trim() === '') {
    throw new OxideError('empty-message', 'The message is empty: git would make no commit of it.', {
      remedy: 'oxide-guard lint --message "feat: …"',
    });
  }
  return lintWith(linter, message, { oid: null, file: request.file === '-' ? null : request.file });
}

/** As git would keep it. */
async function messageToLint({ message, file }: Request, repository: Repository | null): Promise<string> {
  if (message !== null) {
    return cleanMessage(message, { edited: false });
  }
  if (file === null || file === '-') {
    return cleanMessage(await standardInput(file === '-'), { edited: false });
  }
  const config = await repository?.config();
  const options = cleanupOptions((key) => config?.get(key) ?? null, {});
  return cleanMessage(readMessageFile(file), options);
}

function readMessageFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new OxideError('message-unreadable', `The message file '${file}' can't be read (${code}).`, {
      remedy: 'oxide-guard lint --message "feat: …"',
      exitCode: ExitCode.usage,
      cause,
    });
  }
}

async function standardInput(isAsked: boolean): Promise<Buffer> {
  if (process.stdin.isTTY && !isAsked) {
    throw usage('There is no message to check.', 'oxide-guard lint --message "feat: …"');
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function usage(message: string, remedy = 'oxide-guard lint --help'): OxideError {
  return new OxideError('usage', message, { remedy, exitCode: ExitCode.usage });
}
