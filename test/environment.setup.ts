import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Every test sees a git without the machine's own configuration and outside of any hook that started the runner:
 * what passes here passes on a fresh machine. What a file's tests leave in the temporary directory goes with the file.
 */
for (const name of Object.keys(process.env)) {
  if (/^(GIT_|OXIDE_GUARD_|HUSKY|LEFTHOOK|SKIP$|XDG_|NODE_EXTRA_CA_CERTS|FORCE_COLOR|NO_COLOR)/.test(name)) {
    delete process.env[name];
  }
}
const temporary = mkdtempSync(join(tmpdir(), process.env.TESTS_TEMPORARY ?? 'guard-'));
// As open as the directory that it stands for: some tests run as another user.
chmodSync(temporary, 0o1777);
const home = join(temporary, 'home');
mkdirSync(home);
Object.assign(process.env, {
  HOME: home,
  TMPDIR: temporary,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
  GIT_AUTHOR_NAME: 'Ada Author',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Carl Committer',
  GIT_COMMITTER_EMAIL: 'carl@example.com',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C.UTF-8',
});

afterAll(() => {
  try {
    rmSync(temporary, { recursive: true, force: true });
  } catch {
    // A process that a test left to itself has just written there: it goes at the end of the run.
  }
});
