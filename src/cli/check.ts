import { isAbsolute, resolve } from 'node:path';
import { mayStandIn, type Standing, standingOf } from '../dialects/gone-directory.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { ObjectQuestions } from '../git/history/object-questions.ts';
import type { Repository } from '../git/repository.ts';
import { type Environment, ownEnvironment } from '../git/runner.ts';
import { type Judgement, judgeCommandLine } from '../guards/evaluate.ts';
import { Repositories } from '../guards/simulation/repositories.ts';
import type { Console } from '../ui/console.ts';
import { answerOf, documentOf, exitCodes, noticeLines } from './check-answer.ts';
import type { Command } from './command.ts';
import { readJudgedLine } from './judged-line.ts';
import { compileForLongRun } from './long-run.ts';
import { repositoryConvention } from './repository-convention.ts';

export const check: Command = {
  register(cli, console) {
    cli
      .command(
        'check [...command]',
        'Judge a command line by what it would do to this repository now; exits with 0 to allow it, 1 to deny it, 3 to ask',
      )
      .option('--json', 'One JSON document')
      .option('--cwd <dir>', 'The directory it would run in')
      .option('--stdin', 'Judge one JSON object {"command", "cwd"?} a line; answer one a line')
      .allowUnknownOptions()
      .action((words: readonly string[]) => {
        const { command, cwd, options } = readJudgedLine('check', words, ['--json', '--stdin']);
        if (options.has('--stdin')) {
          return checkInput(command, cwd, console);
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

async function checkInput(command: string | null, cwd: string, console: Console): Promise<ExitCode> {
  if (command !== null) {
    throw new OxideError('usage', 'With --stdin the commands come from standard input, and here is one besides.', {
      remedy: `echo '{"command": "git push"}' | oxide-guard check --stdin`,
      exitCode: ExitCode.usage,
    });
  }
  compileForLongRun();
  const code = await checkLines(process.stdin, process.stdout, cwd);
  noticeLines().forEach(console.err);
  return code;
}

async function checkOne(command: string, cwd: string, json: boolean, console: Console): Promise<ExitCode> {
  const judgement = await judgeFrom(cwd, ownEnvironment(), sharedFacts())({ command, cwd });
  noticeLines().forEach(console.err);
  console.out(answerOf(judgement, json, console.colors, process.stdout.columns));
  return exitCodes[judgement.verdict];
}

/** Facts about repositories, shared by commands that come within a second of each other. */
const sharedFacts = () => new Repositories(undefined, () => new ObjectQuestions());

/** @param here the directory in which a person has asked */
function judgeFrom(
  here: string,
  env: Environment,
  repositories: Repositories,
): (request: Request) => Promise<Judgement> {
  const convention = (repository: Repository | null) => repositoryConvention(repository, here);
  return ({ command, cwd }) => judgeCommandLine(command, { cwd, env, convention, repositories });
}

/**
 * Characters of answers that leave together: a write for each, which wakes the reader, takes a tenth of the time. Half of
 * what a pipe holds, so that the reader has something to do while the rest is judged.
 */
const gathered = 32_768;

/**
 * Judges lines one after the other, answering in order; answers to lines that came together may leave together.
 *
 * @returns `usage` when a line was no request; it is answered all the same, by a denial
 */
export async function checkLines(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  cwd: string,
): Promise<ExitCode> {
  const env = ownEnvironment();
  const repositories = sharedFacts();
  const judge = judgeFrom(cwd, env, repositories);
  let code: ExitCode = ExitCode.fine;
  let answers = '';
  const send = async () => {
    const text = answers;
    answers = '';
    await write(output, text);
  };
  for await (const lines of linesOf(input)) {
    // Whoever has seen the answers before may have run something meanwhile.
    repositories.doubt();
    const isThere = rememberingThere();
    try {
      for (const line of lines) {
        const request = readRequest(line, cwd);
        code = request === null ? ExitCode.usage : code;
        const answer =
          request === null
            ? unreadable
            : await answerTo(request, standingOf(request.command, request.cwd, env, isThere), judge);
        answers += `${JSON.stringify(answer)}\n`;
        if (answers.length > gathered) {
          await send();
        }
      }
    } finally {
      await send();
    }
  }
  return code;
}

/** Looks at each directory once, for lines that came together: that takes longer than many a line. */
function rememberingThere(): (path: string) => boolean {
  const there = new Set<string>();
  return (path) => {
    const isThere = there.has(path) || mayStandIn(path);
    if (isThere) {
      there.add(path);
    }
    return isThere;
  };
}

/** The lines that come together. Not node's readline, which also ends a line at U+2028: JSON may hold it as it is. */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const [end = '', ...more] = String(chunk).split('\n');
    const last = more.pop();
    if (last === undefined) {
      rest += end;
    } else {
      yield [rest + end, ...more];
      rest = last;
    }
  }
  if (rest !== '') {
    yield [rest];
  }
}

async function answerTo(request: Request, standing: Standing, judge: ReturnType<typeof judgeFrom>) {
  return standing.kind === 'gone'
    ? refusal(`${standing.reason} So it is refused.`, standing.suggestion)
    : documentOf(await judge({ ...request, cwd: standing.cwd }));
}

/** The document for what can't be judged. */
function refusal(message: string, suggestion: string | null) {
  const evidence = { commits: [], files: [], refs: [] };
  const finding = { rule: 'guard-failure', verdict: 'deny', message, evidence, suggestion } as const;
  return { verdict: 'deny', findings: [finding], commands: [] } as const;
}

const unreadable = refusal(
  'This line is no JSON object with a string "command" and, if it has one, a string "cwd".',
  '{"command": "git push"}',
);

interface Request {
  readonly command: string;
  readonly cwd: string;
}

function readRequest(line: string, cwd: string): Request | null {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
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
