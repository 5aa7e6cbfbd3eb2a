import { describe, expect, it } from 'vitest';
import type { ToolCallStage } from '../../src/agent/tool-call-ports.ts';
import { agent } from '../../src/tools/agent.ts';
import { bash } from '../../src/tools/bash.ts';
import { repositoryWithRemote } from '../git/fixture.ts';
import { openTestSession } from './fixture.ts';

const done = { text: 'Done.' };

/** What a Bash call goes through, in order: stages, hooks, events. */
async function trace(isSubagent: boolean, command = 'git push origin main') {
  const { work } = repositoryWithRemote();
  const order: string[] = [];
  const call = { calls: [{ name: 'Bash', input: { command } }] };
  const start = {
    calls: [{ name: 'Agent', input: { description: 'Push', prompt: 'Push', subagent_type: 'general-purpose' } }],
  };
  const opened = await openTestSession({
    cwd: work,
    tools: [bash, agent],
    script: isSubagent ? [start, call, done] : [call, done],
    answer: { kind: 'once' },
    hooks: (registry) => {
      registry.register('PermissionRequest', 'after the guard', ({ tool_name }) => {
        order.push(...(tool_name === 'Bash' ? ['PermissionRequest hook'] : []));
        return undefined;
      });
    },
    onStage: (stage: ToolCallStage, { name }) => {
      order.push(...(name === 'Bash' ? [stage] : []));
    },
    emit: (event) => {
      if (event.type === 'permission') {
        order.push(`${event.verdict} by ${event.rule}`);
      }
      if (event.type === 'tool_result' && event.name === 'Bash') {
        order.push('result');
      }
    },
  });
  await opened.prompt();
  return order;
}

describe('one tool call', () => {
  const expected = [
    'lookup',
    'validate',
    'PreToolUse',
    'rules',
    // The guard is the first of the PermissionRequest hooks: what it finds is asked about.
    'PermissionRequest',
    'PermissionRequest hook',
    'ask by default',
    'user',
    'allow by default',
    'checkpoint',
    'sandbox',
    'execute',
    'PostToolUse',
    'truncate',
    'result',
  ];

  it.each([
    ['of the main agent', false],
    ['of a subagent', true],
  ])('%s goes through its stages in their order', async (_, isSubagent) => {
    expect(await trace(isSubagent)).toEqual(expected);
  });

  it.each([
    ['of the main agent', false],
    ['of a subagent', true],
  ])('%s that the guard denies ends there', async (_, isSubagent) => {
    expect(await trace(isSubagent, 'git push --force origin main')).toEqual([
      'lookup',
      'validate',
      'PreToolUse',
      'rules',
      'PermissionRequest',
      'deny by protected-force-push',
      'truncate',
      'result',
    ]);
  });
});
