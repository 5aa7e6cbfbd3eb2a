import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { Finding } from '../../src/guards/finding.ts';
import { findingLines } from '../../src/ui/findings.ts';
import { ansiPaint, plainPaint } from '../../src/ui/paint.ts';
import { canDraw } from '../../src/ui/tui/availability.ts';
import { lineDiff } from '../../src/ui/tui/line-diff.ts';
import { statusLine } from '../../src/ui/tui/status-line.ts';
import { clipCells, fitRows, rowsOf, terminalText, wrapWords } from '../../src/ui/tui/terminal-text.ts';
import { callArgument, diffLines, resultLines, wholeCall } from '../../src/ui/tui/tool-call-lines.ts';
import { emptyTranscript, takeEvent, takePrompt } from '../../src/ui/tui/transcript.ts';

const page = { paint: plainPaint, columns: 80 };

/** All that a session prints, and what is still open at its end. */
function shown(...events: readonly AgentEvent[]) {
  let transcript = emptyTranscript;
  const printed: string[] = [];
  for (const event of events) {
    const step = takeEvent(transcript, event, page);
    transcript = step.transcript;
    printed.push(...step.printed);
  }
  return { printed, transcript };
}

const text = (said: string): AgentEvent => ({ type: 'text', text: said });
const call = (id: string, name: string, input: unknown): AgentEvent => ({ type: 'tool_call', id, name, input });
const result = (id: string, name: string, content: string, is_error = false): AgentEvent => ({
  type: 'tool_result',
  id,
  name,
  content,
  is_error,
});
const end = (stop_reason: Extract<AgentEvent, { type: 'result' }>['stop_reason'], said = ''): AgentEvent => ({
  type: 'result',
  stop_reason,
  text: said,
  turns: 3,
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  session_id: 's',
});
const finding: Finding = {
  rule: 'lose-commits',
  verdict: 'deny',
  message: '2 commits would be lost.',
  evidence: { commits: [], files: ['a.txt'], refs: [] },
  suggestion: 'git branch kept',
};

