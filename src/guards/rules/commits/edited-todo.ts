import { resolve } from 'node:path';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import { rebasedBranch } from '../../../git/history/stopped-operations.ts';
import { openNumber, textWithNumbers } from '../../../shell/words/read-again.ts';
import { type Finding, findings } from '../../finding.ts';
import { known } from '../../git-command/words.ts';
import type { RefName } from '../../intent.ts';
import { stepsOfRun } from '../../run-steps.ts';
import type { Scene } from '../../scene.ts';
import { filesAfter } from '../../written-files.ts';
import { listEditors } from '../messages/message-editor.ts';
import type { Settings } from './edits-todo.ts';
import { judgeMovedRef, refsLost } from './lose-commits.ts';

/**
 * `GIT_SEQUENCE_EDITOR="sed -i 1d" git rebase -i`: a program that takes commits out of the list of a rebase, or puts
 * commands into it.
 *
 * @param setting looks up what is configured
 */
export async function judgeEditedTodo(setting: Settings, scene: Scene): Promise<readonly Finding[]> {
  const { policy, command, writtenTexts, repository, judgeSteps } = scene;
  const named = (name: string) => (name.includes('.') ? setting(name) : textWithNumbers(command.env.get(name)));
  const program = listEditors.map(named).find((text) => text !== null) ?? '';
  const scripts = program.split(/\s+/).flatMap((word) => scriptText(word, command, writtenTexts));
  const texts = [program, ...scripts];
  const { workTree, cwd, git } = repository;
  const surroundings = { cwd: workTree ?? cwd, env: git.context.env, files: filesAfter(writtenTexts) };
  const steps = texts.flatMap(commandsPutIn).flatMap((line) => {
    const intent = { kind: 'run', command: known(line), by: 'git rebase' } as const;
    return stepsOfRun(intent, command, surroundings);
  });
  const does = texts.some(takesCommitsOut) ? 'takes' : texts.some(rewritesList) ? 'may take' : null;
  const ref = does === null ? null : await rebasedRef(scene);
  const found = findings(
    'lose-commits',
    policy,
    ref !== null && (await holdsOwnCommits(ref, scene))
      ? {
          message: `${program.replaceAll(openNumber, '…')} ${does} commits out of the list of this rebase: nothing else may have them.`,
          suggestion: 'git branch kept-work',
          loss: scene.overlay.made.on(ref).length > 0 ? undefined : refsLost([ref], scene),
        }
      : null,
  );
  return [...found, ...(await judgeMovedAlong(texts, scene)), ...(steps.length === 0 ? [] : await judgeSteps(steps))];
}

/** `update-ref refs/heads/x` in the list: the branch comes to stand where the rebase is then. */
async function judgeMovedAlong(texts: readonly string[], scene: Scene): Promise<readonly Finding[]> {
  const names = texts.flatMap((text) => Array.from(text.matchAll(updatedRef), ([, name = '']) => name));
  const judged = names.map((name) => {
    const ref: RefName = { namespace: '', name: known(name) };
    return judgeMovedRef({ kind: 'move-ref', ref, to: known('HEAD'), means: 'git rebase -i' }, scene);
  });
  return (await Promise.all(judged)).flat();
}

/** git-rebase(1) "--update-refs": since git 2.38. */
const updatedRef = /(?:\\n|\b)(?:update-ref|u) +(refs\/[^\s"'\\]+)/g;

/** The branch that is rebased. */
async function rebasedRef({ repository }: Scene): Promise<string> {
  const head = await repository.head();
  return head.kind === 'branch' ? head.ref : (rebasedBranch(repository.gitDir) ?? 'HEAD');
}

/** Does it have commits that nothing else has? */
async function holdsOwnCommits(ref: string, { repository, overlay }: Scene): Promise<boolean> {
  const isMade = overlay.made.on(ref).length > 0;
  return isMade || (await commitsOnlyReachableFrom([{ ref, to: null }], repository)).total > 0;
}

/** A program of a language that writes the list anew, and not only with other commands for the same commits. */
function rewritesList(text: string): boolean {
  const changes = Array.from(text.matchAll(otherCommand));
  const isChosen =
    /\[[^\]]*:[^\]]*\]|\b(?:slice|splice|filter|pop|shift|del|if|reversed|sorted|remove|reject|select)\b/.test(text);
  return writing.test(text) && (changes.length === 0 || isChosen);
}

/** Python's, Node's and Ruby's calls that write to a file. */
const writing = /\.write(?:lines|_text|_bytes)?\(|\bwriteFile(?:Sync)?\(|\bFile\.write\b|\bfile_put_contents\(/;
/** `replace("pick", "edit")`, `re.sub(r'^pick', 'reword', …)`: git-rebase(1) "INTERACTIVE MODE". */
const otherCommand = /\bpick\b[^,]*,\s*\\?["'`](?:pick|edit|reword|squash|fixup|[erspf])\b/g;

/** What stands behind `exec` or `x` where it may become a line of the list: git-rebase(1) "INTERACTIVE MODE". */
function commandsPutIn(program: string): readonly string[] {
  return Array.from(program.matchAll(execLine), ([, line = '']) => line.replace(/\/[gmpw\d]*\s*$/, ''));
}

/** Up to the end of the line or of what quotes it; before it stands a line's end, as sed(1) writes it too, or a quote. */
const execLine = /(?:\\n|\b)(?:exec|x) +([^\n"'\\]+)/g;

function takesCommitsOut(program: string): boolean {
  const replacements = Array.from(program.matchAll(substitution), ([, , replacement = '']) => replacement);
  return takingOut.test(`${program} `) || replacements.some((text) => /^\s*(?:#|d\b|drop\b|$)/.test(text));
}

/** sed(1) `s/pick/drop/`, with any delimiter. A backslash is read in one way alone: in two, each doubles the time. */
const substitution = /(?<![a-z_])s([/|,#!@:])(?:\\.|(?!\1)[^\\\n])*\1((?:\\.|(?!\1)[^\\\n])*)\1/g;

/** Words and letters by which lines go, and programs that write another list over this one: git-rebase(1) "INTERACTIVE MODE". */
const takingOut =
  /\b(?:drop|noop|reset)\b|(?:[\d$/]\s*!?\s*|(?<=\bsed\s+-\w*i\w*\s+["']?))d(?=["'\s;}])|\btruncate\b|\bsponge\b|\bawk\s+-i|\bgrep\s+-v|\b(?:sed|perl|ruby)\s+(?:-\w*n\w*i|-\w*i\w*n|-n\s+-i|-i\s+-n)|(?:^|[;&|{])\s*(?:cp|mv|install|tee)\s|(?:^|[^>&\d])>\s*(?:"?\$|$)/m;

/** A script that the line has written. */
function scriptText(word: string, { cwd }: Scene['command'], written: Scene['writtenTexts']): readonly string[] {
  const text = cwd.kind === 'known' ? written.get(resolve(cwd.path, word)) : undefined;
  return typeof text === 'string' ? [text] : [];
}
