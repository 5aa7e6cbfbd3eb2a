import { expect, it } from 'vitest';
import { guardedRepository, runOxideGuard } from '../e2e/guarded-repository.ts';
import { withoutTerminal } from '../e2e/terminal.ts';
import { commit } from '../git/fixture.ts';

it.each([
  ['checkpoint', 'checkpoint [list | create | show ID | prune]'],
  ['config', 'config [init | print | schema]'],
  ['completions', 'completions bash | zsh | fish'],
  ['projects', 'projects [list | get ID | create NAME | delete ID | restore ID]'],
  ['sessions', 'sessions [list | get ID | events ID | end ID | cleanup]'],
])('%s --help names what can be done', (command, usage) => {
  expect(runOxideGuard([command, '--help'], {}).stdout).toContain(`$ oxide-guard ${usage}\n`);
});

it('approve says which push it allows, in the words that git uses', () => {
  const { work, remote } = guardedRepository();
  commit(work, 'feat: more');
  const { stderr } = withoutTerminal(work, 'git', 'push', 'origin', 'main', 'main:refs/heads/other');
  const [, id = ''] = /oxide-guard approve (\S+?),/.exec(stderr) ?? [];
  const listed = runOxideGuard(['approve'], { cwd: work }).stdout;
  expect(listed).toMatch(
    new RegExp(`^${id}  push to origin ${remote} · main: [0-9a-f]{7} → [0-9a-f]{7} · other: new → [0-9a-f]{7}$`, 'm'),
  );
  const { stdout } = runOxideGuard(['approve', id], { cwd: work });
  expect(stdout).toMatch(/^ {2}push to origin .*\n {2}main: [0-9a-f]{7} → [0-9a-f]{7}\n {2}other: new → [0-9a-f]{7}$/m);
});
