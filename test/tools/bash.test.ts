import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTasks } from '../../src/agent/background/task-manager.ts';
import { bash } from '../../src/tools/bash.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { commit, emptyRepository, git, temporaryDirectory, write } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { contextIn, fail, session, succeed, workspace } from './fixture.ts';
import { isAlive, until } from './processes.ts';

const pidIn = (root: string, file = 'pid') => Number(readFileSync(join(root, file), 'utf8'));

describe('a command that ends', () => {
  it('gives what it wrote and its exit code', async () => {
    const { context } = workspace();
    const { data, text } = await succeed(bash, { command: 'echo out; echo err >&2' }, context);
    expect(data).toEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: 0, interrupted: false, sandboxed: false });
    expect(text).toBe('out\nerr');
  });

  it('is a failure with the output when it fails', async () => {
    const { context } = workspace();
    const { data, text, error } = await fail(bash, { command: 'echo seen; exit 3' }, context);
    expect(error.code).toBe('command-failed');
    expect(data).toMatchObject({ stdout: 'seen\n', exitCode: 3 });
    expect(text).toBe('seen\n[Exit code 3.]');
  });

  it('says the signal that ended it as a shell does', async () => {
    const { context } = workspace();
    expect((await fail(bash, { command: 'kill -KILL $$' }, context)).data).toMatchObject({ exitCode: 137 });
  });

  it.each([
    ['here-documents', 'cat <<EOF\na b\nEOF', 'a b\n'],
    ['a comment at its end', 'echo x # done', 'x\n'],
    ['no positional parameters', 'echo "$#:$1"', '0:\n'],
    ['several lines with functions', 'f() {\n  echo "$1"\n}\nf y', 'y\n'],
    ['process substitution', 'cat <(echo z)', 'z\n'],
    ['single and double quotes', `echo 'a "b"' "c 'd'"`, `a "b" c 'd'\n`],
  ])('runs %s as bash does', async (_, command, stdout) => {
    const { context } = workspace();
    expect((await succeed(bash, { command }, context)).data.stdout).toBe(stdout);
  });

  it('reports a syntax error', async () => {
    const { context } = workspace();
    expect((await fail(bash, { command: 'if true; then' }, context)).data.stderr).toMatch(/syntax error/);
  });

  it('can hold no NUL character', async () => {
    const { context } = workspace();
    const { error } = await fail(bash, { command: 'echo a\0b' }, context);
    expect(error).toMatchObject({ code: 'invalid-command', message: expect.stringContaining('NUL') });
  });

  it('has no terminal and an empty input', async () => {
    const { context } = workspace();
    const { data } = await succeed(bash, { command: 'cat; test -t 0 || test -t 1 || echo none; tty' }, context).catch(
      (error: Error) => ({ data: { stdout: error.message } }),
    );
    expect(data.stdout).toMatch(/none/);
    expect(data.stdout).toMatch(/not a tty/);
  });

  it('keeps the beginning and the end of a long output', async () => {
    const { context } = workspace();
    const { data, text } = await succeed(bash, { command: 'echo first; yes ä | head -c 5000000; echo last' }, context);
    const stdout = String(data.stdout);
    expect(stdout.length).toBeLessThan(1_100_000);
    expect(stdout).toMatch(/^first\n/);
    expect(stdout).toMatch(/last\n$/);
    expect(stdout).toMatch(/\[… \d+ bytes left out …\]/);
    expect(stdout).not.toContain('\uFFFD');
    expect(text.length).toBeLessThan(61_000);
  });

  it('tells what it writes while it runs', async () => {
    const { context } = workspace();
    const seen: string[] = [];
    await succeed(
      bash,
      { command: 'echo one; sleep 0.1; echo two' },
      { ...context, progress: (text) => seen.push(text) },
    );
    expect(seen).toEqual(['one\n', 'two\n']);
  });
});

describe('the environment of a command', () => {
  it('has no secrets', async () => {
    const { context } = workspace();
    const env = {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'leak',
      OPENAI_API_KEY: 'leak',
      GITHUB_TOKEN: 'leak',
      AWS_SECRET_ACCESS_KEY: 'leak',
      DATABASE_URL: 'postgres://me:leak@host/db',
      SLACK_WEBHOOK_URL: 'https://hooks.example.com/leak',
      STRIPE_SK: 'leak',
      DEPLOY: 'ghp_leak',
      BOT: 'xoxb-leak',
      LLM: 'sk-leak',
      http_proxy: 'http://me:kept@proxy:3128',
      KEYBOARD: 'kept',
      TOKENIZERS_PARALLELISM: 'kept',
    };
    const { data } = await succeed(bash, { command: 'env' }, { ...context, env });
    expect(data.stdout).not.toContain('leak');
    expect(String(data.stdout).match(/kept/g)).toHaveLength(3);
  });

  it('says that an agent calls', async () => {
    const { context } = workspace();
    expect((await succeed(bash, { command: 'echo "${OXIDE_GUARD_AGENT:+agent}"' }, context)).data.stdout).toBe(
      'agent\n',
    );
  });

  it('makes git say what is missing instead of opening an editor', async () => {
    const root = emptyRepository();
    const context = { ...contextIn(root), env: { ...process.env, EDITOR: 'sleep 60;' } };
    const { data } = await fail(bash, { command: 'git commit --allow-empty' }, context);
    expect(data.stderr).toMatch(/supply the message using either -m or -F/);
  });
});

