import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lchownSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeScratch, removeAbandoned, removeScratch } from '../../src/agent/sandbox/scratch.ts';
import { temporaryDirectory, write } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { withoutBubblewrap } from './bubblewrap.ts';

/** A directory for temporary files, where nobody else works. */
function temporary(): string {
  const directory = temporaryDirectory();
  vi.stubEnv('TMPDIR', directory);
  return directory;
}
afterEach(() => {
  vi.unstubAllEnvs();
});

const own = makeScratch();
const ownName = basename(dirname(own.tmp));
removeScratch(own);
let serial = 100_000;

/** What a process leaves that was killed: this one's number is another's now, by the time at which that started. */
function abandonedIn(directory: string): string {
  serial += 1;
  const path = join(directory, ownName.replace(/-\d*-\w{6}$/, `-1-${serial}`));
  write(path, 'tmp/deep/file', 'left\n');
  chmodSync(path, 0o700);
  return path;
}

const isLinux = process.platform === 'linux';

describe.skipIf(skipUnless(isLinux, 'when a process started is told by /proc, which is Linux only'))(
  'the /tmp of a killed session',
  () => {
    it.skipIf(withoutBubblewrap)('is removed at the next start', async () => {
      const directory = temporary();
      const [jiti, program] = ['../../node_modules/jiti/lib/jiti-cli.mjs', './background/session-to-kill.ts'];
      const argv = [jiti, program].map((path) => fileURLToPath(new URL(path, import.meta.url)));
      const child = spawn(process.execPath, [...argv, temporaryDirectory(), 'sandboxed'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await removeAbandoned(directory);
      const scratch = () => readdirSync(directory).filter((name) => name.startsWith('oxide-guard-sandbox-'));
      expect(scratch()).toHaveLength(1);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const own = basename(dirname(makeScratch().tmp));
      await vi.waitFor(() => expect(scratch()).toEqual([own]));
    });

    it('stays while its process runs, or where that can’t be seen', async () => {
      const directory = temporary();
      const { tmp } = makeScratch();
      const path = abandonedIn(directory);
      const elsewhere = path.replace(/(?<=sandbox-)\w{8}/, '00000000');
      renameSync(path, elsewhere);
      await removeAbandoned(directory);
      expect([tmp, elsewhere].map((path) => existsSync(path))).toEqual([true, true]);
    });

    it('is removed with links in it, and not what they lead to', async () => {
      const kept = temporaryDirectory();
      write(kept, 'file', 'kept\n');
      const directory = temporaryDirectory();
      symlinkSync(kept, join(abandonedIn(directory), 'tmp/link'));
      await removeAbandoned(directory);
      expect(readdirSync(directory)).toEqual([]);
      expect(existsSync(join(kept, 'file'))).toBe(true);
    });

    it('is not taken for a link of its name, nor for what others can write', async () => {
      const directory = temporaryDirectory();
      const kept = temporaryDirectory();
      const file = write(kept, 'file', 'kept\n');
      const link = abandonedIn(directory);
      renameSync(link, join(kept, 'moved'));
      symlinkSync(kept, link);
      const open = abandonedIn(directory);
      chmodSync(open, 0o777);
      await removeAbandoned(directory);
      expect([file, link, open].map((path) => existsSync(path))).toEqual([true, true, true]);
    });

    it.skipIf(skipUnless(process.geteuid?.() === 0, 'only root can give a directory to another user'))(
      'stays when it is another user’s',
      async () => {
        const directory = temporaryDirectory();
        const path = abandonedIn(directory);
        lchownSync(path, 1234, 1234);
        await removeAbandoned(directory);
        expect(existsSync(path)).toBe(true);
      },
    );

    it('stays where anybody could put something else in its place', async () => {
      const directory = temporaryDirectory();
      const path = abandonedIn(directory);
      chmodSync(directory, 0o777);
      await removeAbandoned(directory);
      expect(existsSync(path)).toBe(true);
      chmodSync(directory, 0o1777);
      await removeAbandoned(directory);
      expect(existsSync(path)).toBe(false);
    });
  },
);

it('a session that ends takes its /tmp along, also what a command has closed', () => {
  const directory = temporary();
  const scratch = makeScratch();
  chmodSync(dirname(write(scratch.tmp, 'module/closed/file', '')), 0o500);
  chmodSync(join(scratch.tmp, 'module'), 0);
  removeScratch(scratch);
  expect(readdirSync(directory)).toEqual([]);
});
