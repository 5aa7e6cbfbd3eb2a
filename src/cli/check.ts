import { isAbsolute, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ExitCode, OxideError } from '../errors.ts';
import { ownEnvironment } from '../git/runner.ts';
import { type Judgement, judgeCommandLine } from '../guards/evaluate.ts';
import { Repositories } from '../guards/simulation/repositories.ts';
import type { Console } from '../ui/console.ts';
import { answerOf, documentOf, exitCodes } from './check-answer.ts';
import type { Command } from './command.ts';
import { readJudgedLine } from './judged-line.ts';
import { repositoryConvention } from './repository-convention.ts';

export const check: Command = {
  register(cli, console) {
    cli
      .command('check [...command]', 'Judge a command line by what it would do to this repository now')
      .option('--json', 'One JSON document')
      .option('--cwd <dir>', 'The directory it would run in')
      .option('--stdin', 'Judge one JSON object {"command", "cwd"?} a line; answer one a line')
      .allowUnknownOptions()
      .action(() => {
        const { command, cwd, options } = readJudgedLine(cli.rawArgs.slice(3), ['--json', '--stdin']);
        if (options.has('--stdin')) {
          return checkLines(process.stdin, process.stdout, cwd);
        }
        if (command === null) {
          throw new OxideError('usage', 'No command was given to judge.', {
            remedy: "oxide-guard check 'git push --force'",
            exitCode: ExitCode.usage,
          });
        }
        return checkOne(command, cwd, options.has('--json'), console);
      });
  },
};

async function checkOne(command: string, cwd: string, json: boolean, console: Console): Promise<ExitCode> {
  const judgement = await judge(command, cwd, new Repositories());
  console.out(answerOf(judgement, json, console.colors));
  return exitCodes[judgement.verdict];
}

function judge(command: string, cwd: string, repositories: Repositories, env = ownEnvironment()): Promise<Judgement> {
  return judgeCommandLine(command, { cwd, env, convention: repositoryConvention, repositories });
}

/**
 * Judges lines one after the other, answering in order. Facts about a repository are shared by lines that come within a
 * second of each other.
 *
 * @returns `usage` when a line was no request; it is answered all the same, by a denial
 */
export async function checkLines(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  cwd: string,
): Promise<ExitCode> {
  const repositories = new Repositories();
  const env = ownEnvironment();
  let code: ExitCode = ExitCode.fine;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const request = readRequest(line, cwd);
    if (request === null) {
      code = ExitCode.usage;
    }
    const answer =
      request === null ? malformed : documentOf(await judge(request.command, request.cwd, repositories, env));
    await write(output, `${JSON.stringify(answer)}\n`);
  }
  return code;
}

const malformed = {
  verdict: 'deny',
  findings: [
    {
      rule: 'guard-failure',
      verdict: 'deny',
      message: 'This line is no JSON object with a string "command" and, if it has one, a string "cwd".',
      evidence: { commits: [], files: [], refs: [] },
      suggestion: '{"command": "git push"}',
    },
  ],
  commands: [],
} as const;

function readRequest(line: string, cwd: string): { readonly command: string; readonly cwd: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const { command, cwd: directory = cwd } = value as Record<string, unknown>;
  if (typeof command !== 'string' || typeof directory !== 'string') {
    return null;
  }
  return { command, cwd: isAbsolute(directory) ? directory : resolve(cwd, directory) };
}

/** Waits when the reader is slower than the judge, so that memory stays flat. */
function write(output: NodeJS.WritableStream, text: string): Promise<void> | undefined {
  return output.write(text) ? undefined : new Promise((resolve) => output.once('drain', () => resolve()));
}
