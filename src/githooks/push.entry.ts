import { startProgram } from './program.ts';

startProgram(process.argv[2] ?? 'push', `${__dirname}/push-judge.cjs`, require);
