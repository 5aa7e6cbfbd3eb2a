import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { controlDirectories } from '../../../src/control/directories.ts';
import { createDispatcher } from '../../../src/control/server/dispatcher.ts';
import { workspaceTools } from '../../../src/control/server/workspace-tools.ts';
import type { Project, Workspace } from '../../../src/control/services.ts';
import { OxideError } from '../../../src/errors.ts';
import { git, repositoryWithRemote, temporaryDirectory } from '../../git/fixture.ts';
import { callOf, principal } from './made-up-tools.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) {
    cleanUp();
  }
});

/** A project `p1` whose only workspace is a clone; `secret`: what the server's environment knows. */
function workspace() {
  const { work, remote } = repositoryWithRemote();
  const root = temporaryDirectory();
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    OXIDE_GUARD_TOKEN: 'oxg_of-the-server',
    UNHEARD_OF: 'server-only',
  };
  const project: Project = {
    projectId: 'p1',
    name: 'one',
    description: '',
    sourceUrl: null,
    protectedBranches: ['release/*'],
    limits: {},
    defaultBranch: 'main',
    createdAt: 0,
  };
  const only: Workspace = {
    workspaceId: 'w1',
    projectId: 'p1',
    branch: 'main',
    directory: work,
    isDefault: true,
    createdAt: 0,
  };
  const tools = workspaceTools(
    {
      project: async (id) => (id === 'p1' ? project : Promise.reject(new OxideError('unknown-project', id))),
      workspace: async (_, id) =>
        id === null || id === 'w1' ? only : Promise.reject(new OxideError('unknown-workspace', id)),
      createWorkspace: async () => only,
    },
    { directories: controlDirectories(env), env, requireSandbox: false, notify: () => {} },
  );
  cleanUps.push(() => tools.close());
  const dispatcher = createDispatcher({
    tools: tools.tools,
    owners: { projectOfSession: async () => null, projectsOfSchedule: async () => null },
    watchToken: () => () => {},
    audit: { record: async () => {} },
    onError: (error) => {
      throw error;
    },
  });
  const call = (tool: string, input: object, scope = 'project:p1', token = 'tok_1') =>
    dispatcher.call(tool, { project_id: 'p1', ...input }, callOf(principal(scope, token)));
  return { work, remote, call, dispatcher };
}

describe('files of a workspace', () => {
  it('are written, read, edited and found', async () => {
    const { work, call } = workspace();
    expect(await call('workspace_write', { file_path: 'src/a.txt', content: 'one two\n' })).toMatchObject({
      ok: true,
      data: { project_id: 'p1', workspace_id: 'w1' },
    });
    expect(
      await call('workspace_edit', { file_path: 'src/a.txt', old_string: 'two', new_string: 'three' }),
    ).toMatchObject({
      ok: true,
    });
    const edits = [{ file_path: 'src/a.txt', old_string: 'one', new_string: 'four' }];
    expect(await call('workspace_multi_edit', { edits })).toMatchObject({ ok: true });
    expect(readFileSync(join(work, 'src/a.txt'), 'utf8')).toBe('four three\n');
    expect(await call('workspace_read', { file_path: 'src/a.txt' })).toMatchObject({
      ok: true,
      text: expect.stringContaining('four three'),
    });
    expect(await call('workspace_glob', { pattern: '**/*.txt' })).toMatchObject({
      ok: true,
      text: expect.stringContaining('src/a.txt'),
    });
    expect(await call('workspace_grep', { pattern: 'th.ee' })).toMatchObject({
      ok: true,
      text: expect.stringContaining('src/a.txt'),
    });
  });

  it('that another client has read are not yet known to this one', async () => {
    const { work, call } = workspace();
    writeFileSync(join(work, 'a.txt'), 'one\n');
    await call('workspace_read', { file_path: 'a.txt' }, 'project:p1', 'tok_1');
    const overwrite = { file_path: 'a.txt', content: 'two\n' };
    expect(await call('workspace_write', overwrite, 'project:p1', 'tok_2')).toMatchObject({ ok: false });
    expect(await call('workspace_write', overwrite, 'project:p1', 'tok_1')).toMatchObject({ ok: true });
  });

  it.each(['/etc/passwd', '../outside.txt', '.git/hooks/pre-push', 'oxide-guard.config.json'])(
    'do not include %s',
    async (file_path) => {
      const { work, call } = workspace();
      expect(await call('workspace_write', { file_path, content: '{}' })).toMatchObject({ ok: false });
      expect(existsSync(join(work, 'oxide-guard.config.json'))).toBe(false);
    },
  );
});