describe('the working directory', () => {
  function moving(root: string): { context: () => ToolContext } {
    let cwd = root;
    const changeDirectory = (directory: string) => {
      cwd = directory;
    };
    return { context: () => ({ ...contextIn(root), cwd, changeDirectory }) };
  }

  it('is where the command before ended', async () => {
    const { root } = workspace({ 'a/b/file': '' });
    const { context } = moving(root);
    expect((await succeed(bash, { command: 'cd a/b' }, context())).text).toContain(`now '${root}/a/b'`);
    expect((await succeed(bash, { command: 'ls; pwd' }, context())).data.stdout).toBe(`file\n${root}/a/b\n`);
  });

  it('is kept when the command fails, and when it exits early', async () => {
    const { root } = workspace({ 'a/file': '' });
    const { context } = moving(root);
    await fail(bash, { command: 'cd a; exit 1' }, context());
    expect(context().cwd).toBe(join(root, 'a'));
  });

  it('stays inside, also through a symbolic link', async () => {
    const { root } = workspace();
    symlinkSync(temporaryDirectory(), join(root, 'out'));
    const { context } = moving(root);
    expect((await succeed(bash, { command: 'cd /' }, context())).text).toContain(`still '${root}'`);
    await succeed(bash, { command: 'cd out' }, context());
    expect(context().cwd).toBe(root);
  });

  it('is not taken from a subshell, nor from what a program writes', async () => {
    const { root } = workspace({ 'a/file': '' });
    const { context } = moving(root);
    await succeed(bash, { command: '(cd a); echo a >&3' }, context());
    expect(context().cwd).toBe(root);
  });

  it('says so when it is gone', async () => {
    const { root, context } = workspace();
    const { error } = await fail(bash, { command: 'pwd' }, { ...context, cwd: join(root, 'gone') });
    expect(error).toMatchObject({ code: 'directory-missing', remedy: `cd ${root}` });
  });
});

describe('a command that does not end', () => {
  it('is ended with everything it started', async () => {
    const { root, context } = workspace();
    const { data, error } = await fail(bash, { command: '(sleep 60 & echo $! > pid; wait)', timeout: 300 }, context);
    expect(error.code).toBe('command-timed-out');
    expect(data).toMatchObject({ timedOutAfterMs: 300, interrupted: false });
    expect(isAlive(pidIn(root))).toBe(false);
  });

  it('may clean up first', async () => {
    const { root, context } = workspace();
    await fail(
      bash,
      { command: `trap 'echo clean > done; exit' TERM; while :; do sleep 0.05; done`, timeout: 200 },
      context,
    );
    expect(existsSync(join(root, 'done'))).toBe(true);
  });

  it('is killed when it does not listen', async () => {
    const { root, context } = workspace();
    await fail(bash, { command: `trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done`, timeout: 200 }, context);
    expect(isAlive(pidIn(root))).toBe(false);
  });

  it('is interrupted with the session', async () => {
    const { root, context } = workspace();
    const controller = new AbortController();
    const running = fail(
      bash,
      { command: 'echo $$ > pid; echo before; sleep 60' },
      { ...context, signal: controller.signal },
    );
    await until(() => existsSync(join(root, 'pid')));
    controller.abort();
    const { data, error } = await running;
    expect(error.code).toBe('interrupted');
    expect(data).toMatchObject({ interrupted: true, stdout: 'before\n' });
    expect(isAlive(pidIn(root))).toBe(false);
  });
});

describe('what a command leaves behind', () => {
  it('ends with it', async () => {
    const { root, context } = workspace();
    await succeed(bash, { command: 'sleep 60 & echo $! > pid' }, context);
    expect(isAlive(pidIn(root))).toBe(false);
  });

  it.skipIf(skipUnless(process.platform === 'linux', 'processes are found in /proc, which is Linux only'))(
    'ends with it also outside of its process group',
    async () => {
      const { root, context } = workspace();
      await succeed(
        bash,
        { command: `setsid sh -c 'echo $$ > pid; exec sleep 60' & while [ ! -s pid ]; do :; done` },
        context,
      );
      expect(isAlive(pidIn(root))).toBe(false);
    },
  );
});

