import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { composeMessage, type Draft, dropDraft, keepDraft, readDraft } from '../commit/draft.ts';
import { explainReport } from '../commit/explain.ts';
import { lintWith } from '../commit/linted-message.ts';
import type { Linter } from '../commit/linter.ts';
import { usedScopes } from '../commit/scope-history.ts';
import { askForCommit, confirm } from '../commit/wizard.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { runInForeground } from '../git/command.ts';
import type { Repository } from '../git/repository.ts';
import { Git } from '../git/runner.ts';
import { pasteable } from '../own-command.ts';
import type { Console } from '../ui/console.ts';
import type { Command } from './command.ts';
import { repositoryLinter } from './repository-linter.ts';
import { requiredRepository } from './required-repository.ts';

export const commit: Command = {
  forwards: true,
  register(cli, console) {
    cli
      .command('commit', 'Ask for the parts of a commit message, show it, and commit')
      .usage('commit [-- GIT ARGS]')
      .example('oxide-guard commit -- --all')
      .action((options: { '--': readonly string[] }) => compose(options['--'], console));
  },
};

async function compose(gitArguments: readonly string[], console: Console): Promise<ExitCode> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new OxideError('no-terminal', 'There is no terminal, so nobody can be asked for the parts of the message.', {
      remedy: 'git commit -m "feat: …"',
      exitCode: ExitCode.unanswered,
    });
  }
  const repository = await requiredRepository('nothing can be committed');
  await refuseEmptyCommit(repository, gitArguments);
  const linter = await repositoryLinter(repository);
  const draft = await answers(repository, linter, console);
  if (draft === null) {
    return brokenOff(console);
  }
  const message = composeMessage(draft, linter.convention.bodyMaxLineLength);
  return preview(message, linter, repository, gitArguments, console);
}

/** With arguments git may find more to commit (`--all`, paths) or need nothing (`--amend`, `--allow-empty`). */
async function refuseEmptyCommit(repository: Repository, gitArguments: readonly string[]): Promise<void> {
  const isStaged = gitArguments.length > 0 || (await repository.status()).some(({ index }) => !/[.?!]/.test(index));
  if (!isStaged) {
    throw new OxideError('nothing-staged', 'Nothing is staged, so there is nothing to commit.', {
      remedy: 'git add FILE…   or   oxide-guard commit -- --all',
    });
  }
}

async function answers(repository: Repository, linter: Linter, console: Console): Promise<Draft | null> {
  const kept = readDraft(repository.gitDir);
  let earlier: Draft = {};
  if (kept !== null) {
    console.out(console.colors.dim(composeMessage(kept, linter.convention.bodyMaxLineLength).trimEnd()));
    const goesOn = await confirm('Go on with this draft?');
    if (goesOn === null) {
      return null;
    }
    earlier = goesOn ? kept : {};
  }
  const scopes = await usedScopes(new Git({ cwd: repository.cwd, env: process.env }));
  return askForCommit(linter, scopes, earlier, (draft) => keepDraft(repository.gitDir, draft));
}

async function preview(
  message: string,
  linter: Linter,
  repository: Repository,
  gitArguments: readonly string[],
  console: Console,
): Promise<ExitCode> {
  const { report, suggestion } = await lintWith(linter, message, { oid: null, file: null });
  const explanation = explainReport(message, report, suggestion, {
    paint: console.colors,
    convention: linter.convention,
    columns: process.stdout.columns,
  });
  console.out(`\n${message.replace(/^(?=.)/gm, '  ')}`);
  if (explanation !== '') {
    console.out(explanation);
  }
  const isWanted = await confirm('Commit this?');
  if (isWanted !== true) {
    brokenOff(console);
    return isWanted === null ? ExitCode.interrupted : ExitCode.failed;
  }
  const file = join(repository.gitDir, 'oxide-guard', 'COMMIT_DRAFT');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, message);
  const code = await runInForeground({ cwd: process.cwd(), env: process.env }, ['commit', '-F', file, ...gitArguments]);
  if (code !== 0) {
    console.err(
      pasteable(`git did not commit (exit code ${code}). The draft is kept: oxide-guard commit offers it again.`),
    );
    return code === 130 ? ExitCode.interrupted : ExitCode.failed;
  }
  dropDraft(repository.gitDir);
  return ExitCode.fine;
}

function brokenOff(console: Console): ExitCode {
  console.err(pasteable('Not committed. What you wrote is kept: oxide-guard commit offers it again.'));
  return ExitCode.interrupted;
}
