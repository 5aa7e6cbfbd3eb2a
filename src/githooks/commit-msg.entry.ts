import { choosePaint } from '../ui/paint.ts';
import { commitMsg } from './commit-msg.ts';

void commitMsg(process.argv[2] ?? '', {
  cwd: process.cwd(),
  env: process.env,
  paint: choosePaint(process.stderr, process.env),
  say: (line) => process.stderr.write(`${line}\n`),
}).then((exitCode) => {
  process.exitCode = exitCode;
});
