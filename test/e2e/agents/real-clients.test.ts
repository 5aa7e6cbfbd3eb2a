import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readAudit } from '../../../src/audit/log.ts';
import { commit, git, repositoryWithRemote } from '../../git/fixture.ts';
import { clients } from './clients.ts';
import type { DriveReport } from './drive.ts';
import type { Wish } from './tool-use.ts';

/**
 * A directory with one sub-directory for each client, in which its package was installed:
 * `npm install --ignore-scripts @openai/codex` in `codex`, and so on.
 */
const root = process.env.E2E_AGENT_CLIENTS ?? null;
const canIsolate = spawnSync('unshare', ['-n', 'true']).status === 0;

function reasonToSkip(agent: string): string | null {
  if (root === null) {
    return 'E2E_AGENT_CLIENTS names no directory of installed clients';
  }
  if (!canIsolate) {
    return 'no network namespace can be made here (unshare -n)';
  }
  const stage = { home: '/', work: '/', url: '' };
  const client = clients.find((candidate) => candidate.agent === agent);
  const isOld = Number.parseInt(process.versions.node, 10) < 22 && process.env.E2E_AGENT_NODE === undefined;
  if (client?.needsNewerNode === true && isOld) {
    return `${client.package} needs Node 22 or newer, and E2E_AGENT_NODE names none`;
  }
  return client?.command(join(root, agent), stage) == null ? `${client?.package} is not installed in ${root}` : null;
}

interface Request {
  readonly wishes: readonly Wish[];
  readonly tool: string | null;
}

/** Runs the driver with nothing but loopback: whatever the client wants to send elsewhere goes nowhere. */
function drive(agent: string, work: string, { wishes, tool }: Request): DriveReport {
  const home = mkdtempSync(join(tmpdir(), 'oxide-guard-client-home-'));
  const driver = join(dirname(fileURLToPath(import.meta.url)), 'drive.ts');
  const args = JSON.stringify([driver, agent, join(root ?? '', agent), home, work, wishes, tool]);
  const script = `const [driver, ...args] = ${args};
    require('jiti').createJiti(process.cwd() + '/').import(driver)
      .then(({ drive }) => drive(...args)).then((report) => console.log(JSON.stringify(report)));`;
  const inside = 'ip link set lo up && exec "$0" -e "$1"';
  const output = execFileSync('unshare', ['-n', 'sh', '-c', inside, process.execPath, script], { encoding: 'utf8' });
  return JSON.parse(output) as DriveReport;
}

/** A work tree in which one agent's hook alone is installed, and whose main has another history than the remote's. */
function divergedRepository(installedFor: string): { readonly work: string; readonly remoteMain: () => string } {
  const { work, remote } = repositoryWithRemote();
  commit(work, 'feat: published');
  git(work, 'push', '--quiet', 'origin', 'main');
  git(work, 'reset', '--quiet', '--hard', 'HEAD~1');
  commit(work, 'feat: another history');
  execFileSync(process.execPath, [resolve('bin/oxide-guard.js'), 'install', '--agent', installedFor], {
    cwd: work,
    stdio: 'ignore',
  });
  // git's own hook would stop the push, too.
  git(work, 'config', 'core.hooksPath', '/dev/null');
  return { work, remoteMain: () => git(remote, 'rev-parse', 'main') };
}

describe.each(clients)(
  'the real client of $agent',
  ({ agent, otherTools = [], readsClaudes = false, writes = true }) => {
    const reason = reasonToSkip(agent);
    if (reason !== null) {
      console.log(`skipped: the real client of ${agent}: ${reason}`);
    }

    it.skipIf(reason !== null).each([null, ...otherTools])(
      'is stopped before it force-pushes main (tool: %s)',
      { timeout: 300_000 },
      (tool) => {
        const { work, remoteMain } = divergedRepository(agent);
        const before = remoteMain();
        const { result, output } = drive(agent, realpathSync(work), { wishes: ['git push --force origin main'], tool });
        expect(result ?? output).toContain('protected-force-push');
        expect(remoteMain()).toBe(before);
        expect(readAudit(join(work, '.git'))).toMatchObject([{ front: 'agent', agent, verdict: 'deny' }]);
      },
    );

    if (readsClaudes) {
      it.skipIf(reason !== null)('is stopped by the hook in Claude’s settings, too', { timeout: 300_000 }, () => {
        const { work, remoteMain } = divergedRepository('claude');
        const before = remoteMain();
        const { result, output } = drive(agent, realpathSync(work), {
          wishes: ['git push --force origin main'],
          tool: null,
        });
        expect(result ?? output).toContain('protected-force-push');
        expect(remoteMain()).toBe(before);
        expect(readAudit(join(work, '.git'))).toMatchObject([{ front: 'agent', verdict: 'deny' }]);
      });
    }

    it.skipIf(reason !== null)('runs what nobody objects to', { timeout: 300_000 }, () => {
      const { work } = divergedRepository(agent);
      const { result, output } = drive(agent, realpathSync(work), { wishes: ['git log -1 >seen.txt'], tool: null });
      expect(existsSync(join(work, 'seen.txt')), result ?? output).toBe(true);
      expect(readAudit(join(work, '.git'))).toEqual([]);
    });

    if (writes) {
      it.skipIf(reason !== null)('writes files, but for what keeps the guard at work', { timeout: 300_000 }, () => {
        const { work } = divergedRepository(agent);
        const [configuration, notes] = ['oxide-guard.config.json', 'notes.txt'].map((name) =>
          join(realpathSync(work), name),
        );
        const { result, output } = drive(agent, realpathSync(work), {
          wishes: [
            { path: configuration ?? '', content: '{ "rules": { "protected-force-push": "off" } }' },
            { path: notes ?? '', content: 'nothing but notes' },
          ],
          tool: null,
        });
        expect(existsSync(configuration ?? ''), result ?? output).toBe(false);
        expect(existsSync(notes ?? ''), result ?? output).toBe(true);
        expect(readAudit(join(work, '.git'))).toMatchObject([{ front: 'agent', agent, verdict: 'deny' }]);
      });
    }

    it.skipIf(reason !== null)('loses nothing where a command before has left its shell', { timeout: 300_000 }, () => {
      const { work } = divergedRepository(agent);
      const place = join(work, 'packages/app');
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'app.txt'), 'published\n');
      git(work, 'add', '.');
      git(work, 'commit', '--quiet', '-m', 'feat: add the app');
      writeFileSync(join(place, 'app.txt'), 'not committed\n');
      const { result, output } = drive(agent, realpathSync(work), {
        wishes: ['cd packages/app && pwd >here.txt', 'git checkout -- app.txt'],
        tool: null,
      });
      expect(existsSync(join(place, 'here.txt')), result ?? output).toBe(true);
      expect(readFileSync(join(place, 'app.txt'), 'utf8')).toBe('not committed\n');
    });

    it.skipIf(reason !== null)('does not run what a person must confirm', { timeout: 300_000 }, () => {
      const { work, remoteMain } = divergedRepository(agent);
      const before = remoteMain();
      drive(agent, realpathSync(work), { wishes: ['git push --force-with-lease origin main'], tool: null });
      expect(remoteMain()).toBe(before);
      expect(readAudit(join(work, '.git'))).toMatchObject([{ front: 'agent', agent, verdict: 'ask' }]);
    });
  },
);
