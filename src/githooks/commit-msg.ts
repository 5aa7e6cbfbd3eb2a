import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { explainReport } from '../commit/explain.ts';
import { lintWith } from '../commit/linter.ts';
import { cleanMessage, cleanupOptions } from '../commit/message.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import { quoteWord } from '../shell/quote.ts';
import { failureLines, type HookProcess } from './front.ts';
import { hookLinter } from './hook-linter.ts';
import { keepMessage } from './rejected-message.ts';

/**
 * What git's commit-msg hook does: githooks(5), "commit-msg".
 *
 * @param file the message file, as git names it
 * @returns the hook's exit code. A failure of the hook itself refuses too, and keeps the message like any refusal
 */
export async function commitMsg(file: string, { cwd, env, paint, say }: HookProcess): Promise<0 | 1> {
  let raw: Buffer | null = null;
  let repository: Repository | null = null;
  try {
    raw = readFileSync(resolve(cwd, file));
    repository = await openRepository({ cwd, env });
    const message = await messageToRecord(raw, repository, env);
    const linter = await hookLinter(repository);
    const { report, suggestion } = await lintWith(linter, message, { oid: null, file });
    if (report.valid) {
      return 0;
    }
    say(`${paint.red('oxide-guard:')} this message does not follow the commit convention.`);
    say(explainReport(message, report, suggestion, { paint, convention: linter.convention }));
  } catch (error) {
    for (const line of failureLines('commit-msg', error)) {
      say(line);
    }
  }
  if (raw !== null) {
    sayWhereKept(raw, repository?.gitDir ?? dirname(resolve(cwd, file)), { cwd, say });
  }
  return 1;
}

/**
 * The message as git will record it. git starts hooks with GIT_EDITOR=: when no editor showed the message; then the
 * file holds no comments and nothing has to be asked of the configuration, which would cost a process.
 */
async function messageToRecord(raw: Buffer, repository: Repository | null, env: Environment): Promise<string> {
  if (repository === null || env.GIT_EDITOR === ':') {
    return cleanMessage(raw, { edited: false });
  }
  const config = await repository.config();
  return cleanMessage(
    raw,
    cleanupOptions((key) => config.get(key), env),
  );
}

function sayWhereKept(raw: Buffer, gitDir: string, { cwd, say }: Pick<HookProcess, 'cwd' | 'say'>): void {
  const path = keepMessage(gitDir, raw);
  if (path === null) {
    say('  The message could not be kept: copy it before the next commit.');
    return;
  }
  const near = relative(cwd, path);
  say(
    `  Your message is kept. To edit and commit it: git commit -eF ${quoteWord(near.startsWith('..') ? path : near)}`,
  );
}
