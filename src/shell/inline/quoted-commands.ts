import { openPart } from '../simple-command.ts';
import { interpolatedText } from './interpolated-call.ts';
import { readArgument } from './source/arguments.ts';
import type { Language } from './source/languages.ts';
import type { OpenCommand } from './source/open-command.ts';
import { endOfQuote } from './source/texts.ts';

/** A command between quotes of its own, as in `` `git push` `` or `qx{git push}`. */
export interface QuotedCommand {
  readonly position: number;
  /** null: a value is put into it. */
  readonly command: string | null;
  /** The command with the values that are put in, where those are data. */
  readonly open: OpenCommand | null;
  /** What is put in are words, whatever is in them. */
  readonly insertsWords: boolean;
  /** Where a template is run, if that is said: null where it is not known. */
  readonly cwd: string | null | undefined;
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
      const cwd = directoryIn(match[0], source.slice(end + 1, end + 200));
      found.push({ ...commandIn(language, match, source.slice(start, end)), cwd });
      from = end + 1;
    }
  }
  return found;
}

/** `$({ cwd: 'x' })` before a template of zx or execa, `.cwd('x')` behind one of Bun. */
function directoryIn(before: string, behind: string): string | null | undefined {
  const [option, , named] = /(?<![\w$])cwd\s*(?::\s*)?(?:(["'])(.*?)\1)?/.exec(before) ?? [];
  const [method, , given] = /^(?:\s*\.\s*\w+\(\))*\s*\.\s*cwd\(\s*(?:(["'])(.*?)\1)?/.exec(behind) ?? [];
  return option === undefined && method === undefined ? undefined : (named ?? given ?? null);
}

function commandIn(language: Language, match: RegExpExecArray, command: string): Omit<QuotedCommand, 'cwd'> {
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
