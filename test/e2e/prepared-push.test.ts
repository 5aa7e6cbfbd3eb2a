import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endOfAnswer } from '../../src/git/push/prepared-answers.ts';
import { commit, git, temporaryDirectory, write } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { guardedRepository } from './guarded-repository.ts';

/** A git that notes who started it with which command. */
function notingGit(): { readonly env: NodeJS.ProcessEnv; readonly started: () => readonly string[] } {
  const directory = temporaryDirectory();
  const notes = join(directory, 'notes');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
parent=$(tr '\\0' ' ' < /proc/$PPID/cmdline)
case $parent in *node*) by=node ;; *) by=script ;; esac
for word in "$@"; do case $word in -c | *=*) ;; *) break ;; esac; done
echo "$by $word" >> '${notes}'
exec '${real}' "$@"
`;
  writeFileSync(join(directory, 'git'), script);
  chmodSync(join(directory, 'git'), 0o755);
  writeFileSync(notes, '');
  return {
    env: { ...process.env, PATH: `${directory}${delimiter}${process.env.PATH}` },
    started: () => readFileSync(notes, 'utf8').split('\n').filter(Boolean),
  };
}

describe.skipIf(skipUnless(process.platform === 'linux', 'git asked before the hook: Linux only'))(
  'the installed pre-push hook',
  () => {
    const runHook = (work: string, lines: string) => {
      const { env, started } = notingGit();
      const url = git(work, 'remote', 'get-url', 'origin');
      const run = spawnSync(join(work, '.git/hooks/pre-push'), ['origin', url], {
        cwd: work,
        env,
        input: lines,
        encoding: 'utf8',
      });
      return { ...run, started: started() };
    };
    const line = (work: string, remoteOid: string) =>
      `refs/heads/topic ${git(work, 'rev-parse', 'topic')} refs/heads/topic ${remoteOid}\n`;

    it.each([
      ['updates a branch', false],
      ['makes a new one', true],
    ])('starts no git of its own but for the configuration when a push %s', (_, isNew) => {
      const { work } = guardedRepository();
      git(work, 'switch', '--quiet', '--create', 'topic');
      const before = isNew ? '0'.repeat(40) : git(work, 'rev-parse', 'topic');
      commit(work, 'feat: one');
      const { status, stderr, started } = runHook(work, line(work, before));
      expect([status, stderr]).toEqual([0, '']);
      expect(started.filter((entry) => entry.startsWith('node') && entry !== 'node config')).toEqual([]);
      expect(started).toContain('script status');
    });

    it('judges every line of a longer list', () => {
      const { work } = guardedRepository();
      const before = git(work, 'rev-parse', 'main');
      commit(work, 'feat: one');
      const oid = git(work, 'rev-parse', 'main');
      const lines = ['a', 'b', 'c', 'd', 'main'].map((name) => `refs/heads/main ${oid} refs/heads/${name} ${before}\n`);
      const { status, stderr } = runHook(work, lines.join(''));
      expect(status).toBe(3);
      expect(stderr).toContain('updates main on origin');
    });

    it('takes a local name with spaces and newlines for what it is', () => {
      const { work } = guardedRepository();
      const before = git(work, 'rev-parse', 'main');
      commit(work, 'feat: one');
      const oid = git(work, 'rev-parse', 'main');
      for (const name of ['HEAD^{/a b}', `HEAD^{/a\nb ${before} refs/heads/x ${before}\nc}`]) {
        const { status, stderr } = runHook(work, `${name} ${oid} refs/heads/main ${before}\n`);
        expect(status).toBe(3);
        expect(stderr).toContain('updates main on origin');
      }
    });

    it('is not misled by a commit that is written like an answer', () => {
      const { work } = guardedRepository();
      git(work, 'switch', '--quiet', '--create', 'topic');
      const before = git(work, 'rev-parse', 'topic');
      write(work, 'untracked', '');
      const status = 'status --porcelain=v2 -z --no-renames --untracked-files=all --ignore-submodules=dirty';
      commit(work, `feat: one\n\n${status}\n${endOfAnswer.replaceAll('\0', '')}0\n`);
      expect(runHook(work, line(work, before)).stderr).toContain('untracked');
    });

    it('shows what git status shows, and asks again where git could not answer', () => {
      const { work } = guardedRepository();
      git(work, 'switch', '--quiet', '--create', 'topic');
      write(work, 'später\n', '');
      commit(work, 'feat: one');
      const known = runHook(work, line(work, git(work, 'rev-parse', 'main')));
      expect(known.stderr).toContain('1 untracked file');
      const unknown = runHook(work, line(work, 'e'.repeat(40)));
      expect(unknown.stderr).toContain('commits that are not in this repository');
    });
  },
);
