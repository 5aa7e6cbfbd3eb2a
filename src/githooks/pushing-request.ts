import type { PushRequest } from '../git/push/push-request.ts';
import { parseOptions } from '../guards/git-command/parse-options.ts';
import { push } from '../guards/git-command/push-commands.ts';
import type { Word } from '../shell/simple-command.ts';

/**
 * What the pushing git was asked to do, from its own command line: the one place where a lease shows.
 *
 * @param words of the command line after `git`
 * @returns null when they are no `git push` that git itself would accept
 */
export function readPushRequest(words: readonly string[]): PushRequest | null {
  const known = words.slice(words.indexOf('push') + 1).map((value): Word => ({ kind: 'known', value }));
  const parsed = parseOptions(push.options, known);
  if ('refused' in parsed) {
    return null;
  }
  const intents = push.intents(parsed, { name: 'push', words: known, input: null });
  return intents.find((intent) => intent.kind === 'push')?.request ?? null;
}
