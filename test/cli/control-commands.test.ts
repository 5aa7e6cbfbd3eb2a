import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { remote } from '../control/projects/fixture.ts';
import { runOxideGuard } from '../e2e/guarded-repository.ts';

let env: Record<string, string>;

const oxide = (...words: string[]) => runOxideGuard(words, { env });

const json = (...words: string[]) => JSON.parse(oxide(...words, '--json').stdout) as Record<string, string>;

beforeAll(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-people-')));
  env = {
    ...(process.env as Record<string, string>),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    OXIDE_GUARD_PROVIDER: `replay:${resolve('test/control/scenarios/one-turn.jsonl')}`,
  };
});

describe('where nothing is yet', () => {
  it.each(['projects', 'sessions', 'schedules', 'tokens'])('%s says so, and prints nothing', (command) => {
    const { status, stdout, stderr } = oxide(command);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain('There is no');
  });

  it('sessions says where those of a terminal are', () => {
    expect(oxide('sessions').stderr).toContain('in a terminal: oxide-guard agent --resume');
    expect(oxide('sessions', '--status', 'idle').stderr).toBe('There is no such session.\n');
  });
});

describe('a person', () => {
  it('makes a project, sees it in a table, deletes it and brings it back', () => {
    const made = oxide('projects', 'create', 'first project', '--source-url', remote());
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^project_id\s+[\da-f-]{36}$/m) });
    const [project] = (json('projects', 'list').projects ?? []) as unknown as Record<string, string>[];
    const id = project?.project_id ?? '';
    expect(oxide('projects').stdout).toMatch(/^PROJECT\s+NAME\s+BRANCH\s+SOURCE\s+CREATED\n.*first project\s+main/);
    expect(oxide('projects', 'delete', id)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`restore ${id}`),
    });
    expect(oxide('projects', 'get', id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no project'),
    });
    expect(oxide('projects', '--trash').stdout).toMatch(new RegExp(`^PROJECT.*\\n${id}  first project `));
    expect(oxide('projects', 'restore', id)).toMatchObject({ status: 0 });
    expect(oxide('projects', '--trash')).toMatchObject({ stdout: '', stderr: 'There is no project in the trash.\n' });
    expect(json('projects', 'get', id)).toMatchObject({ name: 'first project' });
  });

  it('runs a schedule now, and reads what its session did', () => {
    const { project_id = '' } = json('projects', 'create', 'scheduled', '--source-url', remote());
    const { schedule_id = '' } = json(
      'schedules',
      'create',
      'nightly',
      '--cron',
      '0 3 * * *',
      '--project',
      project_id,
      '--prompt',
      'Look',
    );
    expect(oxide('schedules').stdout).toMatch(/nightly\s+0 3 \* \* \*\s+UTC/);
    expect(oxide('schedules', 'trigger', schedule_id)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('succeeded'),
    });
    const without = { ...env, OXIDE_GUARD_PROVIDER: 'nonsense' };
    expect(runOxideGuard(['schedules', 'trigger', schedule_id], { env: without })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('failed'),
      stderr: expect.stringContaining('1 of 1 run did not succeed.'),
    });
    expect(oxide('schedules', 'disable', schedule_id)).toMatchObject({ status: 0 });
    const [session] = (json('sessions', 'list').sessions ?? []) as unknown as Record<string, string>[];
    const id = session?.session_id ?? '';
    expect(oxide('sessions', 'events', id)).toMatchObject({ status: 0, stdout: expect.stringContaining('Done.') });
    expect(oxide('sessions', 'end', id)).toMatchObject({ status: 0 });
    expect(json('sessions', 'get', id)).toMatchObject({ status: 'ended' });
    expect(oxide('schedules', 'delete', schedule_id)).toMatchObject({ status: 0 });
  });

  it('makes a token: its secret alone is on stdout, once', () => {
    const { status, stdout, stderr } = oxide('tokens', 'create', 'laptop', '--scope', 'admin', '--expires-in', '30d');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^oxg_[\w-]{43}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(oxide('tokens').stdout).toMatch(/laptop\s+admin\s+active/);
    expect(oxide('tokens', '--json').stdout).not.toContain('oxg_');
  });
});

describe('called wrongly', () => {
  it.each([
    [['projects', 'get'], 2, "'projects get' needs one more word."],
    [['projects', 'rename', 'x'], 2, "There is no 'projects rename'."],
    [['sessions', 'list', 'extra'], 2, "'extra' is one word too many."],
    [['projects', 'constructor'], 2, "There is no 'projects constructor'."],
    [['tokens', 'create', 'x'], 2, '`scope`'],
    [['tokens', 'create', 'x', '--scope', 'root'], 2, "'root' is no scope."],
    [['tokens', 'create', 'x', '--scope', 'admin', '--expires-in', 'soon'], 2, '`expires_in`'],
    [['tokens', 'revoke', 'tok_none'], 1, "There is no token 'tok_none'."],
    [['sessions', 'get', 'none'], 1, "There is no session 'none'."],
    [['schedules', 'create', 'x', '--cron', 'never'], 2, '`cron`'],
  ])('%j', (words, status, said) => {
    const answer = oxide(...words);
    expect(answer).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(said) });
    expect(answer.stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    [['tokens', 'create', 'x'], 'oxide-guard tokens create NAME --scope admin'],
    [['tokens', 'revoke', 'tok_none'], 'oxide-guard tokens'],
    [['schedules', 'get', 'none'], 'oxide-guard schedules'],
    [['projects', 'get', 'none'], 'oxide-guard projects'],
  ])('%j says which command helps', (words, remedy) => {
    expect(oxide(...words).stderr).toContain(`  → ${remedy}\n`);
  });
});
