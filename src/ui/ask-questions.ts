import type { ReadStream, WriteStream } from 'node:tty';
import pc from 'picocolors';
import prompts from 'prompts';
import { printable } from './findings.ts';
import type { Answers, Question, QuestionOutcome, QuestionPort } from './question.ts';
import { discardTypedAhead, openTerminal } from './terminal-question.ts';

/** A terminal to ask on, and how to give it back. */
export interface AskingTerminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
  close(): void;
}

/** The choice that leads to a text of one's own. No label can be equal to it. */
const other = Symbol('other');

type Choice = string | typeof other;

/**
 * Asks with selection lists on the terminal: arrow keys and Enter, Space where several may be chosen. Esc and Ctrl+C
 * cancel all questions of the call. Without a terminal nobody is asked.
 *
 * @param open finds the terminal; null when there is none
 */
export function terminalQuestions(open: () => AskingTerminal | null = findTerminal): QuestionPort {
  return {
    ask: async (questions, signal) => {
      const terminal = open();
      if (terminal === null) {
        return { kind: 'nobody', reason: 'this session has no terminal' };
      }
      try {
        return await askAll(questions, terminal, signal);
      } finally {
        terminal.close();
      }
    },
  };
}

/** Standard input with standard error, since standard output may be read by a program; otherwise the controlling terminal. */
function findTerminal(): AskingTerminal | null {
  if (process.stdin.isTTY && process.stderr.isTTY) {
    return { input: process.stdin, output: process.stderr as unknown as WriteStream, close: () => undefined };
  }
  const terminal = openTerminal();
  if (terminal === null) {
    return null;
  }
  const { input, output } = terminal;
  return {
    input,
    output,
    close: () => {
      input.destroy();
      output.destroy();
    },
  };
}

async function askAll(
  questions: readonly Question[],
  terminal: AskingTerminal,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  const answers: Record<string, string> = {};
  // `prompts` has no other way in from outside than the keyboard.
  const pressEscape = () => void terminal.input.emit('keypress', undefined, { name: 'escape' });
  await discardTypedAhead(terminal.input);
  signal.addEventListener('abort', pressEscape);
  try {
    for (const question of questions) {
      const answer = signal.aborted ? null : await askOne(question, terminal);
      if (answer === null) {
        return { kind: 'cancelled' };
      }
      answers[question.question] = answer;
    }
    return { kind: 'answered', answers: answers satisfies Answers };
  } finally {
    signal.removeEventListener('abort', pressEscape);
  }
}

/** The answer as the result has it; null when the person cancelled. */
async function askOne(
  { question, header, options, multiSelect }: Question,
  terminal: AskingTerminal,
): Promise<string | null> {
  // The model wrote all of it: nothing in it may act on the terminal.
  const oneLine = (text: string) => printable(text.replaceAll('\n', ' '));
  const width = Math.max(...options.map(({ label }) => oneLine(label).length));
  const choices = [
    ...options.map(({ label, description }) => ({
      title: `${oneLine(label).padEnd(width)}  ${pc.dim(oneLine(description))}`,
      value: label as Choice,
    })),
    { title: `${'Other'.padEnd(width)}  ${pc.dim('an answer of your own')}`, value: other as Choice },
  ];
  const { input: stdin, output: stdout } = terminal;
  const message = `${pc.cyan(oneLine(header))} ${printable(question)}`;
  const asked = multiSelect
    ? prompts({
        type: 'multiselect',
        name: 'chosen',
        message,
        choices,
        min: 1,
        instructions: false,
        hint: 'Space selects, Enter confirms, Esc cancels',
        stdin,
        stdout,
      })
    : prompts({ type: 'select', name: 'chosen', message, choices, hint: 'Enter chooses, Esc cancels', stdin, stdout });
  const chosen: unknown = (await asked).chosen;
  if (chosen === undefined) {
    return null;
  }
  const labels: string[] = [];
  for (const one of [chosen].flat()) {
    const label = one === other ? await askText(terminal) : String(one);
    if (label === null) {
      return null;
    }
    labels.push(label);
  }
  return labels.join(', ');
}

async function askText({ input: stdin, output: stdout }: AskingTerminal): Promise<string | null> {
  const validate = (text: string) => text.trim() !== '' || 'Type an answer, or press Esc to cancel';
  const { text } = await prompts({ type: 'text', name: 'text', message: 'Your answer', validate, stdin, stdout });
  return typeof text === 'string' ? text.trim() : null;
}
