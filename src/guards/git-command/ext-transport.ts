import type { Word } from '../../shell/simple-command.ts';
import type { RunIntent } from '../intent.ts';
import { known, textOf } from './words.ts';

/** Subcommands that connect to a repository which a word of theirs names. */
const connecting = new Set(['fetch', 'pull', 'push', 'clone', 'ls-remote', 'fetch-pack']);

const scheme = 'ext::';

/** What `ext::COMMAND` as a repository makes git run, where the protocol is allowed: git-remote-ext(1). */
export function extTransports(subcommand: string, words: readonly Word[]): readonly RunIntent[] {
  if (!connecting.has(subcommand)) {
    return [];
  }
  const urls = words.flatMap((word) => textOf(word) ?? []).filter((text) => text.startsWith(scheme));
  const commands = urls.map((url) => url.slice(scheme.length)).filter((command) => command !== '');
  return commands.map((text) => ({
    kind: 'run',
    command: splitWords(text).map(known),
    by: `git ${subcommand} ext::`,
    protocol: 'ext',
  }));
}

/** Words end at spaces; `% ` is a space within a word, `%%` a percent sign, `%s` and the like stand for services. */
function splitWords(text: string): readonly string[] {
  const words = text.match(/(?:%.|[^ %])+/gs) ?? [];
  return words.map((word) => word.replace(/%([ %])/g, '$1').replace(/%[sS]/g, 'git-upload-pack'));
}
