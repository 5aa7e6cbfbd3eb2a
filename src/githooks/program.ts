import { writeSync } from 'node:fs';
import { runCached } from '../code-cache.ts';
import { messageOf } from '../error-message.ts';

/**
 * Starts a hook's program. It is a file of its own beside the bundle that git starts, so that the code which V8 has
 * compiled for it can be kept.
 *
 * @param require the bundle’s own; first, because a bundler takes a call that ends with it for one of a module
 * @param path of the program
 * @param hook for messages
 */
export function startProgram(require: NodeJS.Require, path: string, hook: string): void {
  try {
    runCached(path, require);
  } catch (error) {
    const why = messageOf(error);
    writeSync(2, `oxide-guard: the ${hook} hook could not be started, so it refuses: ${why}\n`);
    writeSync(2, '  → npm install --save-dev oxide-guard\n');
    process.exit(1);
  }
}
