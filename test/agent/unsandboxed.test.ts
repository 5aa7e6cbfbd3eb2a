import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentSettingsFile } from '../../src/config/agent-settings.ts';
import type { ConfinementRequest, Sandbox } from '../../src/tools/session-ports.ts';
import type { PermissionAnswer, PermissionMode, PermissionRequest } from '../../src/ui/permission.ts';
import { repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';
import { scriptedSession } from './scripted-session.ts';

interface Situation {
  readonly command: string;
  readonly input?: object;
  readonly answers?: readonly PermissionAnswer[];
  readonly mode?: PermissionMode;
  readonly settings?: AgentSettingsFile;
  readonly root?: string;
}

/** One Bash call in a whole session; what was asked, whether it was confined, and what came of it. */
async function call({
  command,
  input = {},
  answers = [],
  mode = 'bypass',
  settings = {},
  root = temporaryDirectory(),
}: Situation) {
  const asked: PermissionRequest[] = [];
  const confined: ConfinementRequest[] = [];
  const sandbox: Sandbox = {
    confine: (request) => {
      confined.push(request);
      return Promise.resolve({ argv: request.argv, env: request.env, sandboxed: true });
    },
  };
  const pending = [...answers];
  const { session, say, resultOf } = await scriptedSession(
    root,
    { main: [[['Bash', { command, ...input }]], 'done'] },
    {
      sandbox,
      mode,
      settings,
      person: {
        ask: (request) => {
          asked.push(request);
          return Promise.resolve(pending.shift() ?? { kind: 'nobody', reason: 'this is a test' });
        },
      },
    },
  );
  await say('go');
  await session.close('test');
  return { asked, confined: confined.length, result: resultOf('Bash'), root };
}

const unsandboxed = { dangerouslyDisableSandbox: true };
const yes: PermissionAnswer = { kind: 'once' };

describe('a call of Bash in a session', () => {
  it('is confined without a question where the mode allows it', async () => {
    expect(await call({ command: 'echo fine' })).toMatchObject({ asked: [], confined: 1, result: 'fine' });
  });
});

describe('a call that asks for no sandbox', () => {
  it('is asked about even where nothing else is, and runs unconfined after a yes', async () => {
    const { asked, confined, result } = await call({ command: 'echo free', input: unsandboxed, answers: [yes] });
    expect(asked.map(({ reason, sessionRule }) => ({ reason, sessionRule }))).toEqual([
      { reason: expect.stringContaining('without the sandbox'), sessionRule: null },
    ]);
    expect({ confined, result }).toEqual({ confined: 0, result: 'free' });
  });

  it('is asked about apart from Bash itself', async () => {
    const { asked, confined } = await call({
      command: 'echo free',
      input: unsandboxed,
      mode: 'default',
      answers: [yes, yes],
    });
    expect(asked).toHaveLength(2);
    expect(confined).toBe(0);
  });

  it('is not covered by a rule that allows the command', async () => {
    const settings = { permissions: { allow: ['Bash(touch:*)'] } };
    const { asked, root } = await call({ command: 'touch made', input: unsandboxed, mode: 'default', settings });
    expect(asked).toHaveLength(1);
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('does not run after a no, nor where nobody can answer', async () => {
    for (const answer of [
      { kind: 'deny', reason: '' },
      { kind: 'nobody', reason: 'away' },
    ] as const) {
      const { result, root } = await call({ command: 'touch made', input: unsandboxed, answers: [answer] });
      expect(result).toMatch(/^Denied: /);
      expect(existsSync(join(root, 'made'))).toBe(false);
    }
  });

  it('is forbidden by the configuration, and then nobody is asked', async () => {
    const settings = { allowUnsandboxed: false };
    const { asked, result } = await call({ command: 'true', input: unsandboxed, settings, answers: [yes] });
    expect(asked).toEqual([]);
    expect(result).toMatch(/agent\.allowUnsandboxed/);
  });

  it('is judged by the guard all the same', async () => {
    const { work } = repositoryWithRemote();
    const command = 'git commit --amend --allow-empty -m "feat: other" && git push --force origin main';
    const { result, asked } = await call({ command, input: unsandboxed, answers: [yes, yes], root: work });
    expect(result).toMatch(/^Denied: /);
    expect(asked).toEqual([]);
  });
});
