import { quoteWord } from '../../quote.ts';
import type { OpenCommand, OpenWord } from './open-command.ts';
import type { OpenText } from './source-argument.ts';

/** How programs ask git for the branch that is checked out, as one text or word by word. */
const question = ['branch --show-current', 'rev-parse --abbrev-ref HEAD', 'symbolic-ref --short HEAD']
  .map((words) => `git ${words}`.replaceAll(' ', `(?:\\s+|["']\\s*,\\s*\\[?\\s*["'])`))
  .join('|');

/** What may follow on the answer without changing its words: the rest of the call, and what takes blanks off. */
const rest = String.raw`["']\]?(?:\s*,\s*(?:\{[^{}]*\}|\w+\s*=\s*[\w.]+|["']utf-?8["']))*\s*,?\s*\)(?:\s*\.\s*(?:toString|trim|trimEnd|strip|rstrip|decode|stdout|text)(?:\((?:["']utf-?8["'])?\))?)*\s*\)*\s*(?:;|$)`;

/**
 * `branch = check_output(["git", "branch", "--show-current"])`, put into another command: what git prints there, as a shell
 * would put it in.
 *
 * @param source the program's text
 */
export function withAskedBranch(command: OpenCommand, source: string): OpenCommand {
  if ('script' in command) {
    return { script: asked(command.script, source) };
  }
  const words = command.words.map((word) => ('text' in word ? asked(word.text, source) : null));
  const isAsked = words.some((text, at) => text !== null && !isSame(text, command.words[at]));
  const literal = words.map((text) => (text?.every((part) => typeof part === 'string') ? text : null));
  return isAsked && !literal.includes(null)
    ? { script: [literal.map((text) => (text ?? []).map((part) => quoted(String(part))).join('')).join(' ')] }
    : command;
}

const isSame = (text: OpenText, word: OpenWord | undefined) =>
  word !== undefined && 'text' in word && word.text === text;

/** A substitution of the shell's stays one. */
const quoted = (part: string) => (part.startsWith('$(git ') ? `"${part}"` : part === '' ? '' : quoteWord(part));

function asked(text: OpenText, source: string): OpenText {
  const parts = text.map((part) => (typeof part === 'string' ? part : (answer(part.expression, source) ?? part)));
  return parts.every((part, at) => part === text[at]) ? text : parts;
}

/** The one thing that the variable is ever given. */
function answer(expression: string, source: string): string | null {
  if (!/^[A-Za-z_]\w*$/.test(expression)) {
    return null;
  }
  const given = Array.from(
    source.matchAll(new RegExp(`(?<![\\w.])${expression}\\s*=(?![=>])(.*(?:\\n[ \\t]+.*)*)`, 'gm')),
    ([, value = '']) => value,
  );
  const [only = ''] = given;
  const words = new RegExp(`^[^"']*["'](${question})${rest}`).exec(only)?.[1];
  return given.length === 1 && words !== undefined ? `$(${words.replace(/[\s"',[]+/g, ' ')})` : null;
}
