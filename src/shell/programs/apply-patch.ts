import { singleQuoted } from '../../quote.ts';
import type { ProgramReader } from '../call.ts';
import { runAsScript } from './program-script.ts';

/** What a patch in Codex's form says of a file, with the lines up to what it says of the next. */
const header = /^\*\*\* (Add|Update|Delete) File: (.+?)[ \t]*\n((?:(?!\*\*\* (?:Add|Update|Delete|End) ).*\n?)*)/gm;

/**
 * The commands that leave the same files as a patch. What an update makes of a file is not worked out: it counts as a
 * text that nobody knows.
 *
 * @returns null where it is no such patch
 */
function patchScript(patch: string): string | null {
  // Codex takes the ends of lines as they are written on any system, and blanks before a header.
  const plain = patch.replace(/\r\n?/g, '\n').replace(/^[ \t]+(?=\*\*\* )/gm, '');
  const commands = Array.from(plain.matchAll(header), ([, change = '', path = '', lines = '']) => {
    const moved = /^\*\*\* Move to: (.+?)[ \t]*$/m.exec(lines)?.[1];
    const removal = `rm -- ${singleQuoted(path)}`;
    if (change === 'Delete') {
      return removal;
    }
    if (change === 'Add') {
      const text = lines.replace(/^[^+\n].*\n?/gm, '').replace(/^\+/gm, '');
      return `printf %s ${singleQuoted(text)} > ${singleQuoted(path)}`;
    }
    return moved === undefined ? `cat > ${singleQuoted(path)}` : `cat > ${singleQuoted(moved)}\n${removal}`;
  });
  return commands.length === 0 ? null : commands.join('\n');
}

/** `apply_patch PATCH`, `apply_patch <<EOF`: Codex takes it out of the commands of its shell tool, and does it itself. */
const applyPatch: ProgramReader = (call, shell) => {
  const [, operand] = call.argv;
  const given = operand?.kind === 'known' ? operand.value : null;
  const text = operand === undefined ? (call.frame.input?.rest() ?? null) : given;
  const script = text === null ? null : patchScript(text);
  return script === null ? null : runAsScript(script, 'apply_patch', call, shell);
};

/** Rows for the table of carriers. */
export const patchPrograms: readonly (readonly [string, ProgramReader])[] = [
  ['apply_patch', applyPatch],
  ['applypatch', applyPatch],
];
