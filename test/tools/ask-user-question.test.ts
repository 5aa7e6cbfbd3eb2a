import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { askUserQuestion } from '../../src/tools/ask-user-question.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import type { ToolResult } from '../../src/tools/tool-result.ts';
import type { Question, QuestionOutcome } from '../../src/ui/question.ts';
import { temporaryDirectory } from '../git/fixture.ts';
import { checks, database } from '../ui/questions.ts';
import { startTmux, withoutTmux } from '../ui/tmux.ts';
import { contextIn, fail, succeed } from './fixture.ts';

/** A context whose person gives one outcome, and what that person was asked. */
function answering(outcome: QuestionOutcome): {
  readonly context: ToolContext;
  readonly asked: (readonly Question[])[];
} {
  const asked: (readonly Question[])[] = [];
  const ask = async (questions: readonly Question[]) => {
    asked.push(questions);
    return outcome;
  };
  return { context: { ...contextIn('/'), questions: { ask } }, asked };
}

const tmux = startTmux('ask');
afterAll(() => tmux.end());
const program = [
  process.execPath,
  // Node 26 says that it will give up the way by which jiti is asked for modules.
  '--disable-warning=DEP0205',
  '--import',
  import.meta.resolve('jiti/register'),
  join(import.meta.dirname, 'asking.ts'),
];

/** A terminal in which AskUserQuestion runs. */
async function inTerminal(questions: readonly unknown[], ...more: readonly string[]) {
  const directory = temporaryDirectory();
  const resultFile = join(directory, 'result.json');
  writeFileSync(join(directory, 'input.json'), JSON.stringify({ questions }));
  const command = [...program, join(directory, 'input.json'), resultFile, ...more];
  const terminal = tmux.open(command, { cwd: directory, columns: 100 });
  const result = async (): Promise<ToolResult> => {
    await terminal.shows('ended with 0');
    return JSON.parse(readFileSync(resultFile, 'utf8')) as ToolResult;
  };
  return { ...terminal, result };
}

