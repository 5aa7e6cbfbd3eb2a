import { join } from 'node:path';
import { quoteWord } from '../../../quote.ts';
import { readCommandLine } from '../../../shell/command-line.ts';
import type { ScriptFiles } from '../../../shell/script-files.ts';
import { programName, type SimpleCommand, type Step } from '../../../shell/simple-command.ts';
import { textWithNumbers } from '../../../shell/words/read-again.ts';
import { textOf } from '../../git-command/words.ts';
import type { Scene } from '../../scene.ts';
import { filesAfter } from '../../written-files.ts';
import type { Settings } from '../commits/edits-todo.ts';

/** Where git looks for the program that edits messages, the first one first: git-var(1) "GIT_EDITOR". */
const messageEditors: readonly string[] = ['GIT_EDITOR', 'core.editor', 'VISUAL', 'EDITOR'];
/** The same for the list of a rebase: git-rebase(1). */
export const listEditors: readonly string[] = ['GIT_SEQUENCE_EDITOR', 'sequence.editor', ...messageEditors];

/** Programs that leave what they are given as it is. */
const leavesFiles = /^(?::|true|echo|printf|cat|head|tail|wc|ls|test|\[|grep|sleep|exit)$/;

/**
 * The program that git has edit messages, or another text; null: none is named, so that git starts one by itself.
 *
 * @param setting looks up what is configured
 */
export function editorOf(setting: Settings, scene: Scene, names = messageEditors): string | null {
  const { env } = scene.repository.git.context;
  const variable = (name: string) => {
    const given = scene.command.env.get(name);
    return given === undefined ? (env[name] ?? null) : textWithNumbers(given);
  };
  const named = names.map((name) => (name.includes('.') ? setting(name) : variable(name)));
  return named.find((text) => text !== null && text !== '') ?? null;
}

/**
 * What a program makes of the text that git gives it, as far as the reader of command lines can follow it.
 *
 * @param program as the shell reads it: git puts the file's name behind it
 * @param before null: it is not known
 * @returns the same text where it is left as it was; null where the result is not known
 */
export function editedBy(program: string, before: string | null, scene: Scene): string | null {
  const { gitDir, workTree, cwd, git } = scene.repository;
  const file = join(gitDir, 'COMMIT_EDITMSG');
  const files = withText(file, before, scene.writtenTexts);
  // What it has become is what a reader finds there afterwards.
  const line = `${program} ${quoteWord(file)}\nenv : "$(cat ${quoteWord(file)})"`;
  const { steps, truncated } = readCommandLine(line, {
    cwd: workTree ?? cwd,
    env: { ...git.context.env, ...knownVariables(scene.command) },
    files,
  });
  const calls = steps.filter((step) => step.kind === 'command');
  const [ofEditor, last] = [calls.slice(0, -2), calls.at(-1)];
  const after = last?.argv.length === 2 ? textOf(last.argv[1] ?? null) : null;
  const isFollowed = truncated === null && steps.every(({ kind }) => kind !== 'unreadable');
  if (after === null || !isFollowed) {
    return null;
  }
  const isChanged = before === null || after !== asRead(before);
  return isChanged || ofEditor.every(leavesIt) ? after : null;
}

/** As `$(cat FILE)` gives it. */
export function asRead(text: string): string {
  return text.replace(/\n+$/, '');
}

function leavesIt(step: Step): boolean {
  return step.kind === 'command' && leavesFiles.test(programName(step.argv[0]) ?? '');
}

function knownVariables({ env }: SimpleCommand): Readonly<Record<string, string>> {
  return Object.fromEntries([...env].flatMap(([name, word]) => (word?.kind === 'known' ? [[name, word.value]] : [])));
}

/** The files as the line leaves them, and the one that the editor is given. @param written by absolute path */
function withText(path: string, text: string | null, written: Scene['writtenTexts']): ScriptFiles {
  const files = filesAfter(written);
  const isThere = (other: string) => other === path || written.has(other);
  return {
    ...files,
    readText: (other, limit) =>
      other !== path
        ? files.readText(other, limit)
        : text === null
          ? { kind: 'unreadable', reason: 'the message is not known' }
          : { kind: 'text', text },
    entry: (other) => (isThere(other) ? { type: 'file', size: text?.length ?? 1, modified: 0 } : files.entry(other)),
    isDirectory: (other) => other !== path && files.isDirectory(other),
    realPath: (other) => (other === path ? path : files.realPath(other)),
  };
}
