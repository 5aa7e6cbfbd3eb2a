import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';
import { describe, expect, it } from 'vitest';
import { write } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { bubblewrapProblem } from './bubblewrap.ts';

/** `nobody` of most systems; whether it has a name does not matter. */
const user = { uid: 65_534, gid: 65_534 };

function ownDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'oxide-guard-user-'));
  chownSync(path, user.uid, user.gid);
  return path;
}

/** Why another user can't run a sandbox here; null: it can. Asked without the code under test. */
function problem(): string | null {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) {
    return 'only root can become another user';
  }
  if (bubblewrapProblem !== null) {
    return bubblewrapProblem;
  }
  const command = ['--bind', '/', '/', '--unshare-all', process.execPath, '-e', 'fs.writeFileSync("file", "")'];
  const { status, error, stderr } = spawnSync('bwrap', command, { ...user, cwd: ownDirectory(), encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr);
}

interface Run {
  readonly line: string;
  readonly sandboxed: boolean;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program in one file that this user can read: a checkout may lie where only its owner can. */
async function builtProgram(): Promise<string> {
  const outDir = ownDirectory();
  const entry = { program: fileURLToPath(new URL('./sandboxed-commands.ts', import.meta.url)) };
  await build({ entry, outDir, format: 'esm', platform: 'node', dts: false, logLevel: 'error', config: false });
  return join(outDir, 'program.mjs');
}

const reason = problem();

describe.skipIf(skipUnless(reason === null, `a sandbox of another user: ${reason}`))(
  'the sandbox of a user who is not root',
  () => {
    it('holds what that of root holds, and git works in it', async () => {
      const [home, root, temporary] = [ownDirectory(), ownDirectory(), ownDirectory()];
      write(home, '.ssh/id_ed25519', 'secret\n');
      chownSync(join(home, '.ssh'), user.uid, user.gid);
      chownSync(join(home, '.ssh/id_ed25519'), user.uid, user.gid);
      const env = { ...process.env, HOME: home, TMPDIR: temporary, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') };
      const options = { ...user, env, cwd: root, encoding: 'utf8' } as const;
      expect(spawnSync('git', ['init', '--quiet'], options)).toMatchObject({ status: 0 });

      const works = ['touch file', 'git add -A && git commit -qm "feat: a" && git switch -qc topic && git status -s'];
      const fails = [
        `echo out > '${home}/out'`,
        `echo out > '${home}/.ssh/authorized_keys'`,
        'echo evil >> .git/config',
        'touch .git/hooks/pre-commit',
        'mv .git moved',
        'f=/proc/sys/kernel/core_pattern; value=$(cat $f) && echo "$value" > $f',
        'f=/proc/sys/vm/swappiness; value=$(cat $f) && echo "$value" > $f',
        'unshare -Urm sh -c "umount .git/hooks && touch .git/hooks/x"',
        'unshare -Urm sh -c "mount -o remount,rw,bind .git/hooks && touch .git/hooks/x"',
        `unshare -Urm sh -c "mkdir /tmp/x && mount --bind / /tmp/x && grep secret '/tmp/x${home}/.ssh/id_ed25519'"`,
        `grep secret '${home}/.ssh/id_ed25519'`,
        'grep -v lo: /proc/net/dev | grep :',
        `kill -0 ${process.pid}`,
      ];
      const tells = [
        'id -u; grep CapEff /proc/self/status; ls -d /proc/[0-9]* | wc -l',
        'mkdir -p /tmp/module/closed && touch /tmp/module/closed/file && chmod 0 /tmp/module/closed /tmp/module',
      ];
      const argv = [await builtProgram(), root, ...works, ...fails, ...tells];
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, options);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const { runs, uid, left } = JSON.parse(stdout) as { runs: readonly Run[]; uid: number; left: readonly string[] };

      expect(uid).toBe(user.uid);
      expect(runs.filter(({ sandboxed }) => !sandboxed)).toEqual([]);
      for (const run of runs.slice(0, works.length)) {
        expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' });
      }
      for (const run of runs.slice(works.length, -tells.length)) {
        expect(run).not.toMatchObject({ status: 0 });
      }
      expect(runs.at(-2)?.stdout).toMatch(/^65534\nCapEff:\t0+\n\d\n$/);
      expect(statSync(join(root, 'file')).uid).toBe(user.uid);
      expect(existsSync(join(home, 'out'))).toBe(false);
      expect(readFileSync(join(root, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/topic\n');
      // The session's /tmp went with its end, what a command had closed in it, too.
      expect(left).toEqual([]);
    });
  },
);
