import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Linter } from '../commit/linter.ts';
import { cleanMessage, cleanupOptions } from '../commit/message.ts';
import { discoverRepository, type Location } from '../git/discovery.ts';
import { Git, type GitContext } from '../git/runner.ts';
import { readConfiguration } from '../git/settings/configuration.ts';
import { quoteWord } from '../quote.ts';
import { failureLines, type HookProcess, loadCorrections } from './front.ts';
import { hookLinter } from './hook-linter.ts';
import { keepMessage } from './rejected-message.ts';

/**
 * What git's commit-msg hook does: githooks(5), "commit-msg".
 *
 * @param file the message file, as git names it
 * @returns the hook's exit code. A failure of the hook itself refuses too, and keeps the message like any refusal
 */
export async function commitMsg(file: string, hook: HookProcess): Promise<0 | 1> {
  const { cwd, env, say, whenEnded } = hook;
  let raw: Buffer | null = null;
  let repository: Location | null = null;
  try {
    raw = readFileSync(resolve(cwd, file));
    const content = raw;
    whenEnded(() => sayWhereKept(content, repository, file, hook));
    repository = await discoverRepository({ cwd, env });
    const message = await messageToRecord(raw, repository, { cwd, env });
    const linter = await hookLinter(repository, { advice: `Your message is in ${quoteWord(file)} still.` });
    if ((await linter.lint(message)).valid) {
      return 0;
    }
    await refuse(message, linter, repository, hook);
  } catch (error) {
    for (const line of failureLines('commit-msg', error)) {
      say(line);
    }
  }
  if (raw !== null) {
    sayWhereKept(raw, repository, file, hook);
  }
  return 1;
}

/** Says what is wrong with a message, and keeps in the trail that it was refused. */
async function refuse(
  message: string,
  linter: Linter,
  repository: Location | null,
  { cwd, paint, columns, say }: HookProcess,
): Promise<void> {
  const { appendAudit, explainReport, lintWith } = loadCorrections();
  const { report, suggestion } = await lintWith(linter, message, { oid: null, file: null });
  say(`${paint.red('oxide-guard:')} this message does not follow the commit convention.`);
  say(explainReport(message, report, suggestion, { paint, convention: linter.convention, columns }));
  if (repository !== null) {
    appendAudit(repository.commonDir, {
      front: 'commit-msg',
      directory: cwd,
      action: message.split('\n', 1)[0] ?? '',
      verdict: 'deny',
      rules: ['commit-message'],
      answer: 'policy',
    });
  }
}

/**
 * The message as git will record it. git starts hooks with GIT_EDITOR=: when no editor showed the message; then the
 * file holds no comments and nothing has to be asked of the configuration, which would cost a process – unless it is in
 * another encoding than UTF-8.
 */
async function messageToRecord(raw: Buffer, repository: Location | null, context: GitContext): Promise<string> {
  if (repository === null || (context.env.GIT_EDITOR === ':' && isUtf8(raw))) {
    return cleanMessage(raw, { edited: false });
  }
  const config = await readConfiguration(new Git(context), repository);
  return cleanMessage(
    raw,
    cleanupOptions((key) => config.get(key), context.env),
  );
}

/** git starts hooks at the root of the work tree, and says in GIT_PREFIX below which directory of it the person stands. */
function sayWhereKept(raw: Buffer, repository: Location | null, file: string, { cwd, env, say }: HookProcess): void {
  const path = keepMessage(repository?.gitDir ?? dirname(resolve(cwd, file)), raw);
  if (path === null) {
    say('  The message could not be kept: copy it before the next commit.');
    return;
  }
  const near = relative(resolve(cwd, env.GIT_PREFIX ?? ''), path);
  say(
    `  Your message is kept. To edit and commit it: git commit -eF ${quoteWord(near.startsWith('..') ? path : near)}`,
  );
}