describe('what git did', () => {
  it.each([
    ['git commit --allow-empty -m "feat: x"', 'commit'],
    ['git commit -q --allow-empty -m "feat: x" && git tag v1', 'commit, tag'],
    ['git ci -m "feat: x"', 'commit'],
    ['echo git commit', undefined],
    ['git status; git branch', undefined],
    ['git switch -c topic && git merge main', 'switch, merge'],
  ])('%s → %s', async (command, operation) => {
    const root = emptyRepository();
    commit(root, 'feat: begin');
    git(root, 'config', 'alias.ci', 'commit --allow-empty');
    expect((await succeed(bash, { command }, contextIn(root))).data.gitOperation).toBe(operation);
  });

  it('is not said of a command that failed', async () => {
    const root = emptyRepository();
    expect((await fail(bash, { command: 'git commit -m "feat: nothing"' }, contextIn(root))).data).not.toHaveProperty(
      'gitOperation',
    );
  });
});

describe('a command in the background', () => {
  it('gives its task at once and goes on', async () => {
    const { root, context } = workspace();
    const tasks = createTasks();
    const { data } = await succeed(
      bash,
      { command: 'echo begun; while [ ! -e go ]; do sleep 0.02; done; echo ended', run_in_background: true },
      context,
      { ...session(), tasks },
    );
    const id = String(data.task_id);
    expect(tasks.get(id)?.status).toBe('running');
    write(root, 'go', '');
    const ended = await tasks.wait(id, 30_000, context.signal);
    expect(ended).toMatchObject({ status: 'completed', exitCode: 0, output: 'begun\nended\n', kind: 'shell' });
    await tasks.stopAll();
  });

  it('needs a session', async () => {
    const { context } = workspace();
    expect((await fail(bash, { command: 'true', run_in_background: true }, context)).error.code).toBe('no-background');
  });
});

describe('Bash with sandbox disabled', () => {
  it('is asked for by an input of its own, which permission is asked for apart', () => {
    expect(bash.shellCommand?.({ command: 'true' })).toEqual({ command: 'true', unsandboxed: false });
    expect(bash.shellCommand?.({ command: 'true', dangerouslyDisableSandbox: true })).toEqual({
      command: 'true',
      unsandboxed: true,
    });
  });

  it('has the whole system, once it was confirmed: nothing confines the call', async () => {
    const { context } = workspace();
    const outside = temporaryDirectory();
    const { data } = await succeed(
      bash,
      { command: `echo written > ${outside}/file`, dangerouslyDisableSandbox: true },
      context,
    );
    expect(data.sandboxed).toBe(false);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('written\n');
  });

  it('takes the name as agent.md spells it, and nothing else', async () => {
    const { context } = workspace();
    const { text } = await fail(bash, { command: 'true', dangerously_disable_sandbox: true }, context);
    expect(text).toContain('`dangerously_disable_sandbox`');
  });
});

describe('Security warning in documentation', () => {
  const properties = bash.parameters.properties as Record<string, { description: string }>;
  const documented = properties.dangerouslyDisableSandbox?.description ?? '';

  it('clearly warns about security implications', () => {
    expect(documented).toMatch(/WITHOUT the sandbox/);
    expect(documented).toMatch(/secrets included, write anywhere and reach the network/);
  });

  it('recommends only using it in controlled environments', () => {
    expect(documented).toMatch(/Only for controlled environments/);
  });

  it('notes that this bypasses important safety measures', () => {
    expect(documented).toMatch(/bypasses an important safety measure/);
  });

  it('stands in the manual, too', () => {
    const manual = readFileSync('docs/sandbox.md', 'utf8').replace(/\s+/g, ' ');
    expect(manual).toMatch(/dangerouslyDisableSandbox/);
    expect(manual).toMatch(/controlled environments/);
    expect(manual).toMatch(/bypasses an important safety measure/);
  });
});

describe('an input that is not valid', () => {
  it.each([
    [{}, '`command`'],
    [{ command: '' }, '`command`'],
    [{ command: 'true', timeout: 600_001 }, '`timeout`'],
    [{ command: 'true', timeout: 0 }, '`timeout`'],
    [{ command: 'true', run_in_background: 'yes' }, '`run_in_background`'],
  ])('%j names the field', async (input, field) => {
    const { context } = workspace();
    const { error, text } = await fail(bash, input, context);
    expect(error.code).toBe('invalid-input');
    expect(text).toContain(field);
  });
});

describe('a working directory without bash', () => {
  it('says what is missing', async () => {
    const { root, context } = workspace();
    mkdirSync(join(root, 'bin'));
    const { error } = await fail(bash, { command: 'true' }, { ...context, env: { PATH: join(root, 'bin') } });
    expect(error).toMatchObject({ code: 'program-missing' });
    expect(error.remedy).toMatch(/Install bash/);
  });
});
