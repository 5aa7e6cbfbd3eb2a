import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { approve, listApprovals } from '../../src/audit/approvals.ts';
import type { RuleId, Verdict } from '../../src/config/rules.ts';
import { answerAgent } from '../../src/dialects/agent-front.ts';
import type { AgentName } from '../../src/dialects/dialect.ts';
import { repositoryWithCommit, temporaryDirectory } from '../git/fixture.ts';

const command = 'git push --force origin main';
let root: string;
let judged: string[];
let state: string;
beforeEach(() => {
  state = temporaryDirectory();
  root = realpathSync(repositoryWithCommit(temporaryDirectory()));
  judged = [];
});

/** The two events of one call, as the local agent of `@cursor/sdk` 1.0.32 writes them. */
function events(cwd = '', id = 'e1b1cb2e') {
  const common = { conversation_id: 'agent-7', generation_id: 'agent-7', model: 'unknown', session_id: 'agent-7' };
  const context = { cursor_version: '1.0.0', workspace_roots: [root], user_email: null, transcript_path: null };
  const use = { tool_name: 'Shell', tool_input: { command, cwd }, tool_use_id: id };
  return {
    before: { ...common, command, cwd, sandbox: false, hook_event_name: 'beforeShellExecution', ...context },
    tool: { ...common, ...use, cwd, hook_event_name: 'preToolUse', ...context },
  };
}

async function answer(
  payload: unknown,
  verdict: Verdict,
  installedFor: AgentName = 'cursor',
  endsIn: readonly string[] = [],
) {
  const rule: RuleId = 'protected-force-push';
  const evidence = { commits: [], files: [], refs: [] };
  const { stdout } = await answerAgent(installedFor, JSON.stringify(payload), {
    env: { ...process.env, XDG_STATE_HOME: state },
    cwd: '/',
    judge: async ({ cwd }) => {
      judged.push(cwd);
      return {
        verdict,
        findings: [{ rule, verdict, message: 'It overwrites main.', evidence, suggestion: null }],
        endsIn,
      };
    },
    checkpoints: async () => false,
  });
  return JSON.parse(stdout) as unknown;
}

const reason = 'oxide-guard: It overwrites main. [protected-force-push]';

describe('Cursor', () => {
  it('is denied at both of its events, also by the hook in Claude’s settings', async () => {
    const denial = { permission: 'deny', user_message: reason, agent_message: reason };
    expect(await answer(events().before, 'deny')).toEqual(denial);
    expect(await answer(events().tool, 'deny')).toEqual(denial);
    expect(await answer(events().tool, 'deny', 'claude')).toEqual(denial);
  });

  it('is told a notice only where it takes one', async () => {
    expect(await answer(events().before, 'allow')).toEqual({});
    expect(await answer(events().tool, 'allow')).toEqual({ additional_context: reason });
  });

  it('hears no objection to other tools and at other events', async () => {
    expect(await answer({ ...events().tool, tool_name: 'Read', tool_input: { path: 'a' } }, 'deny')).toEqual({});
    expect(await answer({ ...events().before, hook_event_name: 'afterShellExecution' }, 'deny')).toEqual({});
    expect(judged).toEqual([]);
  });

  it('names the directory in its own ways', async () => {
    mkdirSync(join(root, 'a b'));
    const url = pathToFileURL(join(root, 'a b')).href;
    for (const cwd of ['', 'a b', join(root, 'a b'), url, '~']) {
      await answer(events(cwd).before, 'deny');
      await answer(events(cwd).tool, 'deny');
    }
    const { tool } = events();
    await answer({ ...tool, tool_input: { command, working_directory: 'a b' } }, 'deny');
    const inside = join(root, 'a b');
    const expected = [root, inside, inside, inside, homedir()].flatMap((place) => [place, place]);
    expect(judged).toEqual([...expected, inside]);
  });

  it('is judged wherever the commands before may have left its shell, and nothing said where', async () => {
    const [app, other] = [join(root, 'app'), temporaryDirectory()];
    mkdirSync(app);
    const runs = async (cwd: string, endsIn: readonly string[], verdict: Verdict = 'allow') => {
      judged = [];
      await answer(events(cwd).before, verdict, 'cursor', endsIn);
      return judged;
    };
    expect(await runs('', [app])).toEqual([root]);
    expect(await runs('', [root])).toEqual([root, app]);
    expect(await runs(other, [other])).toEqual([other]);
    expect(await runs('', [join(root, 'gone')])).toEqual([root, other, app]);
    expect(await runs('', [])).toEqual([root, other, app]);
    expect(await runs(app, [])).toEqual([app]);
  });

  it('does not follow a command that will not run, nor another conversation’s shell', async () => {
    mkdirSync(join(root, 'app'));
    const { before } = events();
    await answer(before, 'deny', 'cursor', [join(root, 'app')]);
    await answer({ ...before, conversation_id: 'agent-8' }, 'allow', 'cursor', [join(root, 'app')]);
    judged = [];
    await answer(before, 'allow');
    expect(judged).toEqual([root]);
  });

  it('may run an approved command once, although both of its events ask', async () => {
    const ask = (payload: unknown) => answer(payload, 'ask', 'claude');
    const refused = { permission: 'deny', agent_message: expect.stringContaining('oxide-guard approve') };
    expect(await ask(events().tool)).toMatchObject(refused);
    const commonDir = join(root, '.git');
    approve(commonDir, listApprovals(commonDir)[0]?.id ?? '');
    expect(await ask(events('', 'second').tool)).toEqual({});
    expect(await ask(events('', 'second').before)).toEqual({});
    expect(await ask(events('', 'third').tool)).toMatchObject(refused);
    expect(await ask(events('', 'third').before)).toMatchObject(refused);
  });
});
