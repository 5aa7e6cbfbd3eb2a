import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChanges, readTasks } from '../../../src/control/changes/changes.ts';
import { parseTasks } from '../../../src/control/changes/task-list.ts';
import { temporary, write } from '../projects/fixture.ts';

/** Without an `openspec` program. */
const env = { PATH: '/nowhere' };

function project(): string {
  const root = temporary();
  write(root, 'openspec/changes/add-login/tasks.md', '## 1. Server\n- [x] 1.1 Write\n- [ ] 1.2 Test\n');
  write(root, 'openspec/changes/done/tasks.md', '* [X] all\n');
  write(root, 'openspec/changes/planned/proposal.md', '# Planned\n');
  write(root, 'openspec/changes/archive/old/tasks.md', '- [ ] old\n');
  return root;
}

/** A program that stands for OpenSpec's: prints what it is given for each of its commands. */
function program(list: string, instructions = 'x'): string {
  const directory = temporary();
  const script = `#!/bin/sh\ncase "$1" in list) printf '%s' '${list}';; *) printf '%s' '${instructions}';; esac\n`;
  write(directory, 'openspec', script);
  chmodSync(join(directory, 'openspec'), 0o755);
  return directory;
}

describe('the changes of a project', () => {
  it('are read from openspec/changes where there is no program', async () => {
    expect(await readChanges(project(), env)).toEqual({
      source: 'files',
      changes: [
        { changeId: 'add-login', completedTasks: 1, totalTasks: 2, status: 'in-progress' },
        { changeId: 'done', completedTasks: 1, totalTasks: 1, status: 'complete' },
        { changeId: 'planned', completedTasks: 0, totalTasks: 0, status: 'no-tasks' },
      ],
    });
  });

  it('are asked of the program where there is one', async () => {
    const list =
      '{"changes":[{"name":"b","completedTasks":2,"totalTasks":2},{"name":"a","completedTasks":0,"totalTasks":3}]}';
    expect(await readChanges(project(), { PATH: `${program(list)}:/bin` })).toEqual({
      source: 'openspec',
      changes: [
        { changeId: 'a', completedTasks: 0, totalTasks: 3, status: 'in-progress' },
        { changeId: 'b', completedTasks: 2, totalTasks: 2, status: 'complete' },
      ],
    });
  });

  it('are read from the files when the program says something else', async () => {
    const { source } = await readChanges(project(), { PATH: `${program('not json')}:/bin` });
    expect(source).toBe('files');
  });

  it('are not asked of a program that the repository brings', async () => {
    const root = project();
    write(root, 'bin/openspec', '#!/bin/sh\ntouch ran\n');
    chmodSync(join(root, 'bin/openspec'), 0o755);
    expect((await readChanges(root, { PATH: `${join(root, 'bin')}:/bin` })).source).toBe('files');
  });

  it('are none where there is no openspec directory', async () => {
    expect(await readChanges(temporary(), env)).toEqual({ source: 'files', changes: [] });
  });
});

describe('the tasks of a change', () => {
  it('are its check boxes with the heading they stand under', async () => {
    expect(await readTasks(project(), 'add-login', env)).toEqual({
      source: 'files',
      tasks: [
        { id: '1', description: '1.1 Write', done: true, section: '1. Server' },
        { id: '2', description: '1.2 Test', done: false, section: '1. Server' },
      ],
    });
  });

  it('are asked of the program where there is one', async () => {
    const told = '{"tasks":[{"id":"1","description":"told","done":true}]}';
    const path = `${program('{}', told)}:/bin`;
    expect(await readTasks(project(), 'add-login', { PATH: path })).toEqual({
      source: 'openspec',
      tasks: [{ id: '1', description: 'told', done: true, section: '1. Server' }],
    });
  });

  it('are none where the change has no list', async () => {
    expect((await readTasks(project(), 'planned', env)).tasks).toEqual([]);
  });

  it('an unknown change is told with the known ones', async () => {
    const reading = readTasks(project(), 'nope', env);
    await expect(reading).rejects.toMatchObject({
      code: 'unknown-change',
      remedy: expect.stringContaining('add-login'),
    });
  });

  it.each(['../add-login', '--help', 'a/b', 'archive', '', 'a b', 'x..y', '$(touch x)', 'é'])(
    'refuses the id %j',
    async (id) => {
      await expect(readTasks(project(), id, env)).rejects.toMatchObject({ code: 'bad-change-id' });
    },
  );

  it('are not read through a link that leads out of the work tree', async () => {
    const root = project();
    const outside = temporary();
    write(outside, 'tasks.md', '- [ ] secret\n');
    mkdirSync(join(root, 'openspec/changes/linked'));
    symlinkSync(join(outside, 'tasks.md'), join(root, 'openspec/changes/linked/tasks.md'));
    symlinkSync(outside, join(root, 'openspec/changes/whole'));
    expect((await readTasks(root, 'linked', env)).tasks).toEqual([]);
    await expect(readTasks(root, 'whole', env)).rejects.toMatchObject({ code: 'unknown-change' });
  });
});

describe('a list of tasks', () => {
  it('leaves out code blocks and what only looks like a box', () => {
    const text =
      '```\n- [ ] code\n```\n- [ ] real\r\n- [y] no\n-[ ] no\n- [ ]\n  + [x] nested\n~~~~\n- [ ] code\n~~~\n~~~~\n';
    expect(parseTasks(text).map(({ description }) => description)).toEqual(['real', 'nested']);
  });

  it('numbers what it finds, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const ids = parseTasks(text).map(({ id }) => id);
        expect(ids).toEqual(ids.map((_, at) => String(at + 1)));
      }),
    );
  });
});
