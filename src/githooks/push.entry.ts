import { readFileSync } from 'node:fs';
import { choosePaint } from '../ui/paint.ts';
import type { HookProcess } from './front.ts';
import { prePush } from './pre-push.ts';
import { preReceive } from './pre-receive.ts';

const hook: HookProcess = {
  cwd: process.cwd(),
  env: process.env,
  paint: choosePaint(process.stderr, process.env),
  say: (line) => process.stderr.write(`${line}\n`),
};

async function run([name, first = '', second = '', third = '']: readonly string[]): Promise<0 | 1> {
  switch (name) {
    case 'pre-push':
      return prePush({ remote: first, url: second, lines: readFileSync(0, 'utf8') }, hook);
    case 'pre-receive':
      return preReceive(readFileSync(0, 'utf8'), hook);
    case 'update':
      return preReceive(`${second} ${third} ${first}\n`, hook);
    default:
      hook.say(`oxide-guard: '${name ?? ''}' is none of pre-push, pre-receive, update.`);
      return 1;
  }
}

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
