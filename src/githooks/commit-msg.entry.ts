import { commitMsg } from './commit-msg.ts';
import { hookProcess } from './hook-process.ts';

void commitMsg(process.argv[2] ?? '', hookProcess()).then((exitCode) => {
  process.exitCode = exitCode;
});
