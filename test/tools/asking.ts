/**
 * Run in a terminal by a test: asks the questions in the file named first and writes the result to the second. With a
 * third argument, the session is interrupted after so many milliseconds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { askUserQuestion } from '../../src/tools/ask-user-question.ts';
import { terminalQuestions } from '../../src/ui/ask-questions.ts';
import { contextIn } from './fixture.ts';

const [inputFile = '', resultFile = '', interruptAfter] = process.argv.slice(2);
const input: unknown = JSON.parse(readFileSync(inputFile, 'utf8'));
const signal = interruptAfter === undefined ? contextIn('/').signal : AbortSignal.timeout(Number(interruptAfter));
const result = await askUserQuestion.execute(input, { ...contextIn('/'), signal, questions: terminalQuestions() });
writeFileSync(resultFile, JSON.stringify(result));
