import { openPart } from '../simple-command.ts';
import { interpolatedText } from './interpolated-call.ts';
import type { Language } from './languages.ts';
import type { OpenCommand } from './open-command.ts';
import { readArgument } from './source-arguments.ts';
import { endOfQuote } from './source-texts.ts';

/** A command between quotes of its own, as in `` `git push` `` or `qx{git push}`. */
export interface QuotedCommand {
  readonly position: number;
  /** null: a value is put into it. */
  readonly command: string | null;
  /** The command with the values that are put in, where those are data. */
  readonly open: OpenCommand | null;
  /** What is put in are words, whatever is in them. */
  readonly insertsWords: boolean;
}

/**
 * Finds what a language runs between quotes of its own: `Language.quoted` says how they begin.
 *
 * @param texts which characters are text, where that is known
 */
export function quotedCommands(
  language: Language,
  source: string,
  texts: readonly boolean[] | null,
): readonly QuotedCommand[] {
  const found: QuotedCommand[] = [];
  const { quoted } = language;
  let from = 0;
  for (const match of quoted === null ? [] : source.matchAll(quoted)) {
    const start = match.index + match[0].length;
    const end = match.index < from || texts?.[match.index] === true ? -1 : endOfQuote(source, start);
    if (end >= 0) {
      found.push(commandIn(language, match, source.slice(start, end)));
      from = end + 1;
    }
  }
  return found;
}

function commandIn(language: Language, match: RegExpExecArray, command: string): QuotedCommand {
  const isOpen = language.interpolation.test(command) || command.includes(openPart);
  const isTemplate = /^(?:(?:Bun\.)?\$|execa)/.test(match[0]);
  const open = isTemplate ? templateCommand(command, language) : interpolatedText(language, command);
  return {
    position: match.index,
    command: isOpen ? null : command,
    open: isOpen ? open : null,
    insertsWords: isTemplate,
  };
}

/** A template of zx or Bun, whose values are words, whatever is in them. */
function templateCommand(command: string, { interpolation }: Language): OpenCommand | null {
  const read = readArgument(`\`${command}\``, interpolation);
  return read.kind === 'text' ? { script: read.text } : null;
}
