import { startProgram } from './program.ts';

startProgram('commit-msg', `${__dirname}/commit-msg-judge.cjs`, require);
