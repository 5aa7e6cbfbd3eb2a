import { commitMsg } from './commit-msg.ts';
import { runHook } from './hook-process.ts';

runHook('commit-msg', (hook) => commitMsg(process.argv[2] ?? '', hook));
