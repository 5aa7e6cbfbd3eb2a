import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cleanupOptions } from '../../../commit/message.ts';
import { readText } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import type { Finding } from '../../finding.ts';
import { known, textOf, textsOf } from '../../git-command/words.ts';
import type { CommitIntent, GrowIntent, Intent, RewriteIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { rebaseOf } from '../../simulation/refs/conflicting-picks.ts';
import { currentRef } from '../../simulation/refs/current-ref.ts';
import type { Settings } from '../commits/edits-todo.ts';
import { judgeCommitMessage, type MessageIntent, type MessageSurroundings, readMessages } from './commit-message.ts';
import { mayMakeMessages } from './made-by-call.ts';
import { makesMergeCommit } from './merge-message.ts';
import { asRead, editedBy, editorOf, listEditors } from './message-editor.ts';

/** Of more commits the messages are not looked at. */
const mostCommits = 50;

/** What git itself writes for `--squash`: git-merge(1). */
const squashed = 'Squashed commit of the following:\n';

/** A message as git takes it. */
interface Made {
  readonly text: string;
  /** It went through an editor: git then takes comments out of it. */
  readonly isEdited: boolean;
}

/**
 * `GIT_EDITOR="sed -i '1cFixed stuff'" git commit --amend`, `git merge --squash x && git commit --no-edit`: messages
 * that an editor of the line writes, or git itself.
 *
 * @param setting looks up what is configured
 */
export async function judgeMadeMessages(intent: Intent, setting: Settings, scene: Scene): Promise<readonly Finding[]> {
  if (!mayMakeMessages(intent) || scene.policy.rules['commit-message'] === 'off') {
    return [];
  }
  const made = await madeMessages(intent, setting, scene);
  const about: MessageIntent =
    intent.kind === 'commit' ? intent : { message: { kind: 'elsewhere' }, around: null, cleanup: null };
  const judged = made.map(({ text, isEdited }) =>
    judgeCommitMessage({ ...about, message: { kind: 'text', paragraphs: [known(text)] } }, scene, {
      ...surroundingsOf(scene),
      cleaning: cleanupOptions(setting, isEdited ? {} : { GIT_EDITOR: ':' }),
    }),
  );
  // One says what is wrong with all of them.
  return (await Promise.all(judged)).find((found) => found.length > 0) ?? [];
}

function surroundingsOf({ command, writtenTexts }: Scene): Omit<MessageSurroundings, 'cleaning'> {
  const cwd = command.cwd.kind === 'known' ? command.cwd.path : null;
  return { cwd, input: command.input, writtenTexts };
}

async function madeMessages(intent: Intent, setting: Settings, scene: Scene): Promise<readonly Made[]> {
  switch (intent.kind) {
    case 'commit': {
      const made = await ofCommit(intent, setting, scene);
      return made === null ? [] : [made];
    }
    case 'grow':
      return ofGrowth(intent, setting, scene);
    case 'rewrite':
      return ofRebase(intent, setting, scene);
    case 'go-on':
      return ofContinuedRebase(setting, scene);
    default:
      return [];
  }
}

/** What git begins with. */
interface Begun {
  /** Null: it is not known. */
  readonly text: string | null;
  /** `left`: by the editor as well. Of other texts it is known already, or git makes no commit. */
  readonly countsIf: 'left' | 'changed';
}

async function ofCommit(intent: CommitIntent, setting: Settings, scene: Scene): Promise<Made | null> {
  const { message } = intent;
  if (message.kind === 'file') {
    const isSquash = scene.overlay.squashes === true && namesSquash(textOf(message.path), scene);
    return isSquash ? { text: squashed, isEdited: false } : null;
  }
  const opensEditor = intent.opensEditor === true;
  const program = opensEditor ? editorOf(setting, scene) : null;
  const isLeft = intent.amend && /^(?:true|:)$/.test(program ?? '');
  if (opensEditor && (program === null || isLeft)) {
    return null;
  }
  const begun = await begunMessage(intent, setting, scene);
  if (program === null) {
    const isByGit = begun.text !== null && begun.countsIf === 'left';
    return isByGit ? { text: begun.text ?? '', isEdited: false } : null;
  }
  return edited(program, begun, scene);
}

/** `git commit -F .git/SQUASH_MSG` */
function namesSquash(path: string | null, { repository, command }: Scene): boolean {
  const file = join(repository.gitDir, 'SQUASH_MSG');
  return path !== null && command.cwd.kind === 'known' && resolve(command.cwd.path, path) === file && !existsSync(file);
}

function edited(program: string, { text, countsIf }: Begun, scene: Scene): Made | null {
  const after = editedBy(program, text, scene);
  const isSame = text !== null && after === asRead(text);
  return after === null || (isSame && countsIf === 'changed') ? null : { text: after, isEdited: true };
}

/** As git-commit(1) looks for it: what the line says, another commit's, what a merge has prepared, a template. */
async function begunMessage(intent: CommitIntent, setting: Settings, scene: Scene): Promise<Begun> {
  const { repository, overlay } = scene;
  const unknown: Begun = { text: null, countsIf: 'changed' };
  const { message, amend } = intent;
  if (message.kind !== 'elsewhere' || message.isDerived === true || (await hasPreparingHook(repository))) {
    return unknown;
  }
  const { begun } = message;
  const given = begun === undefined ? null : onlyText({ ...intent, message: begun.with }, scene);
  if (begun?.by === 'message') {
    return { text: given, countsIf: 'left' };
  }
  if (amend) {
    const isMade = overlay.made.on(await currentRef(repository)).length > 0;
    const [text = null] = isMade ? [] : await messagesOf(['HEAD'], repository);
    return { text, countsIf: 'changed' };
  }
  const squash = overlay.squashes === undefined ? readText(join(repository.gitDir, 'SQUASH_MSG')) : null;
  if (overlay.squashes === true || squash !== null) {
    return { text: squash ?? squashed, countsIf: 'left' };
  }
  if (existsSync(join(repository.gitDir, 'MERGE_MSG'))) {
    return unknown;
  }
  return begun === undefined && setting('commit.template') === null
    ? { text: '', countsIf: 'changed' }
    : { text: given, countsIf: 'changed' };
}

/** A hook that writes the message before anybody edits it: githooks(5). */
async function hasPreparingHook(repository: Repository): Promise<boolean> {
  return existsSync(join(await hooksDirectoryOf(repository), 'prepare-commit-msg'));
}

function onlyText(intent: MessageIntent, scene: Scene): string | null {
  const [only, ...others] = readMessages(intent, surroundingsOf(scene));
  const isOne = only !== undefined && others.length === 0;
  return isOne ? (typeof only === 'string' ? only : Buffer.from(only).toString('utf8')) : null;
}

/** `git cherry-pick --edit`, `git merge --edit` */
async function ofGrowth(intent: GrowIntent, setting: Settings, scene: Scene): Promise<readonly Made[]> {
  const program = editorOf(setting, scene);
  const names = textsOf(intent.commits);
  if (program === null || names === null || (intent.merges && !(await makesMergeCommit(intent, scene)))) {
    return [];
  }
  const theirs = intent.merges ? [] : await messagesOf(names, scene.repository);
  const begun = intent.merges
    ? [`Merge branch '${names[0] ?? ''}'`]
    : theirs.map((text) => (intent.edits === 'theirs' ? text : `Revert "${text.split('\n', 1)[0] ?? ''}"`));
  const texts = begun.length === 0 ? [null] : begun;
  return texts.flatMap((text) => edited(program, { text, countsIf: 'changed' }, scene) ?? []);
}

/** Messages of the commits that a list of a rebase has reworded, where the line's own editors are followed. */
async function ofRebase({ range }: RewriteIntent, setting: Settings, scene: Scene): Promise<readonly Made[]> {
  const program = editorOf(setting, scene);
  const ofList = editorOf(setting, scene, listEditors);
  const picked =
    program === null || ofList === null || range === 'head' ? null : await rebaseOf(range, scene.repository);
  if (program === null || ofList === null || picked === null || picked.upstream === null) {
    return [];
  }
  const { git } = scene.repository;
  const listed = ['rev-list', '--reverse', '--no-merges', `--max-count=${mostCommits}`];
  const { stdout } = await git.run([...listed, `${picked.upstream}..${picked.tip}`]);
  const commits = stdout.toString('utf8').split('\n').filter(Boolean);
  const list = editedBy(ofList, commits.map((oid) => `pick ${oid} subject\n`).join(''), scene);
  const reworded = Array.from((list ?? '').matchAll(/^(?:reword|r) ([0-9a-f]+)/gm), ([, oid = '']) => oid);
  const messages = reworded.length === 0 ? [] : await messagesOf(reworded, scene.repository);
  return messages.flatMap((text) => edited(program, { text, countsIf: 'changed' }, scene) ?? []);
}

/**
 * `git rebase --continue`: an editor is given what the stopped commit said, or what somebody has written in its place, and
 * commit-msg does not run. What squashed commits say together is left to the hooks.
 */
async function ofContinuedRebase(setting: Settings, scene: Scene): Promise<readonly Made[]> {
  const { repository, writtenTexts } = scene;
  const ofRebase = (name: string) => join(repository.gitDir, 'rebase-merge', name);
  const isSquash = ['message-squash', 'message-fixup'].some((name) => existsSync(ofRebase(name)));
  const program = isSquash ? null : editorOf(setting, scene);
  const file = ofRebase('message');
  if (program === null || !(existsSync(file) || writtenTexts.has(file))) {
    return [];
  }
  const written = writtenTexts.get(file);
  const text = written === undefined ? readText(file) : written;
  const [stopped] = await messagesOf(['REBASE_HEAD'], repository);
  const isOwn = text !== null && stopped !== undefined && asRead(withoutComments(text)) !== asRead(stopped);
  const made = edited(program, { text, countsIf: isOwn ? 'left' : 'changed' }, scene);
  return made === null ? [] : [made];
}

/** git lists the files of a conflict in them. */
function withoutComments(text: string): string {
  return text.replace(/^#.*\n?/gm, '');
}

/** Whole messages; none where one is not there. @param revisions ranges as well */
async function messagesOf(revisions: readonly string[], { git }: Repository): Promise<readonly string[]> {
  const log = ['log', '-z', '--no-walk=unsorted', `--max-count=${mostCommits}`, '--format=%B', ...revisions, '--'];
  const { stdout } = await git.run(log);
  return stdout.toString('utf8').split('\0').filter(Boolean);
}
