import { beforeAll, describe, expect, it } from 'vitest';
import { commit, emptyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = emptyRepository();
  repository.write('src/a.ts', 'a\n');
  commit(repository, 'tools/checks/commit-msg', 'feat: checks');
  repository.git('config', 'core.hooksPath', 'tools/checks');
});

describe('tracked hooks, whatever their directory is called', () => {
  it.each([
    'git sparse-checkout set src',
    'git sparse-checkout init --cone',
    "git sparse-checkout set '/*' '!tools/checks'",
    "git sparse-checkout set --no-cone '/*' '!**/checks'",
    "git sparse-checkout set --no-cone '/*' '!tools/**'",
    "git sparse-checkout set --no-cone '/*' '!**/commit-msg'",
    "git sparse-checkout set --no-cone '/*' '!/**/*-*-*-*-*-*/../*c*o*m*m*i*t*'",
    'chmod -R a-x .',
    'chmod -R 644 tools',
    'chmod -R a-x tools/checks',
    'chmod -x tools/checks/commit-msg',
    'rm tools/checks/commit-msg',
    'rm -rf tools',
    'rm -rf ./t*',
    'mv tools/checks aside',
    'git rm -r tools',
    'git mv tools aside',
    'echo true > tools/checks/commit-msg',
    "sed -i '1a exit 0' tools/checks/commit-msg",
  ])('are not put out of work by %s', async (line) => {
    const { verdict, findings } = await repository.judge(line);
    expect([verdict, findings.map(({ rule }) => rule)]).toEqual(['deny', ['skip-checks']]);
  });

  it.each([
    'git sparse-checkout set tools',
    "git sparse-checkout set --no-cone '/*' '!**/check'",
    "git sparse-checkout set --no-cone '**/commit-msg' 'src/**'",
    'git sparse-checkout set src tools/checks/',
    'git sparse-checkout list',
    'chmod -R a-x src',
    'chmod -R u+w tools',
    'chmod -R 755 tools',
    'rm -rf src',
    'rm tools/other.txt',
    'cat tools/checks/commit-msg > copy.txt',
    'rmdir tools',
  ])('stay with %s', async (line) => {
    expect((await repository.judge(line)).verdict).toBe('allow');
  });
});

describe("the guard's configuration, by patterns of a sparse checkout", () => {
  const configured = emptyRepository();
  configured.write('src/a.ts', 'a\n');
  configured.write('oxide-guard.config.json', '{}\n');
  commit(configured, 'README.md', 'feat: begin');

  it.each(["'src/*'", "'[abc'", "'*.md'", "'/*' '!/*.json'", "'[!o]*'"])('is not left out by %s', async (patterns) => {
    const { verdict, findings } = await configured.judge(`git sparse-checkout set --no-cone ${patterns}`);
    expect([verdict, findings.map(({ rule }) => rule)]).toEqual(['deny', ['skip-checks']]);
  });

  it.each(["'/*'", "'*.json'", "'[a-p]*'", "'oxide-guard.config.????'", "'**'"])('stays with %s', async (patterns) => {
    expect((await configured.judge(`git sparse-checkout set --no-cone ${patterns}`)).verdict).toBe('allow');
  });
});

describe("an agent's settings that start the guard, in other commits", () => {
  const guarded = emptyRepository();
  const settings = (program: string, allowed: string) =>
    JSON.stringify({
      permissions: { allow: [allowed] },
      hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command: program }] }] },
    });
  guarded.write('.claude/settings.json', settings('true', 'Read'));
  commit(guarded, 'a.txt', 'feat: a');
  guarded.write('.claude/settings.json', settings('npx oxide-guard hook claude', 'Read'));
  commit(guarded, 'b.txt', 'feat: b');
  guarded.write('.claude/settings.json', settings('npx oxide-guard hook claude', 'Write'));
  commit(guarded, 'c.txt', 'feat: c');

  it.each([
    'git checkout HEAD~2 -- .claude',
    'git checkout HEAD~2 .',
    'git restore --source=HEAD~2 .claude/settings.json',
    'git revert --no-edit HEAD~1',
  ])('come back without it by %s', async (line) => {
    const { verdict, findings } = await guarded.judge(line);
    expect([verdict, findings.map(({ rule }) => rule)]).toEqual(['deny', ['skip-checks']]);
  });

  it.each(['git checkout HEAD~1 -- .', 'git checkout HEAD~2 -- a.txt', 'git revert --no-edit HEAD'])(
    'come back with it, or stay, by %s',
    async (line) => {
      expect((await guarded.judge(line)).verdict).toBe('allow');
    },
  );
});
