/** Run in a terminal by a test: asks the questions in the file named first and writes the result to the second. */
import { readFileSync, writeFileSync } from 'node:fs';
import { askUserQuestion } from '../../src/tools/ask-user-question.ts';
import { terminalQuestions } from '../../src/ui/ask-questions.ts';
import { contextIn } from './fixture.ts';

const [inputFile = '', resultFile = ''] = process.argv.slice(2);
const input: unknown = JSON.parse(readFileSync(inputFile, 'utf8'));
const result = await askUserQuestion.execute(input, { ...contextIn('/'), questions: terminalQuestions() });
writeFileSync(resultFile, JSON.stringify(result));