describe('the transcript', () => {
  it('is the same however the text was cut while it streamed', () => {
    const said = '# Title\n\nSome `code`.\n\n```ts\nconst a = 1;\n```\nThe end';
    const whole = shown(text(said), end('end_turn')).printed;
    fc.assert(
      fc.property(fc.array(fc.nat(said.length)), (cuts) => {
        const places = [0, ...[...cuts].sort((a, b) => a - b), said.length];
        const parts = places.slice(1).map((place, index) => text(said.slice(places[index], place)));
        expect(shown(...parts, end('end_turn')).printed).toEqual(whole);
      }),
    );
    expect(whole).toEqual(['Title', '', 'Some `code`.', '', '```ts', 'const a = 1;', '```', 'The end']);
  });

  it('shows the beginning of a prompt that is a whole file', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(3000)}`);
    const { printed } = takePrompt(emptyTranscript, lines.join('\n'), page);
    expect(printed).toHaveLength(21);
    expect(printed[0]).toMatch(/^› 0 x+…$/);
    expect(printed.at(-1)).toBe('  … 480 more lines');
    expect(takePrompt(emptyTranscript, 'one\ntwo', page).printed).toEqual(['› one', '  two']);
  });

  it('keeps calls open until their result comes, in any order', () => {
    const { printed, transcript } = shown(
      call('1', 'Read', { file_path: 'a.ts' }),
      call('2', 'Read', { file_path: 'b.ts' }),
      result('2', 'Read', 'x'),
    );
    expect(printed).toEqual(['● Read b.ts', '  x']);
    expect(transcript.calls.map(({ id }) => id)).toEqual(['1']);
  });

  it('tells the guard’s findings exactly as everywhere else, once', () => {
    const permission = (verdict: 'ask' | 'allow' | 'deny', message: string): AgentEvent => ({
      type: 'permission',
      id: '1',
      verdict,
      rule: finding.rule,
      message,
      findings: [finding],
    });
    const { printed } = shown(
      call('1', 'Bash', { command: 'git reset --hard HEAD~2' }),
      permission('deny', finding.message),
      result('1', 'Bash', `Denied: ${finding.message}`, true),
    );
    const known = findingLines([finding], plainPaint).map((line) => `  ${line}`);
    expect(printed).toEqual(['● Bash git reset --hard HEAD~2', ...known]);
    const asked = shown(
      call('1', 'Bash', { command: 'git reset --hard HEAD~2' }),
      { ...permission('ask', finding.message), findings: [{ ...finding, verdict: 'ask' }] } as AgentEvent,
      { ...permission('allow', 'The user allowed it.'), findings: [{ ...finding, verdict: 'ask' }] } as AgentEvent,
      result('1', 'Bash', 'HEAD is now at 1234567'),
    );
    expect(asked.printed.filter((line) => line.includes(finding.message))).toHaveLength(1);
    expect(asked.printed).toContain('  ✓ The user allowed it.');
    expect(asked.printed.at(-1)).toBe('  HEAD is now at 1234567');
  });

  it('breaks a denial between words, and no command that follows it', () => {
    const way = 'Tell the user that `oxide-guard approve abc123` in /somewhere allows exactly this command once.';
    const message = `This needs the user’s permission, and nobody could answer: there is no terminal. Bash may change something.\n${way}`;
    const { printed } = shown(
      call('1', 'Bash', { command: 'make' }),
      { type: 'permission', id: '1', verdict: 'deny', rule: 'default', message },
      result('1', 'Bash', `Denied: ${message}`, true),
    );
    expect(printed.slice(1)).toEqual([
      '  ✗ This needs the user’s permission, and nobody could answer: there is no\n  terminal. Bash may change something. [default]',
      `    ${way}`,
    ]);
  });

  it('tells under a call which checkpoint was taken before it', () => {
    const { printed } = shown(
      call('1', 'Bash', { command: 'rm a' }),
      { type: 'checkpoint', checkpoint_id: 'agent/1', reason: 'rm a' },
      result('1', 'Bash', 'gone'),
      call('2', 'Bash', { command: 'ls' }),
      result('2', 'Bash', 'nothing'),
    );
    expect(printed).toEqual(['● Bash rm a', '  ◇ checkpoint agent/1', '  gone', '', '● Bash ls', '  nothing']);
  });

  it('says why a turn ended when it is not done, and leaves no call open', () => {
    const cut = shown(call('1', 'Bash', { command: 'sleep 9' }), end('interrupted'));
    expect(cut.printed[0]).toBe('○ Bash sleep 9 (no result)');
    expect(cut.printed.join('\n')).toContain('Interrupted.');
    expect(cut.transcript.calls).toEqual([]);
    expect(shown(end('max_turns')).printed.join('\n')).toContain('Stopped after 3 turns');
    expect(shown(end('error', 'The model is not there.')).printed).toEqual(['✗ The model is not there.']);
    expect(shown(text('Done.'), end('end_turn', 'Done.')).printed).toEqual(['Done.']);
  });

  it('holds a bounded part of a text that has no line end', () => {
    const { transcript } = shown(...Array.from({ length: 1000 }, () => text('word '.repeat(20))));
    expect(transcript.tail.length).toBeLessThan(5000);
  });

  it('shows subagents by what they do, not by what they say', () => {
    const subagent = (state: 'started' | 'finished' | 'failed'): AgentEvent => ({
      type: 'subagent',
      agent_id: 'a1',
      state,
      subagent_type: 'explore',
      description: 'look around',
    });
    const { printed, transcript } = shown(subagent('started'), { ...text('secret'), agent_id: 'a1' } as AgentEvent);
    expect(printed).toEqual([]);
    expect(transcript.agents).toEqual({ a1: 'explore look around' });
    expect(shown(subagent('started'), subagent('finished')).printed).toEqual(['◆ explore look around finished']);
  });
});

describe('lines for the terminal', () => {
  it('hold nothing that acts on it, whatever comes in', () => {
    const colour = /\x1b\[[0-9;]*m/g;
    const acting = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\x1b', '[', ']', '2', 'J', 'm', '\x07', '\r', '\n', '\t', '\x9b', '\u202e'),
        fc.string(),
      ),
    });
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const { printed } = shown(
          text(one),
          call('1', one, { command: other }),
          { type: 'permission', id: '1', verdict: 'deny', rule: one, message: other },
          result('1', one, other),
          call('2', 'Edit', { file_path: one, old_string: one, new_string: other }),
          result('2', 'Edit', other),
          { type: 'checkpoint', checkpoint_id: one, reason: other },
          { type: 'subagent', agent_id: one, state: 'failed', subagent_type: one, description: other },
          end('error', one),
        );
        const status = { branch: one, ahead: 1, behind: 1, model: other, tokens: 1, mode: 'default' as const };
        for (const line of [...printed, statusLine(status, ansiPaint)]) {
          expect(line.replace(colour, '')).not.toMatch(acting);
        }
      }),
    );
  });

  it('drop the colours of programs and keep their text', () => {
    expect(terminalText('\x1b[1;31mred\x1b[0m\tplain\r\n')).toBe('red    plain\n');
  });

  it('break between words, and never change them', () => {
    expect(wrapWords('  one two three', 9)).toBe('  one two\n  three');
    expect(wrapWords(`${ansiPaint.bold('one two')} three`, 8)).toBe(`${ansiPaint.bold('one two')}\nthree`);
    fc.assert(
      fc.property(fc.stringMatching(/^ {0,4}[a-z漢 ]{0,200}$/), fc.integer({ min: 10, max: 60 }), (line, columns) => {
        const wrapped = wrapWords(line, columns);
        expect(wrapped.replace(/\s/g, '')).toBe(line.replace(/\s/g, ''));
        for (const part of wrapped.split('\n')) {
          expect(rowsOf(part.trim(), columns) === 1 || !part.trim().includes(' ') || part.includes('  ')).toBe(true);
        }
      }),
    );
  });

  it('are cut at the side where they end, whatever stands there', () => {
    expect(clipCells('short', 5)).toBe('short');
    expect(clipCells('longer', 5)).toBe('long…');
    expect(clipCells('漢字漢字', 6)).toBe('漢字…');
    expect(clipCells('漢字漢字', 7)).toBe('漢字漢…');
    expect(clipCells(`${ansiPaint.bold('Bash')} ${ansiPaint.red('✅✅')}`, 7)).toBe(
      `${ansiPaint.bold('Bash')} ${ansiPaint.red('…')}`,
    );
    const unit = fc.constantFrom('a', '漢', '😀', 'e\u0301', '\x1b[31m', '\x1b[39m');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (line, columns) => {
        expect(rowsOf(clipCells(line, columns), columns)).toBe(1);
      }),
    );
  });

  it('are counted in rows by their cells', () => {
    expect(rowsOf('', 10)).toBe(1);
    expect(rowsOf(ansiPaint.red('x'.repeat(10)), 10)).toBe(1);
    expect(rowsOf('漢'.repeat(6), 10)).toBe(2);
    expect(rowsOf('… → ❯ ● ✗', 9)).toBe(1);
    expect(fitRows(['a', 'x'.repeat(25), 'b'], 10, 4)).toEqual({ lines: ['a', 'x'.repeat(25)], hidden: 1 });
  });
});

describe('calls in short', () => {
  it('name what they are about', () => {
    expect(callArgument({ command: 'git status', description: 'look' })).toBe('git status');
    expect(callArgument({ file_path: 'a.ts', old_string: 'x', new_string: 'y' })).toBe('a.ts');
    expect(
      callArgument({ edits: ['a', 'b', 'a'].map((file_path) => ({ file_path, old_string: '', new_string: 'x' })) }),
    ).toBe('a, b');
    expect(callArgument({ questions: [{ question: 'Which?' }] })).toBe('Which?');
    expect(callArgument({ command: 'one\ntwo' })).toBe('one⏎two');
    expect(callArgument(undefined)).toBe('');
    expect(callArgument({ odd: [1] })).toBe('{"odd":[1]}');
  });

  it('show edits as a bounded diff', () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
    const after = before.replace('line 15', 'changed');
    expect(diffLines({ file_path: 'a', old_string: before, new_string: after }, plainPaint)).toEqual([
      '    line 13',
      '    line 14',
      '  - line 15',
      '  + changed',
      '    line 16',
      '    line 17',
    ]);
    const written = diffLines({ file_path: 'a', content: before.repeat(10) }, plainPaint);
    expect(written).toHaveLength(25);
    expect(written.at(-1)).toMatch(/… \d+ more lines/);
    expect(diffLines({ command: 'ls' }, plainPaint)).toEqual([]);
  });

  it('name the file of each change that is to be decided on, and where it is made everywhere', () => {
    const one = { file_path: 'a.ts', old_string: 'x', new_string: 'y' };
    expect(wholeCall({ edits: [one] }, plainPaint)).toEqual(['  a.ts', '  - x', '  + y']);
    expect(wholeCall({ ...one, replace_all: true }, plainPaint)).toEqual([
      '  a.ts',
      '  every occurrence:',
      '  - x',
      '  + y',
    ]);
    const edits = [one, { file_path: 'b.ts', old_string: 'v', new_string: 'w', replace_all: true }];
    expect(wholeCall({ edits }, plainPaint)).toEqual([
      ...['  a.ts', '  - x', '  + y'],
      ...['  b.ts', '  every occurrence:', '  - v', '  + w'],
    ]);
  });

  it('fold results, and show failures at more length', () => {
    const content = Array.from({ length: 20 }, (_, index) => `${index}`).join('\n');
    expect(resultLines({ tool: 'Bash', content, isError: false }, plainPaint)).toHaveLength(5);
    expect(resultLines({ tool: 'Bash', content, isError: true }, plainPaint)).toHaveLength(11);
    expect(resultLines({ tool: 'Grep', content, isError: false }, plainPaint)).toEqual(['  20 lines']);
  });

  it('diff any two texts so that each can be read back', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const before = `${old.join('\n')}x`;
        const after = `${now.join('\n')}x`;
        const diff = lineDiff(before, after);
        const without = (kind: string) =>
          diff
            .filter((line) => line.kind !== kind)
            .map((line) => line.text)
            .join('\n');
        expect(without('added')).toBe(before);
        expect(without('removed')).toBe(after);
      }),
    );
  });
});

describe('the status line', () => {
  it('tells mode, branch, distance, model and tokens, and leaves out what is unknown', () => {
    const status = { branch: 'main', ahead: 2, behind: 0, model: 'm', tokens: 12_345, mode: 'plan' as const };
    expect(statusLine(status, plainPaint)).toBe('plan · main ↑2 · m · 12.3k tokens');
    const unknown = { ...status, branch: null, ahead: null, behind: null, tokens: 1_000_000 };
    expect(statusLine(unknown, plainPaint)).toBe('plan · m · 1M tokens');
  });
});

describe('where the UI is drawn', () => {
  it('takes a terminal on both sides, and nobody draws in CI or on a dumb one', () => {
    const terminal = { isTTY: true };
    expect(canDraw(terminal, terminal, { TERM: 'xterm' })).toBe(true);
    expect(canDraw(terminal, terminal, { CI: 'false' })).toBe(true);
    for (const environment of [{ CI: 'true' }, { CI_NAME: 'x' }, { TERM: 'dumb' }]) {
      expect(canDraw(terminal, terminal, environment)).toBe(false);
    }
    expect(canDraw({}, terminal, {})).toBe(false);
    expect(canDraw(terminal, {}, {})).toBe(false);
  });
});
