import { beforeAll, describe, expect, it } from 'vitest';
import { emptyRepository, type GuardedRepository } from './guarded-repository.ts';

const manifest = (force: string, name = 'shop') =>
  `${JSON.stringify({ name, 'oxide-guard': { rules: { 'force-push': force } } }, null, 2)}\n`;

let repository: GuardedRepository;
let configured: GuardedRepository;
beforeAll(() => {
  repository = emptyRepository();
  const { git, write } = repository;
  write('src/a.ts', 'a\n');
  for (const [text, message] of [
    ['{"name":"shop"}\n', 'feat: no key'],
    [manifest('deny', 'store'), 'feat: a key'],
    [manifest('deny'), 'feat: another name'],
  ] as const) {
    write('package.json', text);
    git('add', '--all');
    git('commit', '--quiet', '-m', message);
  }
  configured = emptyRepository();
  configured.write('package.json', manifest('deny'));
  configured.write('oxide-guard.config.json', '{}\n');
});

describe("the guard's key in package.json", () => {
  it.each([
    'git checkout HEAD~2 -- package.json',
    'git restore --source=HEAD~2 .',
    "git checkout HEAD~2 -- '*.json'",
    'git rm package.json',
    'git mv package.json other.json',
    'rm package.json',
    'mv package.json other.json',
    'sed -i s/deny/off/ package.json',
    `perl -pi -e 's/"force-push": "deny"/"force-push": "off"/' package.json`,
    `jq 'del(.["oxide-guard"])' package.json > x && mv x package.json`,
    'echo \'{"name":"shop"}\' > package.json',
    'bun pm pkg set oxide-guard.rules.force-push=off',
    'yq -i \'.["oxide-guard"].rules.force-push = "off"\' package.json',
  ])('is not changed or taken away by %s', async (line) => {
    const { verdict, findings } = await repository.judge(line);
    expect([verdict, findings.map(({ rule }) => rule)]).toEqual(['deny', ['skip-checks']]);
  });

  it.each([
    'git checkout HEAD~1 -- package.json',
    'git restore --source=HEAD~2 src',
    'git rm --cached package.json',
    'cp package.json copy.json',
    'cp package.json copy.json && mv copy.json package.json',
    'sed -i s/shop/store/ package.json',
    `perl -pi -e 's/"shop"/"store"/' package.json`,
    `jq '.version = "2.0.0"' package.json > x && mv x package.json`,
    'npm version patch --no-git-tag-version',
    'npm pkg set version=2.0.0',
    'cat package.json',
    'yq \'.["oxide-guard"]\' package.json',
  ])('stays as it is with %s', async (line) => {
    expect((await repository.judge(line)).verdict).toBe('allow');
  });

  it('is nothing to the guard beside a configuration file', async () => {
    expect((await configured.judge('sed -i s/deny/off/ package.json')).verdict).toBe('allow');
  });
});
