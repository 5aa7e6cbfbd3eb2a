import { startProgram } from './program.ts';

const hook = process.argv.slice(2).find((word) => word !== '--prepared') ?? 'push';
startProgram(require, `${__dirname}/push-judge.cjs`, hook);
