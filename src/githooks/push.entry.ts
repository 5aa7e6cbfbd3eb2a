import { readSync } from 'node:fs';
import { failureLines } from './front.ts';
import { hookProcess } from './hook-process.ts';
import { prePush } from './pre-push.ts';
import { preReceive } from './pre-receive.ts';

const hook = hookProcess();

async function run([name = '', first = '', second = '', third = '']: readonly string[]): Promise<0 | 1> {
  try {
    switch (name) {
      case 'pre-push':
        return await prePush({ remote: first, url: second, lines: readInput() }, hook);
      case 'pre-receive':
        return await preReceive(readInput(), hook);
      case 'update':
        return await preReceive(`${second} ${third} ${first}\n`, hook);
      default:
        hook.say(`oxide-guard: '${name}' is none of pre-push, pre-receive, update.`);
        return 1;
    }
  } catch (error) {
    failureLines(name, error).forEach(hook.say);
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

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