describe.skipIf(withoutTmux)('AskUserQuestion in a terminal', () => {
  it('单选问题', async () => {
    const terminal = await inTerminal([database]);
    await terminal.shows('Which database?');
    await terminal.press('Down', 'Enter');
    expect((await terminal.result()).data.answers).toEqual({ 'Which database?': 'PostgreSQL' });
  });

  it('多选问题', async () => {
    const terminal = await inTerminal([checks]);
    await terminal.shows('Space selects');
    await terminal.press('Space', 'Down', 'Down', 'Space', 'Enter');
    expect((await terminal.result()).data.answers).toEqual({ 'Which checks?': 'Types, Format' });
  });

  it('带描述的选项', async () => {
    const terminal = await inTerminal([database]);
    const screen = await terminal.shows('an answer of your own');
    expect(screen).toMatch(/Database Which database\?/);
    expect(screen).toMatch(/SQLite +One file, no server/);
    expect(screen).toMatch(/PostgreSQL +A server, many writers/);
    await terminal.press('Enter');
    expect((await terminal.result()).text).toBe('The person answered:\nWhich database? → SQLite');
  });

  it('CLI 模式交互', async () => {
    const terminal = await inTerminal([database, checks]);
    await terminal.shows('Which database?');
    await terminal.press('Up', 'Enter');
    await terminal.shows('Your answer');
    await terminal.press('M', 'y', 'S', 'Q', 'L', 'Enter');
    await terminal.shows('Which checks?');
    await terminal.press('Enter');
    await terminal.shows('minimum of 1');
    await terminal.press('Down', 'Space', 'Enter');
    expect((await terminal.result()).data.answers).toEqual({ 'Which database?': 'MySQL', 'Which checks?': 'Tests' });
  });

  it('用户取消操作', async () => {
    for (const key of ['Escape', 'C-c']) {
      const terminal = await inTerminal([database, checks]);
      await terminal.shows('Which database?');
      await terminal.press(key);
      const result = await terminal.result();
      expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' }, data: { cancelled: true } });
      expect(result.text).toContain('Do not assume one');
    }
  });

  it('lets nothing in a question act on the terminal', async () => {
    const evil = (text: string) => `\x1b[2J\x1b]0;taken\x07${text}\u202e`;
    const terminal = await inTerminal([
      {
        question: evil('Which one?'),
        header: '\x1b[2JH',
        options: [
          { label: evil('One'), description: evil('the first') },
          { label: 'Two\nlines', description: 'the second' },
        ],
        multiSelect: false,
      },
    ]);
    const screen = await terminal.shows('Which one?');
    expect(screen).toContain('\ufffd[2J\ufffd]0;taken\ufffdWhich one?\ufffd');
    expect(screen).toContain('Two lines');
    await terminal.press('Enter');
    expect((await terminal.result()).data.answers).toEqual({ [evil('Which one?')]: evil('One') });
  });

  it('takes the question away when the session is interrupted', async () => {
    const terminal = await inTerminal([database], '1500');
    expect(await terminal.result()).toMatchObject({ ok: false, error: { code: 'interrupted' } });
  });

  it('cancels all when a later question, or its own answer, is cancelled', async () => {
    const terminal = await inTerminal([checks]);
    await terminal.shows('Which checks?');
    await terminal.press('Space', 'Up', 'Space', 'Enter');
    await terminal.shows('Your answer');
    await terminal.press('Escape');
    expect(await terminal.result()).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

it('says that nobody can be asked where there is no terminal', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'input.json'), JSON.stringify({ questions: [database] }));
  const files = [join(directory, 'input.json'), join(directory, 'result.json')];
  const run = spawnSync('setsid', ['--wait', ...program, ...files], { input: '', encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(JSON.parse(readFileSync(files[1] ?? '', 'utf8'))).toMatchObject({
    ok: false,
    error: { code: 'nobody-to-ask', message: 'Nobody can be asked: this session has no terminal.' },
  });
});

describe('AskUserQuestion', () => {
  it('Single select question', async () => {
    const { context, asked } = answering({ kind: 'answered', answers: { 'Which database?': 'SQLite' } });
    const { data } = await succeed(askUserQuestion, { questions: [database] }, context);
    expect(asked).toEqual([[database]]);
    expect(data.answers).toEqual({ 'Which database?': 'SQLite' });
  });

  it('Multiple select question', async () => {
    const { context, asked } = answering({ kind: 'answered', answers: { 'Which checks?': 'Types, Tests' } });
    const { multiSelect: _, ...rest } = checks;
    const input = { questions: [{ ...rest, multi_select: true }] };
    const { data } = await succeed(askUserQuestion, input, context);
    expect(asked).toEqual([[checks]]);
    expect(data.questions).toEqual([checks]);
    expect(data.answers).toEqual({ 'Which checks?': 'Types, Tests' });
    expect(JSON.stringify(askUserQuestion.validate(input))).not.toContain('multi_select');
    const arrays = { questions: [checks], answers: { 'Which checks?': ['Types', 'Format'] } };
    expect((await succeed(askUserQuestion, arrays, context)).data.answers).toEqual({
      'Which checks?': 'Types, Format',
    });
  });

  it('Question with options', async () => {
    const { context } = answering({ kind: 'cancelled' });
    const options = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ label: `${index}`, description: '' }));
    for (const count of [1, 5]) {
      const { error, text } = await fail(
        askUserQuestion,
        { questions: [{ ...database, options: options(count) }] },
        context,
      );
      expect(error.code).toBe('invalid-input');
      expect(text).toMatch(/`questions\.0\.options` must be a list of at (least 2|most 4) entries/);
    }
    for (const count of [2, 4]) {
      expect(askUserQuestion.validate({ questions: [{ ...database, options: options(count) }] }).ok).toBe(true);
    }
  });

  it('Pre-filled answers', async () => {
    const { context, asked } = answering({ kind: 'answered', answers: { 'Which checks?': 'Tests' } });
    const complete = { 'Which database?': 'SQLite', 'Which checks?': 'Types' };
    const { data } = await succeed(askUserQuestion, { questions: [database, checks], answers: complete }, context);
    expect(data.answers).toEqual(complete);
    expect(asked).toEqual([]);
    const partly = { questions: [database, checks], answers: { 'Which database?': 'SQLite' } };
    expect((await succeed(askUserQuestion, partly, context)).data.answers).toEqual({
      ...complete,
      'Which checks?': 'Tests',
    });
    expect(asked).toEqual([[checks]]);
  });

  it('Empty answers map', async () => {
    const { context, asked } = answering({ kind: 'answered', answers: { 'Which database?': 'SQLite' } });
    const input = { questions: [database], answers: {} };
    expect(JSON.parse(JSON.stringify(askUserQuestion.validate(input)))).toEqual({
      ok: true,
      input: { questions: [database] },
    });
    await succeed(askUserQuestion, input, context);
    expect(asked).toHaveLength(1);
  });

  it('Question structure validation', async () => {
    const { context } = answering({ kind: 'cancelled' });
    const { header: _, ...headless } = database;
    for (const [input, problem] of [
      [{ questions: [] }, '`questions` must be a list of at least 1 entry'],
      [
        { questions: Array.from({ length: 5 }, (_, index) => ({ ...database, question: `${index}` })) },
        'a list of at most 4 entries',
      ],
      [{ questions: [headless] }, '`questions.0.header` must be a text (for example "Database"), but is missing'],
      [
        { questions: [{ ...database, header: 'thirteen char' }] },
        '`questions.0.header` must be a text of at most 12 characters',
      ],
      [{ questions: [{ ...database, options: database.options.slice(1) }] }, 'must be a list of at least 2 entries'],
      [{ questions: [database, database] }, '`questions` must be questions whose texts differ'],
      [{ questions: [{ ...database, question: '' }] }, '`questions.0.question` must be a text that is not empty'],
      [{}, '`questions` must be a list'],
    ] as const) {
      expect((await fail(askUserQuestion, input, context)).text).toContain(problem);
    }
  });

  it('shows the model the fields by their names on the wire', () => {
    expect(askUserQuestion.parameters).toMatchObject({
      required: ['questions'],
      properties: {
        questions: {
          minItems: 1,
          maxItems: 4,
          items: { properties: { header: { maxLength: 12 }, multiSelect: { type: 'boolean' } } },
        },
        answers: { type: 'object' },
      },
    });
    expect(askUserQuestion.effect).toBe('asks');
  });
});
