import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { control, git, plain, remote, write } from '../projects/fixture.ts';

async function withProject(sourceUrl: string | null = remote()) {
  const parts = await control();
  const made = await parts.projects.create({ ...plain, sourceUrl }, {});
  const repository = join(parts.directories.projects, made.project.projectId, 'repository.git');
  return { ...parts, ...made, repository };
}

describe('a new workspace', () => {
  it('stands on a branch of its own at the remote’s newest commit', async () => {
    const source = remote();
    const { workspaces, project } = await withProject(source);
    const other = await control();
    const second = await other.projects.create({ ...plain, sourceUrl: source }, {});
    git(second.workspace.directory, 'commit', '-q', '--allow-empty', '-m', 'feat: newer');
    git(second.workspace.directory, 'push', '-q', '--no-verify', 'origin', 'main');
    const workspace = await workspaces.create(project);
    expect(workspace.branch).toMatch(/^workspace\/[0-9a-f]{8}$/);
    expect(git(workspace.directory, 'log', '--format=%s', '-1')).toBe('feat: newer');
  });

  it('is made all the same when the remote is gone', async () => {
    const source = remote();
    const { workspaces, project } = await withProject(source);
    rmSync(source, { recursive: true });
    const workspace = await workspaces.create(project);
    expect(git(workspace.directory, 'log', '--format=%s', '-1')).toBe('feat: first');
  });
});

describe('the list of workspaces', () => {
  it('shows branch, head, changes, ahead and behind, size', async () => {
    const { workspaces, project, workspace } = await withProject();
    const own = await workspaces.create(project);
    git(own.directory, 'commit', '-q', '--allow-empty', '-m', 'feat: own');
    write(own.directory, 'new.txt', '12345');
    const [first, second] = await workspaces.list(project);
    expect(first).toMatchObject({
      workspace: { workspaceId: workspace.workspaceId, isDefault: true },
      state: { branch: 'main', isDirty: false, ahead: 0, behind: 0 },
      lastSession: null,
    });
    expect(second).toMatchObject({
      workspace: { workspaceId: own.workspaceId },
      state: { branch: own.branch, isDirty: true, ahead: 1, behind: 0, head: git(own.directory, 'rev-parse', 'HEAD') },
    });
    expect(second?.size.bytes).toBeGreaterThan(5);
  });

  it('tells of a directory that is gone', async () => {
    const { workspaces, project } = await withProject();
    const own = await workspaces.create(project);
    rmSync(own.directory, { recursive: true });
    expect((await workspaces.list(project))[1]?.state).toBeNull();
  });
});

describe('deleting a workspace', () => {
  it('removes the work tree and its branch', async () => {
    const { workspaces, project, repository, stopped, ended } = await withProject();
    const { workspaceId, directory, branch } = await workspaces.create(project);
    expect(await workspaces.delete(project.projectId, workspaceId, false)).toMatchObject({ rescue: null });
    expect(existsSync(directory)).toBe(false);
    expect(git(repository, 'for-each-ref', `refs/heads/${branch}`)).toBe('');
    expect(stopped).toEqual([workspaceId]);
    expect(ended).toEqual([workspaceId]);
  });

  it('refuses the default one', async () => {
    const { workspaces, project, workspace } = await withProject();
    const deletion = workspaces.delete(project.projectId, workspace.workspaceId, true);
    await expect(deletion).rejects.toMatchObject({ code: 'default-workspace' });
  });

  it('refuses one that a session works in', async () => {
    const { workspaces, project, active } = await withProject();
    const { workspaceId } = await workspaces.create(project);
    active.push('session-1');
    const deletion = workspaces.delete(project.projectId, workspaceId, true);
    await expect(deletion).rejects.toMatchObject({ code: 'workspace-in-use' });
  });

  it('names what is uncommitted and what only its branch has, and refuses', async () => {
    const { workspaces, project } = await withProject();
    const { workspaceId, directory } = await workspaces.create(project);
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'feat: precious');
    write(directory, 'new.txt', 'x');
    const failure = await workspaces.delete(project.projectId, workspaceId, false).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'work-at-stake' });
    expect(String(failure)).toMatch(/1 uncommitted file \(new\.txt\) and 1 commit that only .* has .*feat: precious/);
    expect(existsSync(directory)).toBe(true);
  });

  it('lets go what is pushed', async () => {
    const { workspaces, project } = await withProject();
    const { workspaceId, directory } = await workspaces.create(project);
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'feat: pushed');
    git(directory, 'push', '-q', 'origin', 'HEAD');
    expect(await workspaces.delete(project.projectId, workspaceId, false)).toMatchObject({ rescue: null });
  });

  it('keeps all of it on a rescue ref when forced', async () => {
    const { workspaces, project, repository } = await withProject();
    const { workspaceId, directory } = await workspaces.create(project);
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'feat: precious');
    git(directory, 'checkout', '-q', '--detach');
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'feat: detached');
    write(directory, 'readme.md', 'changed\n');
    write(directory, 'new.txt', 'untracked\n');
    const done = await workspaces.delete(project.projectId, workspaceId, true);
    const ref = done?.rescue?.ref ?? '';
    expect(ref).toBe(`refs/oxide-guard/rescue/${workspaceId}`);
    expect(git(repository, 'show', `${ref}:new.txt`)).toBe('untracked');
    expect(git(repository, 'show', `${ref}:readme.md`)).toBe('changed');
    const kept = git(repository, 'log', '--format=%s', ref);
    expect(kept).toContain('feat: precious');
    expect(kept).toContain('feat: detached');
    expect(existsSync(directory)).toBe(false);
  });

  it('says which files are too large to be kept', async () => {
    const { workspaces, project } = await withProject();
    const { workspaceId, directory } = await workspaces.create(project);
    writeFileSync(join(directory, 'big.bin'), Buffer.alloc(6 * 1024 * 1024));
    const done = await workspaces.delete(project.projectId, workspaceId, true);
    expect(done?.rescue?.skipped).toEqual([{ path: 'big.bin', reason: 'too-large' }]);
  });

  it('is fine where there is none, or its directory is gone', async () => {
    const { workspaces, project, repository } = await withProject();
    expect(await workspaces.delete(project.projectId, 'never-was', false)).toBeNull();
    const { workspaceId, directory, branch } = await workspaces.create(project);
    rmSync(directory, { recursive: true });
    expect(await workspaces.delete(project.projectId, workspaceId, false)).toMatchObject({ rescue: null });
    expect(git(repository, 'for-each-ref', `refs/heads/${branch}`)).toBe('');
  });

  it('keeps the commits of a branch whose directory is gone', async () => {
    const { workspaces, project } = await withProject();
    const { workspaceId, directory } = await workspaces.create(project);
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'feat: precious');
    rmSync(directory, { recursive: true });
    const deletion = workspaces.delete(project.projectId, workspaceId, false);
    await expect(deletion).rejects.toMatchObject({ code: 'work-at-stake' });
  });
});
