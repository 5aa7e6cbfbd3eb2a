import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../projects/fixture.ts';
import { describeOnEachTier } from './engines.ts';
import { containersAt } from './fixture.ts';

describeOnEachTier('a container', ({ tier, env }) => {
  it('runs a command line, and says what it wrote and how it ended', async () => {
    const { call, exec, workspace, containers } = await containersAt(env());
    expect(await call('start')).toMatchObject({ tier, started: true, workspace_id: workspace.workspaceId });
    expect(await exec('pwd; echo complaint >&2; exit 3')).toMatchObject({
      stdout: `${workspace.directory}\n`,
      stderr: 'complaint\n',
      exit_code: 3,
      timed_out: false,
      truncated: false,
      tier,
    });
    await call('stop');
    await containers.close();
  });

  it('is one, however often and however many at once start it', async () => {
    const { call, containers } = await containersAt(env());
    const starts = await Promise.all([call('start'), call('start'), call('start')]);
    expect(starts.filter(({ started }) => started)).toHaveLength(1);
    expect(await call('start')).toMatchObject({ tier, started: false });
    expect(await call('stop')).toMatchObject({ stopped: true });
    await containers.close();
  });

  it('stops, and stopping what does not run is fine', async () => {
    const { call, exec } = await containersAt(env());
    expect(await call('stop')).toMatchObject({ stopped: false, tier: null });
    await call('start');
    expect(await call('stop')).toMatchObject({ stopped: true, tier });
    expect(await call('stop')).toMatchObject({ stopped: false, tier });
    await expect(exec('true')).rejects.toMatchObject({ code: 'container-not-running' });
  });

  it('sees the workspace and can commit in it, as its owner', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    expect(await exec('mkdir sub && echo hello > sub/file && cat readme.md')).toMatchObject({ stdout: 'hello\n' });
    expect(readFileSync(join(workspace.directory, 'sub', 'file'), 'utf8')).toBe('hello\n');
    expect(statSync(join(workspace.directory, 'sub', 'file')).uid).toBe(statSync(workspace.directory).uid);
    const store = git(workspace.directory, 'rev-parse', '--git-common-dir');
    expect(await exec(`cat '${store}/HEAD'; touch '${store}/probe' && rm '${store}/probe'`)).toMatchObject({
      exit_code: 0,
    });
    await call('stop');
  });

  it('changes neither hooks nor settings of git', async () => {
    // The guard would refuse to even try.
    const { call, exec, workspace } = await containersAt(env(), { rules: 'off' });
    await call('start');
    const store = git(workspace.directory, 'rev-parse', '--git-common-dir');
    for (const file of [
      `${store}/hooks/pre-push`,
      `${store}/hooks/new`,
      `${store}/config`,
      `${workspace.directory}/.git`,
    ]) {
      expect(await exec(`echo evil >> '${file}'`), file).not.toMatchObject({ exit_code: 0 });
    }
    expect(await exec(`rm -rf '${store}/hooks' || mv '${store}/hooks' '${store}/h'`)).not.toMatchObject({
      exit_code: 0,
    });
    expect(existsSync(join(store, 'hooks', 'pre-push'))).toBe(true);
    await call('stop');
  });

  it('has no network, no capabilities and no way to more rights', async () => {
    const { call, exec } = await containersAt(env());
    await call('start');
    const status = String((await exec('cat /proc/self/status')).stdout);
    expect(status).toMatch(/CapEff:\s+0+\n/);
    expect(status).toMatch(/NoNewPrivs:\s+1\n/);
    expect((await exec("grep -c ':' /proc/net/dev")).stdout).toBe('1\n');
    await call('stop');
  });

  it('knows no variable of the server that looks like a secret, and no socket of an engine', async () => {
    const { call, exec } = await containersAt({
      ...env(),
      OPENAI_API_KEY: 'sk-0123456789abcdef',
      DB: 'pg://me:pw@host',
    });
    await call('start');
    const seen = String((await exec('env; cat /proc/1/environ')).stdout);
    expect(seen).not.toMatch(/sk-0123|me:pw|DOCKER_HOST/);
    expect(await exec('ls /var/run/docker.sock /run/podman')).not.toMatchObject({ exit_code: 0 });
    await call('stop');
  });

  it('keeps /tmp from one command to the next, and no file outside of the workspace', async () => {
    const { call, exec } = await containersAt(env());
    await call('start');
    await exec('echo kept > /tmp/file');
    expect(await exec('cat /tmp/file')).toMatchObject({ stdout: 'kept\n' });
    expect(await exec('touch /probe')).not.toMatchObject({ exit_code: 0 });
    expect(await exec('touch /etc/probe')).not.toMatchObject({ exit_code: 0 });
    await call('stop');
    await call('start');
    expect(await exec('cat /tmp/file')).toMatchObject({ exit_code: 1 });
    await call('stop');
  });

  it('ends everything that a command has started when its time is up', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    const command =
      'echo before; (trap "" TERM; while :; do date >> beat 2>/dev/null || echo x >> beat; sleep 0.1; done) & ' +
      'setsid sh -c "while :; do echo y >> beat; sleep 0.1; done" & ' +
      'env -i /bin/setsid /bin/sh -c "while :; do echo z >> beat; /bin/sleep 0.1; done" & sleep 60';
    const result = await exec(command, { timeout_ms: 700 });
    expect(result).toMatchObject({ timed_out: true, stdout: 'before\n', tier });
    expect(result.exit_code).not.toBe(0);
    const beats = () => readFileSync(join(workspace.directory, 'beat'), 'utf8');
    const written = beats();
    expect(written).toMatch(/y/);
    expect(written).toMatch(/z/);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(beats()).toBe(written);
    expect(await exec('echo alive')).toMatchObject({ stdout: 'alive\n' });
    await call('stop');
  });

  it('ends a command whose call is interrupted', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    const controller = new AbortController();
    const running = exec('while :; do echo y >> beat; sleep 0.1; done', {}, controller.signal);
    const beat = join(workspace.directory, 'beat');
    while (!existsSync(beat)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'interrupted' });
    const written = readFileSync(beat, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(readFileSync(beat, 'utf8')).toBe(written);
    await call('stop');
  });

  it('survives a fork bomb', async () => {
    const { call, exec } = await containersAt(env(), { pids: 60 });
    await call('start');
    // The shell that waits forks before the bomb can leave it no process to be had.
    const bomb = await exec('bomb() { bomb | bomb & }; (bomb) & while :; do :; done', { timeout_ms: 1_500 });
    expect(bomb).toMatchObject({ timed_out: true });
    expect(await exec('echo alive')).toMatchObject({ stdout: 'alive\n' });
    await call('stop');
  });

  it('keeps the beginning and the end of much output', async () => {
    const { call, exec } = await containersAt(env());
    await call('start');
    const before = process.memoryUsage().rss;
    // An engine passes on some ten megabytes a second.
    const size = tier === 'bwrap' ? 1_000_000_000 : 50_000_000;
    const result = await exec(`echo first; yes 0123456789012345678901234567890123456789 | head -c ${size}; echo last`);
    expect(result).toMatchObject({ exit_code: 0, truncated: true });
    const stdout = String(result.stdout);
    expect(stdout.length).toBeLessThan(300_000);
    expect(stdout.startsWith('first\n')).toBe(true);
    expect(stdout.endsWith('last\n')).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
    await call('stop');
  });

  it('reads an empty input', async () => {
    const { call, exec } = await containersAt(env());
    await call('start');
    expect(await exec('cat; echo end')).toMatchObject({ stdout: 'end\n', exit_code: 0 });
    await call('stop');
  });

  it('gives text that is not ASCII as it is', async () => {
    const { call, exec } = await containersAt(env());
    await call('start');
    expect(await exec("printf '%s\\n' 'ünï–💥' \"it's\" '$x `y`'")).toMatchObject({ stdout: "ünï–💥\nit's\n$x `y`\n" });
    await call('stop');
  });

  it('starts in a directory of the workspace, and nowhere else', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    const odd = "odd, 'na\nme: ü";
    mkdirSync(join(workspace.directory, odd));
    symlinkSync('/etc', join(workspace.directory, 'way-out'));
    expect(await exec('pwd', { working_dir: odd })).toMatchObject({ stdout: `${join(workspace.directory, odd)}\n` });
    expect(await exec('pwd', { working_dir: workspace.directory })).toMatchObject({ exit_code: 0 });
    for (const working_dir of ['..', '/etc', 'way-out', `${workspace.directory}/../..`, 'a/../../..']) {
      await expect(exec('pwd', { working_dir }), working_dir).rejects.toMatchObject({
        code: 'working-directory-outside',
      });
    }
    await expect(exec('pwd', { working_dir: 'readme.md' })).rejects.toMatchObject({
      code: 'working-directory-missing',
    });
    await call('stop');
  });

  it('is judged by the guard before', async () => {
    const { call, exec, workspace } = await containersAt(env());
    await call('start');
    await expect(exec('git push --force origin main')).rejects.toMatchObject({ code: 'denied-by-guard' });
    writeFileSync(join(workspace.directory, 'readme.md'), 'not committed\n');
    await expect(exec('git reset --hard')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:denied-by-guard|approval-needed)$/),
    });
    expect(readFileSync(join(workspace.directory, 'readme.md'), 'utf8')).toBe('not committed\n');
    await call('stop');
  });

  it('tells git who commits, as the server’s own git has it', async () => {
    const { call, exec, workspace } = await containersAt(env());
    git(workspace.directory, 'config', 'user.name', "Ada O'Author");
    await call('start');
    const told = tier === 'bwrap' ? 'git config user.name' : 'echo "$GIT_CONFIG_PARAMETERS"';
    expect(String((await exec(told)).stdout)).toMatch(
      tier === 'bwrap' ? /^Ada O'Author\n/ : /'user\.name=Ada O'\\''Author'/,
    );
    await call('stop');
  });

  it('has logs of what its commands wrote, bounded, without credentials', async () => {
    const { call, exec } = await containersAt(env());
    expect(await call('logs')).toMatchObject({ entries: [], tier: null });
    await call('start');
    await exec('echo one; echo two >&2');
    await exec('echo https://me:hunter22@example.com/; seq 1 5000');
    const { entries } = await call('logs', { tail: 10_000 });
    const texts = (entries as { stream: string; text: string }[]).map(({ stream, text }) => `${stream}: ${text}`);
    expect(texts).toEqual(expect.arrayContaining(['stdout: one', 'stderr: two', 'end: Exit code 0.']));
    expect(texts.join('\n')).not.toContain('hunter22');
    expect(await call('logs', { tail: 1 })).toMatchObject({ truncated: true });
    expect((await call('logs', { since: '2999-01-01T00:00:00Z' })).entries).toEqual([]);
    await call('stop');
    expect((await call('logs')).entries).not.toEqual([]);
  });

  it('stops when nobody has used it for a quarter of an hour, and the next command starts it again', async () => {
    const { call, exec, clock, workspace, database, containers } = await containersAt(env());
    await call('start');
    const status = async () =>
      (await database.get('SELECT status FROM containers WHERE workspace_id = ?', workspace.workspaceId))?.status;
    clock.advance(14 * 60_000);
    await exec('true');
    clock.advance(14 * 60_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await status()).toBe('running');
    clock.advance(2 * 60_000);
    while ((await status()) === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await status()).toBe('idle');
    expect(await exec('echo back')).toMatchObject({ stdout: 'back\n', tier });
    await call('stop');
    await containers.close();
  });

  it('leaves files to another owner of the workspace', async () => {
    const { call, exec, workspace } = await containersAt(env());
    if (process.getuid?.() !== 0 || tier === 'bwrap') {
      return;
    }
    // Such a server has to trust its workspaces explicitly, as git demands.
    writeFileSync(String(process.env.GIT_CONFIG_GLOBAL), '[safe]\n\tdirectory = *\n');
    chownSync(workspace.directory, 4242, 4243);
    await call('start');
    expect(await exec('id -u; touch mine')).toMatchObject({ stdout: '4242\n', exit_code: 0 });
    const { uid, gid } = statSync(join(workspace.directory, 'mine'));
    expect([uid, gid]).toEqual([4242, 4243]);
    rmSync(String(process.env.GIT_CONFIG_GLOBAL));
    await call('stop');
  });

  it('says so when the workspace has gone', async () => {
    const { call, workspace } = await containersAt(env());
    rmSync(workspace.directory, { recursive: true });
    if (tier === 'bwrap') {
      return;
    }
    await expect(call('start')).rejects.toMatchObject({ code: 'workspace-missing' });
  });
});
