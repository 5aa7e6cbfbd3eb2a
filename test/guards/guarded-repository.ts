import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import type { Policy } from '../../src/config/policy.ts';
import { conventionOf } from '../../src/guards/convention.ts';
import { type Judgement, judgeCommandLine } from '../../src/guards/evaluate.ts';

/** A repository that a command line is judged in. */
export interface GuardedRepository {
  readonly path: string;
  git(...args: readonly string[]): string;
  write(path: string, text: string): void;
  judge(command: string, cwd?: string, rules?: Partial<Policy['rules']>): Promise<Judgement>;
}

/** A repository without commits, and nothing around it. */
export function emptyRepository(): GuardedRepository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-judge-')));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  return guardedAt(path);
}

/** A repository that is there. */
export function guardedAt(path: string): GuardedRepository {
  return {
    path,
    git: (...args) => execFileSync('git', args, { cwd: path, encoding: 'utf8' }),
    write(name, text) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    judge: (command, cwd = path, rules = {}) =>
      judgeCommandLine(command, {
        cwd,
        env: process.env,
        convention: async () =>
          conventionOf({ ...defaultConfiguration, rules: { ...defaultConfiguration.rules, ...rules } }),
      }),
  };
}

/**
 * Everything that can be at stake: `main` is published; `topic`, checked out, has a published commit and one of its
 * own; a.txt has changes, b.txt none, untracked.txt is untracked, dist/ is ignored.
 */
export function busyRepository(): GuardedRepository {
  const repository = emptyRepository();
  const { git, write, path } = repository;
  git('init', '--quiet', '--bare', `${path}-remote.git`);
  git('remote', 'add', 'origin', `${path}-remote.git`);
  write('.gitignore', 'dist/\n');
  commit(repository, 'a.txt', 'feat: a');
  git('push', '--quiet', '-u', 'origin', 'main');
  git('remote', 'set-head', 'origin', 'main');
  git('switch', '--quiet', '-c', 'topic');
  commit(repository, 'b.txt', 'feat: b');
  git('push', '--quiet', '-u', 'origin', 'topic');
  commit(repository, 'c.txt', 'feat: c');
  write('a.txt', 'changed\n');
  write('untracked.txt', 'new\n');
  write('dist/out.js', 'built\n');
  return repository;
}

/** Adds a commit that writes one file. */
export function commit({ git, write }: GuardedRepository, file: string, message: string): void {
  write(file, `${message}\n`);
  git('add', '--all');
  git('commit', '--quiet', '-m', message);
}
