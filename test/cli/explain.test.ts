import { beforeEach, expect, it } from 'vitest';
import { runOxideGuard } from '../e2e/guarded-repository.ts';
import { git, repositoryWithRemote, write } from '../git/fixture.ts';

let work: string;
beforeEach(() => {
  work = repositoryWithRemote().work;
});

const explain = (...words: string[]) => runOxideGuard(['explain', ...words], { cwd: work });

it('tells the facts by which nothing is objected to, and the rules that looked', () => {
  const { stdout, status } = explain('git reset --hard && git push origin HEAD:topic');
  expect(status).toBe(0);
  expect(stdout).toContain('No uncommitted work would be lost. [discard-changes]');
  expect(stdout).toContain('No commit would be lost. [lose-commits]');
  expect(stdout).toContain('No protected branch of the remote would change. [protected-push]');
});

it('tells no such fact beside the objection to it', () => {
  write(work, 'kept.txt', 'new\n');
  git(work, 'add', 'kept.txt');
  const { stdout, status } = explain('git reset --hard');
  expect(status).toBe(3);
  expect(stdout).toContain('No commit would be lost. [lose-commits]');
  expect(stdout).not.toContain('No uncommitted work would be lost');
});

it('tells what git itself would refuse', () => {
  write(work, 'kept.txt', 'new\n');
  git(work, 'add', 'kept.txt');
  const { stdout, status } = explain('git reset --hard no-such-commit');
  expect(status).toBe(0);
  expect(stdout).toContain('git itself would refuse it');
});

it('tells what is configured, and what the default is', () => {
  write(work, 'oxide-guard.config.json', '{ "rules": { "protected-push": "deny", "force-push": "off" } }');
  const { stdout, status } = explain('git push origin main; git push -f origin topic');
  expect(status).toBe(1);
  expect(stdout).toContain('{ "rules": { "protected-push": "deny" } }   as configured; the default is ask; or off');
  expect(stdout).toContain('The rule force-push is off.');
});

it('has the steps in its JSON document, and what check has', () => {
  const document: unknown = JSON.parse(explain('--json', 'cd . && git push origin main').stdout);
  const check: unknown = JSON.parse(
    runOxideGuard(['check', '--json', 'cd . && git push origin main'], { cwd: work }).stdout,
  );
  const steps = [
    {
      command: 'git push origin main',
      cwd: work,
      through: [],
      notes: expect.any(Array),
      findings: [expect.any(Object)],
    },
  ];
  expect(document).toEqual({ ...(check as object), steps });
});
