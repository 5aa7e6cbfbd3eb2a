import { readSync } from 'node:fs';
import { preparedAnswers } from '../git/push/prepared-answers.ts';
import type { HookExit, HookProcess } from './front.ts';
import { runHook } from './hook-process.ts';
import { prePush } from './pre-push.ts';
import { preReceive } from './pre-receive.ts';

async function judge(
  [name = '', first = '', second = '', third = '']: readonly string[],
  hook: HookProcess,
): Promise<HookExit> {
  switch (name) {
    case 'pre-push':
      return prePush({ remote: first, url: second, lines: readText(0) }, hook);
    case 'pre-receive':
      return preReceive(readText(0), hook, name);
    case 'update':
      if (third === '') {
        throw new Error('git gave it no ref, old and new object');
      }
      return preReceive(`${second} ${third} ${first}\n`, hook, name);
    default:
      hook.say(`oxide-guard: '${name}' is none of pre-push, pre-receive, update.`);
      return 1;
  }
}

/** The descriptor on which the hook's script (hooks/git-hook.sh) gives git's answers. */
const answers = 4;

/** The script has read the beginning of git's list, to ask git about it; the rest is on standard input. */
async function judgePrepared([, remote = '', url = '']: readonly string[], hook: HookProcess): Promise<HookExit> {
  const prepared = preparedAnswers(() => readWhole(answers));
  const updates = prepared.answer(['updates']);
  if (updates === null) {
    throw new Error("git's list of updates did not arrive");
  }
  const lines = `${updates.stdout.toString('utf8')}\n${readText(0)}`;
  return prePush({ remote, url, lines }, hook, prepared);
}

function readText(descriptor: number): string {
  return readWhole(descriptor).toString('utf8');
}

/** A descriptor to its end. One that somebody set to non-blocking has nothing yet now and then: EAGAIN. */
function readWhole(descriptor: number): Buffer {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      const length = readSync(descriptor, chunk);
      if (length === 0) {
        return Buffer.concat(chunks);
      }
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EOF') {
        return Buffer.concat(chunks); // Windows' word for the end of a pipe.
      }
      if (code !== 'EAGAIN') {
        throw error;
      }
    }
  }
}

const words = process.argv.slice(2);
const isPrepared = words[0] === '--prepared';
const call = isPrepared ? words.slice(1) : words;
runHook(call[0] ?? '', (hook) => (isPrepared ? judgePrepared(call, hook) : judge(call, hook)));
