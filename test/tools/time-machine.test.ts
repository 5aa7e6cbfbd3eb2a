import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timeMachine } from '../../src/tools/time-machine.ts';
import { type ScriptedSession, scriptedSessions } from '../agent/scripted-session.ts';
import { git, repositoryWithCommit, temporaryDirectory, write } from '../git/fixture.ts';
import { contextIn, fail, session } from './fixture.ts';

const start = scriptedSessions();

function repository(): string {
  const root = repositoryWithCommit();
  write(root, 'file', 'original\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'feat: a file');
  return root;
}

const goBack = (input: object) =>
  [['TimeMachine', { message_prefix: 'Second', course_correction: 'Do it otherwise.', ...input }]] as const;
const change = [['Bash', { command: 'echo changed > file; echo new > other' }]] as const;
const textsOf = ({ requests }: ScriptedSession) =>
  requests.at(-1)?.request.messages.map((message) => ('text' in message ? message.text : '[results]'));

describe('Rewind messages with course correction', () => {
  it('removes the message and all after it, adds the correction, and goes on from there', async () => {
    const root = repository();
    const scripted = await start({ main: ['one', change, goBack({}), 'otherwise'] }, root);
    await scripted.say('First task');
    expect(await scripted.say('Second task')).toBe('otherwise');
    expect(textsOf(scripted)).toEqual(['First task', 'one', 'Do it otherwise.']);
  });

  it('finds the newest message that begins so', async () => {
    const root = repository();
    const scripted = await start({ main: ['one', 'two', goBack({}), 'otherwise'] }, root);
    await scripted.say('Second task, at first');
    await scripted.say('Second task, again');
    await scripted.say('Third');
    expect(textsOf(scripted)).toEqual(['Second task, at first', 'one', 'Do it otherwise.']);
  });

  it('is an error when no message begins so, and nothing changes', async () => {
    const root = repository();
    const scripted = await start({ main: [change, goBack({ message_prefix: 'Never said' }), 'done'] }, root);
    expect(await scripted.say('Second task')).toBe('done');
    expect(scripted.resultOf('TimeMachine')).toMatch(
      /No message of the user begins with 'Never said'; nothing has changed/,
    );
    expect(textsOf(scripted)?.[0]).toBe('Second task');
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('changed\n');
  });
});

describe('Optional code restoration', () => {
  it('takes the files back to what they were before the message', async () => {
    const root = repository();
    const scripted = await start({ main: ['one', change, goBack({ restore_code: true }), 'otherwise'] }, root);
    await scripted.say('First task');
    await scripted.say('Second task');
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('original\n');
    expect(existsSync(join(root, 'other'))).toBe(false);
    expect(git(root, 'status', '--porcelain')).toBe('');
  });

  it('snapshots the present first, so that it can be had again', async () => {
    const root = repository();
    const scripted = await start({ main: [change, goBack({ restore_code: true }), 'otherwise'] }, root);
    await scripted.say('Second task');
    const undo = /oxide-guard undo (\S+)/.exec(scripted.resultOf('TimeMachine'))?.[1] ?? '';
    expect(git(root, 'show', `refs/oxide-guard/checkpoints/${undo}:file`)).toBe('changed');
  });

  it('says so where nothing was checkpointed since, or nothing can be', async () => {
    const unchanged = await start({ main: [goBack({}), 'otherwise'] }, repository());
    await unchanged.say('Second task');
    expect(unchanged.resultOf('TimeMachine')).toContain('No call since then has changed files');
    const root = temporaryDirectory();
    const impossible = await start({ main: [change, goBack({}), 'otherwise'] }, root);
    await impossible.say('Second task');
    expect(impossible.resultOf('TimeMachine')).toContain('No files were restored: this session has no checkpoints');
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('changed\n');
  });

  it('leaves the files alone when it is false', async () => {
    const root = repository();
    const scripted = await start({ main: [change, goBack({ restore_code: false }), 'otherwise'] }, root);
    await scripted.say('Second task');
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('changed\n');
    expect(scripted.resultOf('TimeMachine')).toContain('The files are as they were.');
  });
});

describe('Code restoration default', () => {
  it('is omitted from JSON', () => {
    const validation = timeMachine.validate({ message_prefix: 'a', course_correction: 'b' });
    expect(JSON.stringify(validation)).not.toContain('restore_code');
  });

  it('restores', async () => {
    const root = repository();
    const scripted = await start({ main: [change, goBack({}), 'otherwise'] }, root);
    await scripted.say('Second task');
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('original\n');
  });
});

describe('an input that is not valid', () => {
  it.each([
    [{ message_prefix: '', course_correction: 'b' }, '`message_prefix`'],
    [{ message_prefix: 'a', course_correction: '' }, '`course_correction`'],
    [{ message_prefix: 'a', course_correction: 'b', restore_code: 'no' }, '`restore_code`'],
  ])('%j', async (input, field) => {
    expect((await fail(timeMachine, input, contextIn(temporaryDirectory()), session())).text).toContain(field);
  });

  it('needs a conversation', async () => {
    const input = { message_prefix: 'a', course_correction: 'b' };
    expect((await fail(timeMachine, input, contextIn(temporaryDirectory()), session())).error.code).toBe('no-timeline');
  });
});
