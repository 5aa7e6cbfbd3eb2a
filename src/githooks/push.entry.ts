import { readSync } from 'node:fs';
import type { HookProcess } from './front.ts';
import { runHook } from './hook-process.ts';
import { prePush } from './pre-push.ts';
import { preReceive } from './pre-receive.ts';

async function judge(
  [name = '', first = '', second = '', third = '']: readonly string[],
  hook: HookProcess,
): Promise<0 | 1> {
  switch (name) {
    case 'pre-push':
      return prePush({ remote: first, url: second, lines: readInput() }, hook);
    case 'pre-receive':
      return preReceive(readInput(), hook);
    case 'update':
      if (third === '') {
        throw new Error('git gave it no ref, old and new object');
      }
      return preReceive(`${second} ${third} ${first}\n`, hook);
    default:
      hook.say(`oxide-guard: '${name}' is none of pre-push, pre-receive, update.`);
      return 1;
  }
}

/** Standard input to its end. A descriptor that somebody set to non-blocking has nothing yet now and then: EAGAIN. */
function readInput(): string {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      const length = readSync(0, chunk);
      if (length === 0) {
        return Buffer.concat(chunks).toString('utf8');
      }
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EOF') {
        return Buffer.concat(chunks).toString('utf8'); // Windows' word for the end of a pipe.
      }
      if (code !== 'EAGAIN') {
        throw error;
      }
    }
  }
}

const words = process.argv.slice(2);
runHook(words[0] ?? '', (hook) => judge(words, hook));
