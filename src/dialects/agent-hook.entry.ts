import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { runCached } from '../code-cache.ts';

try {
  runCached(join(__dirname, 'agent-judge.cjs'), require);
} catch (error) {
  // Most agents take any other failure of a hook for a yes.
  writeSync(2, `oxide-guard: the guard could not be started, so the command is refused: ${String(error)}\n`);
  process.exit(2);
}