describe('a command in a workspace', () => {
  it('runs at its top, with its output as data too', async () => {
    const { work, call } = workspace();
    expect(await call('workspace_bash', { command: 'pwd; echo no >&2' })).toMatchObject({
      ok: true,
      data: { stdout: `${work}\n`, stderr: 'no\n', exitCode: 0, workspace_id: 'w1' },
    });
  });

  it('sees nothing of the server’s environment but what it needs', async () => {
    const { call } = workspace();
    const result = await call('workspace_bash', { command: 'env; cat /proc/$PPID/environ | tr "\\0" "\\n"; true' });
    expect(result).toMatchObject({ ok: true });
    expect(JSON.stringify(result)).not.toMatch(/oxg_of-the-server|server-only/);
  });

  it('that would rewrite what others have is refused by the guard', async () => {
    const { work, remote, call } = workspace();
    git(work, 'commit', '--amend', '--allow-empty', '--no-verify', '-qm', 'feat: another');
    const before = git(remote, 'rev-parse', 'main');
    const result = await call('workspace_bash', { command: 'git push --force origin HEAD:main' });
    expect(result).toMatchObject({ ok: false, error: { code: 'permission-denied' } });
    expect(git(remote, 'rev-parse', 'main')).toBe(before);
  });

  it('on a branch that the project protects, too', async () => {
    const { work, call } = workspace();
    git(work, 'push', '-q', 'origin', 'HEAD:release/1');
    const result = await call('workspace_bash', { command: 'git push origin --delete release/1' });
    expect(result).toMatchObject({ ok: false, error: { code: 'permission-denied' } });
  });

  it('that would lose work is put to nobody, and so refused with the way to allow it', async () => {
    const { work, call } = workspace();
    writeFileSync(join(work, 'a.txt'), 'one\n');
    git(work, 'add', 'a.txt');
    const result = await call('workspace_bash', { command: 'git reset --hard' });
    expect(result).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/oxide-guard approve \w+` in \//) },
    });
    expect(existsSync(join(work, 'a.txt'))).toBe(true);
  });

  it('that fails says how', async () => {
    const { call } = workspace();
    expect(await call('workspace_bash', { command: 'exit 3' })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Exit code 3') },
    });
  });

  it.each([{ run_in_background: true }, { dangerouslyDisableSandbox: true }])('may not ask for %j', async (wish) => {
    const { work, call } = workspace();
    expect(await call('workspace_bash', { command: 'touch done', ...wish })).toMatchObject({ ok: false });
    expect(existsSync(join(work, 'done'))).toBe(false);
  });

  it('ends when its client gives up', async () => {
    const { dispatcher } = workspace();
    const controller = new AbortController();
    const call = dispatcher.call(
      'workspace_bash',
      { project_id: 'p1', command: 'sleep 60' },
      callOf(principal('admin'), controller.signal),
    );
    setTimeout(() => controller.abort(), 200);
    expect(await call).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

describe('who may', () => {
  it('read only: look, and change nothing', async () => {
    const { work, call } = workspace();
    expect(await call('workspace_glob', { pattern: '*' }, 'project:p1:ro')).toMatchObject({ ok: true });
    const refused = await call('workspace_bash', { command: 'touch done' }, 'project:p1:ro');
    expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(existsSync(join(work, 'done'))).toBe(false);
  });

  it('work in another project only: learns nothing', async () => {
    const { call } = workspace();
    expect(await call('workspace_read', { file_path: 'a' }, 'project:p2')).toMatchObject({
      ok: false,
      error: { code: 'unknown-project', message: "There is no project 'p1'." },
    });
  });
});

describe('the list', () => {
  it('has each tool with the place in which it works, and without what only a session can do', () => {
    const { dispatcher } = workspace();
    const tools = dispatcher.list(principal('admin'));
    expect(tools.map(({ name }) => name)).toEqual([
      'workspace_bash',
      'workspace_read',
      'workspace_write',
      'workspace_edit',
      'workspace_multi_edit',
      'workspace_notebook_edit',
      'workspace_glob',
      'workspace_grep',
    ]);
    for (const { inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', required: expect.arrayContaining(['project_id']) });
      expect(inputSchema).not.toHaveProperty('anyOf');
      expect(JSON.stringify(inputSchema)).not.toMatch(/run_in_background|dangerouslyDisableSandbox/);
    }
  });
});
