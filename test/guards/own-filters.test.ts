import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { commit, emptyRepository } from './guarded-repository.ts';

/** A repository whose own configuration names a filter that leaves a trace. */
function repositoryWithFilter() {
  const repository = emptyRepository();
  const { git, write, path } = repository;
  write('.gitattributes', '* filter=trap\n');
  write('oxide-guard.config.json', '{ "protectedBranches": ["release/*"] }\n');
  commit(repository, 'shared.txt', 'feat: begin');
  const trace = `${path}-has-run`;
  const arm = () => git('config', 'filter.trap.clean', `touch '${trace}'; cat`);
  return { ...repository, arm, hasRun: () => existsSync(trace) };
}

it('a conflict that was resolved by hand is found without starting a filter of the repository’s own', async () => {
  const repository = repositoryWithFilter();
  const { git, write, judge, arm, hasRun } = repository;
  git('switch', '--quiet', '-c', 'other');
  commit(repository, 'shared.txt', 'feat: one');
  git('switch', '--quiet', 'main');
  commit(repository, 'shared.txt', 'feat: two');
  expect(() => git('merge', '--quiet', 'other')).toThrow();
  write('shared.txt', 'resolved by hand\n');
  arm();
  expect((await judge('git checkout HEAD -- shared.txt')).findings.map(({ rule }) => rule)).toContain(
    'discard-changes',
  );
  expect(hasRun()).toBe(false);
});

it('files that come from another commit are compared without it, too', async () => {
  const repository = repositoryWithFilter();
  const { git, write, judge, arm, hasRun } = repository;
  git('switch', '--quiet', '-c', 'other');
  write('oxide-guard.config.json', '{}\n');
  commit(repository, 'more.txt', 'feat: other rules');
  git('switch', '--quiet', 'main');
  write('oxide-guard.config.json', '{ "protectedBranches": ["release/*"] }\n');
  arm();
  const { findings } = await judge('git restore --source=other oxide-guard.config.json');
  expect(findings.map(({ rule }) => rule)).toContain('skip-checks');
  expect(hasRun()).toBe(false);
});

it('commits that a line asks git for are found without starting a textconv program of the repository’s own', async () => {
  const repository = repositoryWithFilter();
  const { git, write, path, judge, hasRun } = repository;
  git('switch', '--quiet', '-c', 'other');
  write('.gitattributes', '* diff=trap\n');
  commit(repository, 'shared.txt', 'feat: one');
  git('config', 'diff.trap.textconv', `touch '${path}-has-run'; cat`);
  git('log', '-1', '-Sone', '--format=%H');
  expect(hasRun(), 'git itself starts it').toBe(true);
  rmSync(`${path}-has-run`);
  for (const options of ['-Sone', '-Gone', '--pickaxe-all -Sone', '-L1,1:shared.txt', '--textc -Sone']) {
    await judge(`git reset --hard "$(git log -1 ${options} --format=%H)"`);
    expect(hasRun(), options).toBe(false);
  }
});

it('what a condition asks of commits is answered without a program of the repository’s own', async () => {
  const repository = repositoryWithFilter();
  const { git, write, path, judge, hasRun } = repository;
  write('.gitattributes', '* diff=trap\n');
  commit(repository, 'shared.txt', 'feat: one');
  git('config', 'diff.trap.textconv', `touch '${path}-has-run'; cat`);
  git('config', 'diff.trap.command', `touch '${path}-has-run'`);
  git('config', 'diff.external', `touch '${path}-has-run'`);
  git('diff', 'HEAD~1', 'HEAD');
  expect(hasRun(), 'git itself starts it').toBe(true);
  rmSync(`${path}-has-run`);
  for (const line of [
    'git diff --quiet HEAD~1 HEAD && git reset --hard',
    'git checkout $(git diff --name-only HEAD~1 HEAD)',
    'git checkout HEAD -- $(git show --name-only --format= HEAD)',
    '[ -z "$(git log HEAD~1..HEAD)" ] && git reset --hard',
    '[ -z "$(git cherry HEAD~1)" ] && git reset --hard',
  ]) {
    await judge(line);
    expect(hasRun(), line).toBe(false);
  }
});

it('files that a line lists are found without a filter or a program that verifies signatures', async () => {
  const repository = repositoryWithFilter();
  const { git, write, path, judge, arm, hasRun } = repository;
  write('shared.txt', 'changed\n');
  arm();
  await judge('git checkout $(git diff --name-only HEAD -- shared.txt)');
  expect(hasRun(), 'git diff').toBe(false);
  const signed = git('cat-file', 'commit', 'HEAD').replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n\n');
  const commit = execFileSync('git', ['-C', path, 'hash-object', '-t', 'commit', '-w', '--stdin'], { input: signed });
  git('config', 'gpg.program', `${path}/verify`);
  write('verify', `#!/bin/sh\ntouch '${path}-has-run'\n`);
  chmodSync(join(path, 'verify'), 0o755);
  const asked = ['log', '-1', '--name-only', '--format=%G?', commit.toString().trim()];
  git(...asked);
  expect(hasRun(), 'git itself starts it').toBe(true);
  rmSync(`${path}-has-run`);
  await judge(`git checkout $(git ${asked.join(' ')})`);
  expect(hasRun(), 'git log').toBe(false);
});

it('no file is written for the commits that a line asks git for', async () => {
  const repository = repositoryWithFilter();
  for (const option of ['--output=has-been-written', '--outp=has-been-written']) {
    await repository.judge(`git reset --hard "$(git log -1 ${option} --format=%H)"`);
    expect(existsSync(join(repository.path, 'has-been-written'))).toBe(false);
  }
});

/** Where attributes may be: gitattributes(5). @param path the repository's */
const attributes: Readonly<Record<string, (path: string) => string>> = {
  'the work tree': (path) => join(path, '.gitattributes'),
  'a directory of it': (path) => join(path, 'docs', '.gitattributes'),
  'the repository': (path) => join(path, '.git', 'info', 'attributes'),
  'a file that is configured': (path) => `${path}-attributes`,
};

it.each(Object.entries(attributes))(
  'a filter counts in a condition where attributes of %s name it',
  async (_, placeIn) => {
    const repository = emptyRepository();
    const { git, write, path, judge } = repository;
    const line = 'git diff --quiet || exit 1; git clean -fd';
    commit(repository, 'docs/guide.txt', 'feat: begin');
    git('config', 'filter.trim.clean', "sed '/changed/d'");
    git('config', 'core.attributesFile', `${path}-attributes`);
    write('docs/guide.txt', 'feat: begin\nchanged\n');
    write('notes.txt', 'only here\n');
    expect((await judge(line)).verdict, 'nothing names it').toBe('allow');
    mkdirSync(dirname(placeIn(path)), { recursive: true });
    writeFileSync(placeIn(path), '*.txt filter=trim\n');
    expect((await judge(line)).verdict).toBe('ask');
  },
);
