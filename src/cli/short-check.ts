import { fstatSync } from 'node:fs';
import { findCommitlintConfiguration } from '../commit/commitlint-configuration.ts';
import { agentConvention } from '../dialects/agent-convention.ts';
import { writeAll } from '../dialects/descriptor-output.ts';
import { ExitCode } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { ownEnvironment } from '../git/runner.ts';
import { importCli } from '../githooks/front.ts';
import { judgeCommandLine } from '../guards/evaluate.ts';
import type { Convention } from '../guards/scene.ts';
import { choosePaint } from '../ui/paint.ts';
import { answerOf, exitCodes, noticeLines } from './check-answer.ts';
import { readJudgedLine } from './judged-line.ts';

/**
 * `oxide-guard check COMMAND` with the modules of the agents' hook, which are compiled already and start in a third of
 * the time. What needs more (help, `--stdin`, a wrong option, a broken configuration, a repository's own commitlint, an
 * answer that can't be written) is left to the command line, which begins anew.
 *
 * @param words the words after `check`
 */
export async function runShortCheck(words: readonly string[]): Promise<void> {
  // Until there is a judgement: a configuration may be a program that ends this one.
  process.exitCode = ExitCode.failed;
  const answer = await shortAnswer(words).catch(() => null);
  if (answer === null || !writeAll(1, `${answer.text}\n`)) {
    const { main } = (await importCli('cli')) as typeof import('./main.ts');
    return main(['check', ...words]);
  }
  process.exitCode = answer.exitCode;
}

/** @returns null where the command line must answer */
async function shortAnswer(words: readonly string[]): Promise<{ text: string; exitCode: ExitCode } | null> {
  const { command, cwd, options } = readJudgedLine('check', words, ['--json']);
  if (command === null) {
    return null;
  }
  let hasCommitlint = false;
  const convention = (repository: Repository | null): Promise<Convention> => {
    const root = repository?.workTree ?? null;
    hasCommitlint ||= root !== null && findCommitlintConfiguration(repository?.cwd ?? root, root) !== null;
    return agentConvention(repository, cwd);
  };
  const judgement = await judgeCommandLine(command, { cwd, env: ownEnvironment(), convention });
  if (hasCommitlint || judgement.findings.some(({ rule }) => rule === 'guard-failure')) {
    return null;
  }
  writeAll(
    2,
    noticeLines()
      .map((line) => `${line}\n`)
      .join(''),
  );
  // Node's streams and their terminals are loaded only where there may be one.
  const output = fstatSync(1).isCharacterDevice() ? process.stdout : { isTTY: false, columns: undefined };
  return {
    text: answerOf(judgement, options.has('--json'), choosePaint(output, process.env), output.columns),
    exitCode: exitCodes[judgement.verdict],
  };
}
