import { spawnSync } from 'node:child_process';
import { skipUnless } from '../skip.ts';

/** Asked without the code under test: were that broken, the tests must fail, not be skipped. */
const program = 'bwrap';
const attempt = spawnSync(program, ['--ro-bind', '/', '/', '--unshare-all', 'true'], { encoding: 'utf8' });

/** Why bubblewrap does not work where these tests run; null: it does. */
export const bubblewrapProblem: string | null =
  attempt.status === 0 ? null : (attempt.error?.message ?? attempt.stderr) || 'unknown';

/** For `skipIf`. */
export const withoutBubblewrap = skipUnless(
  bubblewrapProblem === null,
  `what runs under bubblewrap: ${bubblewrapProblem}`,
);
