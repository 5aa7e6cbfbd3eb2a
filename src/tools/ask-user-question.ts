import { z } from 'zod';
import type { Answers, Question } from '../ui/question.ts';
import { defineTool } from './tool.ts';
import { failure, success, type ToolResult } from './tool-result.ts';

const option = z.strictObject({
  label: z.string().min(1).describe('What the person chooses, a few words'),
  description: z.string().describe('What choosing it means'),
});

const question = z.strictObject({
  question: z.string().min(1).describe('The whole question, ending with a question mark'),
  header: z.string().min(1).max(12).describe('A label of at most 12 characters'),
  options: z
    .array(option)
    .min(2)
    .max(4)
    .refine((options) => isUnique(options.map(({ label }) => label)), 'options whose labels differ')
    .describe('2–4 choices; "Other" is added'),
  multiSelect: z.boolean().default(false).describe('Whether several may be chosen'),
});

const schema = z.strictObject({
  questions: z
    .array(z.preprocess(namedAsOnTheWire, question))
    .min(1)
    .max(4)
    .refine((questions) => isUnique(questions.map(({ question: text }) => text)), 'questions whose texts differ')
    .describe('1–4 questions'),
  answers: z
    .preprocess(withoutEmpty, z.record(z.string(), z.preprocess(joined, z.string())).optional())
    .optional()
    .describe('Answers that are known already, by question text; several choices joined by ", "'),
});

export const askUserQuestion = defineTool({
  name: 'AskUserQuestion',
  description:
    'Asks the person to choose, when a decision is theirs: 1–4 questions with 2–4 described options each. "Other", a ' +
    'text of their own, is always offered. The result says when nobody answered.',
  effect: 'asks',
  schema,
  example: {
    questions: [
      {
        question: 'Which database should be used?',
        header: 'Database',
        options: [
          { label: 'SQLite', description: 'One file, no server' },
          { label: 'PostgreSQL', description: 'A server, many writers' },
        ],
        multiSelect: false,
      },
    ],
  },
  run: async ({ questions, answers: known = {} }, context) => {
    const open = questions.filter(({ question: text }) => (known[text] ?? '') === '');
    if (open.length === 0) {
      return answered(questions, known);
    }
    const outcome = await context.questions.ask(open, context.signal);
    context.signal.throwIfAborted();
    switch (outcome.kind) {
      case 'answered':
        return answered(questions, { ...known, ...outcome.answers });
      case 'cancelled':
        return failure('cancelled', 'The person closed the question without answering.', {
          remedy: 'Go on without the answer where that is safe, or ask in another way. Do not assume one.',
          data: { cancelled: true },
        });
      case 'nobody':
        return failure('nobody-to-ask', `Nobody can be asked: ${outcome.reason}.`, {
          remedy: 'Go on where no decision is needed, and say in the end what has to be decided.',
        });
    }
  },
});

function answered(questions: readonly Question[], answers: Answers): ToolResult {
  const lines = questions.map(({ question: text }) => `${text} → ${answers[text] ?? ''}`);
  return success(['The person answered:', ...lines].join('\n'), { questions, answers });
}

function isUnique(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

/** Some models write `multi_select`. */
function namedAsOnTheWire(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('multi_select' in input)) {
    return input;
  }
  const { multi_select: multiSelect, ...rest } = input;
  return { multiSelect, ...rest };
}

/** An empty object says as much as none. */
function withoutEmpty(input: unknown): unknown {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0 ? undefined : input;
}

function joined(input: unknown): unknown {
  return Array.isArray(input) && input.every((one) => typeof one === 'string') ? input.join(', ') : input;
}
