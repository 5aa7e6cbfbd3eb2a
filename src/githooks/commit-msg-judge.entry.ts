import { commitMsg } from './commit-msg.ts';
import { runHook } from './hook-process.ts';

const [, , file] = process.argv;
runHook('commit-msg', (hook) => {
  if (file === undefined) {
    throw new Error('git gave it no message file');
  }
  return commitMsg(file, hook);
});
