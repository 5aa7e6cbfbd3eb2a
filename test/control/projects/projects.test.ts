import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionConfiguration } from '../../../src/agent/trust/session-configuration.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { control, git, plain, remote, temporary, write } from './fixture.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const day = 24 * 60 * 60_000;

/** Every path of the packaged hooks must be there: the tests drive what was built. */
const tryPush = (cwd: string, ...args: string[]) => {
  try {
    execFileSync('git', ['push', ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return 'pushed';
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
};

describe('a new project', () => {
  it('is cloned, has a workspace on the default branch and the guard’s hooks', async () => {
    const source = remote('trunk');
    const { projects, directories } = await control();
    const { project, workspace } = await projects.create({ ...plain, sourceUrl: source }, {});
    expect(project.projectId).toMatch(uuid);
    expect(project.defaultBranch).toBe('trunk');
    expect(git(workspace.directory, 'log', '--format=%s', '-1')).toBe('feat: first');
    expect(git(workspace.directory, 'rev-parse', '--abbrev-ref', '@{upstream}')).toBe('origin/trunk');
    expect(readdirSync(join(directories.projects, project.projectId, 'repository.git', 'hooks')).sort()).toEqual([
      'commit-msg',
      'pre-push',
    ]);
    expect(() => git(workspace.directory, 'commit', '--allow-empty', '-m', 'no type')).toThrow();
    git(workspace.directory, 'commit', '-q', '--allow-empty', '-m', 'feat: more');
  });

  it('tells how far the clone is', async () => {
    const { projects } = await control();
    const phases = new Set<string>();
    await projects.create(
      { ...plain, sourceUrl: `file://${remote()}` },
      { onProgress: ({ phase }) => phases.add(phase) },
    );
    expect([...phases]).toContain('Counting objects');
  });

  it('protects its own branches in every workspace, whatever the configuration there says', async () => {
    const { projects, workspaces } = await control();
    const wanted = { ...plain, sourceUrl: remote(), protectedBranches: ['release/*'] };
    const { project } = await projects.create(wanted, {});
    const { directory } = await workspaces.create(project);
    write(directory, 'oxide-guard.config.json', '{"protectedBranches":["!release/1"]}');
    git(directory, 'add', '-A');
    git(directory, 'commit', '-qm', 'feat: configure');
    expect(tryPush(directory, 'origin', 'HEAD:topic')).toBe('pushed');
    git(directory, 'push', '-q', '--no-verify', 'origin', 'HEAD:release/1');
    expect(tryPush(directory, 'origin', ':release/1')).toContain('protected');
  });

  it('protects them also from an agent that is started by hand in a workspace', async () => {
    const { projects } = await control();
    const { workspace } = await projects.create({ ...plain, protectedBranches: ['release/*'] }, {});
    const env = { ...process.env };
    const repository = await openRepository({ cwd: workspace.directory, env });
    const { convention } = await sessionConfiguration(repository, {
      env,
      trusts: false,
      ask: async () => 'unanswered',
      notify: () => {},
    });
    const lastOf = async (one: Repository | null) => (await convention(one)).policy.protectedBranches.at(-1);
    expect(await lastOf(repository)).toBe('release/*');
    const clone = join(temporary(), 'clone');
    git(workspace.directory, 'clone', '-q', '.', clone);
    expect(await lastOf(await openRepository({ cwd: clone, env }))).toBe('release/*');
    expect(await lastOf(null)).toBe('release/*');
  });

  it('starts at an empty commit without a source, and with an empty one', async () => {
    const { projects } = await control();
    const empty = join((await control()).directories.state, 'empty.git');
    mkdirSync(empty, { recursive: true });
    git(empty, 'init', '-q', '--bare');
    for (const [name, sourceUrl] of [['none', null] as const, ['empty', empty] as const]) {
      const { workspace, project } = await projects.create({ ...plain, name, sourceUrl }, {});
      expect(project.defaultBranch).toBe('main');
      expect(git(workspace.directory, 'log', '--format=%s')).toBe('chore: start the project');
    }
  });

  it('has a name that no other has, also where two come at once', async () => {
    const { projects, directories } = await control();
    const outcomes = await Promise.allSettled([projects.create(plain, {}), projects.create(plain, {})]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'project-exists' } });
    expect(readdirSync(directories.projects)).toHaveLength(1);
  });

  it.each([
    '--upload-pack=touch /tmp/x',
    'ext::sh -c touch% /tmp/x',
    'relative/path',
    'https://example.com/a b',
    '/path\nwith',
    '',
  ])('refuses the source %j', async (sourceUrl) => {
    const { projects } = await control();
    await expect(projects.create({ ...plain, sourceUrl }, {})).rejects.toMatchObject({ code: 'bad-source' });
  });

  it.each([
    'https://me:secret@example.com/a.git',
    'https://ghp_secret@example.com/a.git',
    'ssh://git:secret@example.com/a.git',
  ])('keeps no password: %s', async (sourceUrl) => {
    const { projects } = await control();
    const failure = await projects.create({ ...plain, sourceUrl }, {}).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'source-has-password' });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('secret');
  });

  it('leaves nothing where the clone fails', async () => {
    const { projects, directories } = await control();
    const failing = projects.create({ ...plain, sourceUrl: '/nowhere/at/all.git' }, {});
    await expect(failing).rejects.toMatchObject({ code: 'transfer-failed' });
    expect(readdirSync(directories.projects)).toEqual([]);
    expect(await projects.list('', 10)).toEqual([]);
  });

  it('leaves nothing where the call is given up', async () => {
    const { projects, directories } = await control();
    const failing = projects.create({ ...plain, sourceUrl: remote() }, { signal: AbortSignal.abort() });
    await expect(failing).rejects.toMatchObject({ code: 'transfer-stopped' });
    expect(readdirSync(directories.projects)).toEqual([]);
  });
});

