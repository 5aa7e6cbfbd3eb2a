import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { sessionOutput } from '../../src/cli/agent-output.ts';
import { OxideError } from '../../src/errors.ts';

const evil = '\x1b[2J\x1b]52;c;eA==\x07\u009b1m\u202e';
const acting = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;

describe('plain output', () => {
  const lines: string[] = [];
  const console = {
    out: (text: string) => lines.push(text),
    err: (text: string) => lines.push(text),
    colors: picocolors.createColors(false),
  };
  const output = sessionOutput('text', console, (text) => lines.push(text));
  const base = { session_id: 's', id: `c${evil}` };

  it.each([
    ['text', () => output.event({ type: 'text', text: evil })],
    [
      'a tool call',
      () => output.event({ type: 'tool_call', ...base, name: evil, input: { [evil]: evil, command: evil } }),
    ],
    ['its result', () => output.event({ type: 'tool_result', ...base, name: evil, is_error: true, content: evil })],
    [
      'a denial',
      () =>
        output.event({
          type: 'permission',
          ...base,
          verdict: 'deny',
          rule: evil,
          message: evil,
          findings: [
            {
              rule: 'force-push',
              verdict: 'deny',
              message: evil,
              suggestion: evil,
              evidence: {
                commits: [{ oid: 'abcdefabcdef', subject: evil, author: evil, date: '2026-01-01T00:00:00Z' }],
                files: [evil],
                refs: [evil],
              },
            },
          ],
        }),
    ],
    [
      'a subagent',
      () =>
        output.event({ type: 'subagent', agent_id: evil, subagent_type: evil, state: 'started', description: evil }),
    ],
    ['a notice', () => output.notice(evil)],
    ['an error', () => output.error(new OxideError('x', evil, { remedy: evil }))],
  ])('lets nothing act on the terminal: %s', (_, tell) => {
    lines.length = 0;
    tell();
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toMatch(acting);
  });
});

describe('a denial in plain output', () => {
  const finding = {
    rule: 'protected-push',
    verdict: 'ask',
    message: 'This push updates main.',
    suggestion: null,
    evidence: { commits: [], files: [], refs: [] },
  } as const;
  const told = (event: { readonly approval?: string; readonly verdict?: 'ask' | 'deny' | 'allow' }) => {
    const lines: string[] = [];
    const write = (text: string) => lines.push(text);
    const output = sessionOutput('text', { out: write, err: write, colors: picocolors.createColors(false) }, write);
    const { verdict = 'ask', ...rest } = event;
    const findings = [{ ...finding, verdict }];
    output.event({ type: 'permission', id: 'c', verdict: 'deny', rule: 'x', message: 'm', findings, ...rest });
    output.event({ type: 'tool_result', id: 'c', name: 'Bash', is_error: true, content: 'Denied: m' });
    return lines.join('\n');
  };

  it('tells the person, whom nobody could ask, how to allow it', () => {
    expect(told({ approval: 'abc123' })).toBe(
      '  ? This push updates main. [protected-push]\n' +
        '  Nobody could be asked. To allow exactly this command once: oxide-guard approve abc123',
    );
  });

  it('is the finding alone where the guard denies', () => {
    expect(told({ verdict: 'deny' })).toBe('  ✗ This push updates main. [protected-push]');
  });

  it('is the call’s result where something else than the guard denies', () => {
    expect(told({ verdict: 'allow' })).toBe('  ✗ Denied: m');
  });
});
