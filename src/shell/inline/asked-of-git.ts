import { quoteWord } from '../../quote.ts';
import { ownDirectory } from './inline-directories.ts';
import type { OpenText } from './source/argument.ts';
import type { OpenCommand, OpenWord } from './source/open-command.ts';

const top = 'rev-parse --show-toplevel';

/** How programs ask git for the branch that is checked out, or the top of the work tree, as one text or word by word. */
const question = ['branch --show-current', 'rev-parse --abbrev-ref HEAD', 'symbolic-ref --short HEAD', top]
  .map((words) => `git ${words}`.replaceAll(' ', `(?:\\s+|["'\`]\\s*,\\s*\\[?\\s*["'\`])`))
  .join('|');

/** What a program is given that asks git for the top of the work tree, as a shell would put it in. */
export const topOfWorkTree = `$(git ${top})`;

/** What takes the answer out of what git prints, and blanks off. */
const taken = String.raw`(?:\s*\.\s*(?:toString|trim|trimEnd|strip|rstrip|decode|stdout|text|quiet|nothrow)(?:\((?:["']utf-?8["'])?\))?|\s*\))*\s*(?:;|$)`;

/** What may follow on the question without changing the answer's words: the rest of the call, and {@link taken}. */
const rest = String.raw`["'\x60](?:\]|\s*\.\s*split\(\s*\)|\s*\))?(?:\s*,\s*(?:\{[^{}]*\}|\w+\s*=\s*[\w.]+|["']utf-?8["']))*\s*,?\s*\)${taken}`;

const asking = new RegExp(`^([^"'\`]*["'\`])(${question})${rest}`);
/** The same in a template that is run: \`await $\`git branch --show-current\`\`. */
const askingTemplate = new RegExp(`^([^"'\`]*(?:\\$|\\bexeca(?:Sync)?)\`)(${question})\`${taken}`);
/** What was asked is held by a variable: \`r.stdout.strip()\`. */
const heldAnswer = new RegExp(`^([A-Za-z_$][\\w$]*)(?=\\s*\\.)${taken}`);

/**
 * `branch = check_output(["git", "branch", "--show-current"])`, put into another command: what git prints there, as a shell
 * would put it in.
 *
 * @param source the program's text
 * @param isElsewhere whether the command runs in another directory than the one that was asked about
 */
export function withAnswers(command: OpenCommand, source: string, isElsewhere: boolean): OpenCommand {
  if ('script' in command) {
    return { script: asked(command.script, source, isElsewhere) };
  }
  const words = command.words.map((word) => ('text' in word ? asked(word.text, source, isElsewhere) : null));
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

/** Elsewhere a directory that is asked for is another one than there. */
function asked(text: OpenText, source: string, isElsewhere: boolean): OpenText {
  const parts = text.map((part) => {
    const told = typeof part === 'string' ? part : answer(part.expression, source);
    return told === null || (isElsewhere && (told === '.' || told === topOfWorkTree)) ? part : told;
  });
  return parts.every((part, at) => part === text[at]) ? text : parts;
}

/** What a call that asks, or the one that a variable is ever given, comes to: a substitution, or the program's own directory. */
function answer(expression: string, source: string): string | null {
  if (ownDirectory.test(expression.trim())) {
    return '.';
  }
  const held = /^[A-Za-z_]\w*$/.test(expression) ? expression : heldAnswer.exec(expression.trim())?.[1];
  return held === undefined ? answerOf(expression) : answerHeldBy(held, source);
}

/** A variable may be given what another one holds. */
function answerHeldBy(name: string, source: string, depth = 1): string | null {
  const escapedName = escaped(name);
  // `const { stdout: branch } = await execa(…)`
  const field = name === 'stdout' ? '\\{\\s*stdout\\s*\\}' : `\\{\\s*stdout\\s*:\\s*${escapedName}\\s*\\}`;
  const given = Array.from(
    source.matchAll(new RegExp(`(?:(?<![\\w$.])${escapedName}|${field})\\s*=(?![=>])(.*(?:\\n[ \\t]+.*)*)`, 'gm')),
    ([, value = '']) => value,
  );
  const [only = ''] = given;
  // `root += '/docs'`
  const isChanged = new RegExp(`(?<![\\w.])${escapedName}\\s*[-+*/%|&?]+=`).test(source);
  if (given.length !== 1 || isChanged) {
    return null;
  }
  const [, other] = heldAnswer.exec(only.trim()) ?? [];
  return other === undefined || depth === 0 ? answerOf(only) : answerHeldBy(other, source, depth - 1);
}

/** Null also where git is asked somewhere else than the program stands. */
function answerOf(call: string): string | null {
  const found = asking.exec(call) ?? askingTemplate.exec(call);
  const [whole = '', , words] = found ?? [];
  return words === undefined || /\bcwd\b/.test(whole) ? null : `$(${words.replace(/[\s"'`,[]+/g, ' ')})`;
}

/** Is a directory the top of the work tree, as git tells a program that nowhere goes elsewhere? */
export function isAskedTop(expression: string, source: string): boolean {
  const changes = source.match(/(?<![-\w])chdir\s*\(/g) ?? [];
  const isOnlyChange = new RegExp(`(?<![-\\w])chdir\\s*\\(\\s*${escaped(expression)}`).test(source);
  return changes.length <= (isOnlyChange ? 1 : 0) && answer(expression, source) === topOfWorkTree;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
