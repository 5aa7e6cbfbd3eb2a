import { startProgram } from './program.ts';

startProgram(require, `${__dirname}/push-judge.cjs`, process.argv[2] ?? 'push');