describe('the list', () => {
  it('is by name, searched without regard to case, and cut at the limit', async () => {
    const { projects } = await control();
    for (const name of ['Über', 'beta 100%', 'alpha']) {
      await projects.create({ ...plain, name }, {});
    }
    const names = async (part: string, limit = 10) => (await projects.list(part, limit)).map(({ name }) => name);
    expect(await names('')).toEqual(['alpha', 'beta 100%', 'Über']);
    expect(await names('ü')).toEqual(['Über']);
    expect(await names('%')).toEqual(['beta 100%']);
    expect(await names('', 1)).toEqual(['alpha']);
  });
});

describe('a deleted project', () => {
  it('is refused while a session works in it', async () => {
    const { projects, active } = await control();
    const { project } = await projects.create(plain, {});
    active.push('session-1');
    await expect(projects.delete(project.projectId)).rejects.toMatchObject({ code: 'project-in-use' });
    expect(await projects.get(project.projectId)).toEqual(project);
  });

  it('can be brought back, with its workspaces as they were', async () => {
    const { projects, workspaces } = await control();
    const { project, workspace } = await projects.create(plain, {});
    write(workspace.directory, 'new.txt', 'not committed\n');
    await projects.delete(project.projectId);
    expect(existsSync(workspace.directory)).toBe(false);
    await expect(projects.get(project.projectId)).rejects.toMatchObject({ code: 'unknown-project' });
    await projects.restore(project.projectId);
    expect(git(workspace.directory, 'status', '--porcelain')).toBe('?? new.txt');
    expect(await workspaces.list(project)).toMatchObject([{ state: { isDirty: true } }]);
  });

  it('gives its name free, and can’t come back while another has it', async () => {
    const { projects } = await control();
    const { project } = await projects.create(plain, {});
    await projects.delete(project.projectId);
    const { project: second } = await projects.create(plain, {});
    await expect(projects.restore(project.projectId)).rejects.toMatchObject({ code: 'project-exists' });
    await projects.delete(second.projectId);
    expect((await projects.restore(project.projectId)).name).toBe('one');
  });

  it('is gone for good after a month', async () => {
    const { projects, directories, pass, stopped, forgotten } = await control();
    const { project } = await projects.create(plain, {});
    await projects.delete(project.projectId);
    expect(stopped).toEqual([project.projectId]);
    pass(29 * day);
    await projects.tidy();
    expect(await projects.trashed()).toHaveLength(1);
    expect(forgotten).toEqual([]);
    pass(2 * day);
    await projects.tidy();
    expect(await projects.trashed()).toEqual([]);
    expect(readdirSync(directories.trash)).toEqual([]);
    // Its containers, and its sessions' transcripts.
    expect(forgotten).toEqual([project.projectId, project.projectId]);
    await expect(projects.restore(project.projectId)).rejects.toMatchObject({ code: 'not-in-trash' });
  });
});

describe('what a killed process left', () => {
  it('is removed when it is old, and nothing else is', async () => {
    const { projects, directories } = await control();
    const { project } = await projects.create(plain, {});
    const left = '11111111-1111-4111-8111-111111111111';
    const ofAnotherStore = '33333333-3333-4333-8333-333333333333';
    const young = '22222222-2222-4222-8222-222222222222';
    const old = new Date(Date.now() - 3 * day);
    for (const name of [left, 'notes', ofAnotherStore, young]) {
      write(directories.projects, `${name}/repository.git/HEAD`, 'ref: refs/heads/main');
    }
    for (const name of [left, 'notes', young]) {
      write(directories.projects, `${name}/unfinished`, '');
    }
    for (const name of [`${left}/unfinished`, 'notes/unfinished', left, 'notes', ofAnotherStore, project.projectId]) {
      utimesSync(join(directories.projects, name), old, old);
    }
    await projects.tidy();
    expect(readdirSync(directories.projects).sort()).toEqual(
      [young, ofAnotherStore, 'notes', project.projectId].sort(),
    );
  });

  it('of a project that is done nothing says that it is unfinished', async () => {
    const { projects, directories } = await control();
    const { project } = await projects.create(plain, {});
    expect(readdirSync(join(directories.projects, project.projectId)).sort()).toEqual(['repository.git', 'workspaces']);
  });
});
