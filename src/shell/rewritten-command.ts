import type { Command, Word as SyntaxWord } from 'unbash';
import { quoteWord } from '../quote.ts';
import type { Frame, ScriptShell } from './call.ts';
import { changed, type Outcome, type ShellState } from './shell-state.ts';
import { Expansion } from './words/word-expansion.ts';

/** Runs a command whose text has to be read again with another word in the place of its name; null: it stands as it is. */
export function runRewritten(node: Command, state: ShellState, frame: Frame, shell: ScriptShell): Outcome | null {
  return expandAlias(node, state, frame, shell) ?? joinAssignment(node, state, frame, shell);
}

/** An alias holds from the line after its definition on, where aliases are expanded at all (bash(1) "ALIASES"). */
function expandAlias(node: Command, state: ShellState, frame: Frame, shell: ScriptShell): Outcome | null {
  const { name } = node;
  if (name === undefined || !state.options.expandAliases || state.aliases.size === 0 || name.text !== name.value) {
    return null;
  }
  const alias = state.aliases.get(name.value);
  const sameLine = alias?.source === frame.text && !frame.text.slice(alias.end, node.pos).includes('\n');
  if (alias === undefined || sameLine) {
    return null;
  }
  const aliases = new Map(state.aliases);
  aliases.delete(name.value);
  const [next] = node.args;
  const following = /[ \t]$/.test(alias.value) && next?.text === next?.value ? next : undefined;
  const value = following === undefined ? undefined : state.aliases.get(following.text)?.value;
  const text = withName(alias.value, node, name, frame, value === undefined ? undefined : { word: following, value });
  const outcome = shell.runText(text, changed(state, { aliases }), frame);
  const restore = (after: ShellState | null) => after && changed(after, { aliases: state.aliases });
  return { success: restore(outcome.success), failure: restore(outcome.failure) };
}

/** The parser takes the process substitution of `NAME=<( … ) git status` for the command: its path belongs to the value. */
function joinAssignment(node: Command, state: ShellState, frame: Frame, shell: ScriptShell): Outcome | null {
  const { name, prefix } = node;
  if (name === undefined || prefix.at(-1)?.end !== name.pos) {
    return null;
  }
  const [path] = shell.expanding(frame, () => new Expansion(shell, state).words([name]));
  return path?.kind === 'known'
    ? shell.runText(withName(quoteWord(path.value), node, name, frame), state, frame)
    : null;
}

/** A word behind an alias that ends in a blank, which is an alias as well. */
interface Following {
  readonly word: { readonly pos: number; readonly end: number } | undefined;
  readonly value: string;
}

/** The command's text with something else in the place of its name, and its here-documents, which stand below it. */
function withName(text: string, node: Command, name: SyntaxWord, frame: Frame, following?: Following): string {
  const { pos = name.end, end = name.end } = following?.word ?? {};
  const behind = frame.text.slice(name.end, pos) + (following?.value ?? '') + frame.text.slice(end, node.end);
  const line = frame.text.slice(node.pos, name.pos) + text + behind;
  const documents = node.redirects.flatMap((redirection) =>
    redirection.type === 'HereDoc' ? `\n${redirection.body?.text ?? ''}${redirection.delimiter?.value ?? ''}` : [],
  );
  return [line, ...documents].join('');
}
