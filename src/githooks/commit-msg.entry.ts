import { startProgram } from './program.ts';

startProgram(require, `${__dirname}/commit-msg-judge.cjs`, 'commit-msg');
