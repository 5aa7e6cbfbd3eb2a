import { describe, expect, it } from 'vitest';
import { interpret } from '../../../src/guards/git-command/interpret.ts';
import { readInvocation } from '../../../src/guards/git-command/invocation.ts';
import { known } from '../../../src/guards/git-command/words.ts';
import type { Intent } from '../../../src/guards/intent.ts';

const here = { kind: 'known', path: '/project' } as const;

async function intentsOf(line: string): Promise<readonly Intent[]> {
  const invocation = readInvocation(line.split(' ').map(known), here, () => null);
  const interpretation = await interpret(invocation.words, null, async () => null);
  return interpretation.kind === 'intents' ? interpretation.intents : [];
}

async function pushed(line: string) {
  const intents = await intentsOf(line);
  return intents.find((intent) => intent.kind === 'push')?.request;
}

describe('options of git push', () => {
  it.each([
    'push -f origin x',
    'push -uf origin x',
    'push -fu origin x',
    'push origin x --force',
    'push origin -f x',
    'push --no-force --force origin x',
    'push -vvfq origin x',
  ])('%s is forced', async (line) => {
    expect(await pushed(line)).toMatchObject({ force: true, repository: 'origin', refspecs: ['x'] });
  });

  it.each(['push --force --no-force', 'push -o -f', 'push --push-option -f', 'push --repo --force', 'push -- -f'])(
    '%s is not forced',
    async (line) => {
      expect((await pushed(line))?.force).toBe(false);
    },
  );

  it.each([
    ['push --mir', { mirror: true }],
    ['push --del origin x', { delete: true }],
    ['push -d origin x', { delete: true }],
    ['push --no-veri', { verify: false }],
    ['push --no-verify --verify', { verify: true }],
    ['push -n', { dryRun: true }],
    ['push --dry', { dryRun: true }],
    ['push --branches', { branches: true }],
    ['push --al', { branches: true }],
    ['push --pru', { prune: true }],
    ['push --force-with-lease', { leases: [{ ref: null, expect: null }] }],
    ['push --force-w=main:abc', { leases: [{ ref: 'main', expect: 'abc' }] }],
    ['push --force-with-lease --no-force-with-lease', { leases: [] }],
    ['push origin tag v1', { refspecs: ['refs/tags/v1:refs/tags/v1'] }],
    ['push --repo=up', { repository: 'up' }],
    ['push --repo=up origin', { repository: 'origin' }],
  ])('%s', async (line, expected) => {
    expect(await pushed(line)).toMatchObject(expected);
  });

  it('an ambiguous prefix is an error of git, so nothing is pushed', async () => {
    expect(await pushed('push --forc')).toBeUndefined();
    expect(await pushed('push --no')).toBeUndefined();
  });
});

describe('what a command means', () => {
  it.each([
    ['commit -nm x', ['skip-hooks', 'commit']],
    ['commit -anm x', ['skip-hooks', 'commit']],
    ['commit -mn', ['commit']],
    ['commit -m -n', ['commit']],
    ['commit --no-veri -m x', ['skip-hooks', 'commit']],
    ['commit --dry-run -n', []],
    ['merge --no-verify x', ['skip-hooks', 'version', 'bring-files', 'grow']],
    ['merge -n x', ['version', 'bring-files', 'grow']],
    ['reset --har', ['discard', 'bring-files', 'move-ref']],
    ['reset --soft HEAD~1', ['move-ref']],
    ['reset --soft', []],
    ['reset HEAD x', ['change-index']],
    ['checkout -- x', ['discard']],
    ['checkout x', ['bring-files', 'discard', 'switch']],
    ['checkout -b x', ['switch']],
    ['checkout -fB main x', ['discard', 'bring-files', 'move-ref', 'switch']],
    ['switch --disc x', ['discard', 'bring-files', 'switch']],
    ['switch --no-overwrite-ignore x', ['switch']],
    ['switch -C x', ['move-ref', 'switch']],
    ['restore --staged x', ['change-index']],
    ['restore -SW x', ['bring-files', 'discard']],
    ['restore x', ['discard']],
    ['clean -fdx', ['discard']],
    ['clean -nfd', []],
    ['rm -rf x', ['discard', 'discard', 'change-files']],
    ['rm x', ['discard', 'discard', 'change-files']],
    ['rm --cached -f x', ['change-index']],
    ['mv a b', ['change-files']],
    ['stash -q drop', ['discard']],
    ['stash', ['stash']],
    ['branch -d x', ['delete-ref']],
    ['branch -D x', ['delete-ref']],
    ['branch -d -f x', ['delete-ref']],
    ['branch --delete --forc x', ['delete-ref']],
    ['branch -M a b', ['rename-ref']],
    ['branch -r -D origin/x', ['delete-ref']],
    ['tag -d x', ['delete-ref']],
    ['tag -f x', ['move-ref', 'version']],
    ['tag -l x', []],
    ['update-ref -d refs/heads/x', ['delete-ref']],
    ['fetch origin +a:b', ['fetch']],
    ['fetch -f origin a:b', ['fetch']],
    ['fetch origin a:b', ['fetch']],
    ['fetch origin +refs/heads/*:refs/remotes/origin/*', ['fetch']],
    ['reflog', []],
    ['reflog expire --expire=now --all', ['destroy-recovery']],
    ['reflog expire -n --all', []],
    ['gc', []],
    ['gc --auto', []],
    ['gc --prune=now', ['destroy-recovery']],
    ['gc --prune=2.weeks.ago', []],
    ['prune', ['destroy-recovery']],
    ['prune -n', []],
    ['filter-branch x', ['destroy-recovery']],
    ['config core.hooksPath x', ['configure']],
    ['config set core.hooksPath x', ['configure']],
    ['config core.hooksPath', []],
    ['config --get core.hooksPath', []],
    ['config --unset core.hooksPath', ['configure']],
    ['config -f .gitmodules a.b c', ['write-files']],
    ['remote -v', []],
    ['remote rm origin', ['remote']],
    ['bisect run make', ['run', 'switch']],
    ['difftool -x foo', ['run']],
    ['status', []],
    ['log --force', []],
  ])('%s', async (line, kinds) => {
    expect((await intentsOf(line)).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('global options', () => {
  it('every -C starts from the one before', () => {
    const { directory, words } = readInvocation('-C a -C b push'.split(' ').map(known), here, () => null);
    expect(directory).toEqual({ kind: 'known', path: '/project/a/b' });
    expect(words).toEqual([known('push')]);
  });

  it('settings come from options and from the environment, in the order in which git reads them', () => {
    const env: Record<string, string> = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: '/a',
      GIT_CONFIG_PARAMETERS: "'core.editor'='vi' 'user.name=x y'",
      HP: '/c',
    };
    const words = '-c Core.Pager=cat --config-env=core.hooksPath=HP commit'.split(' ').map(known);
    const { settings } = readInvocation(words, here, (name) => (env[name] === undefined ? null : known(env[name])));
    const read = settings.map(({ key, value }) =>
      [key, value].map((word) => (word?.kind === 'known' ? word.value : null)),
    );
    expect(read).toEqual([
      ['core.hookspath', '/a'],
      ['core.editor', 'vi'],
      ['user.name', 'x y'],
      ['core.pager', 'cat'],
      ['core.hookspath', '/c'],
    ]);
  });

  it('git --version and its kind do nothing', () => {
    expect(readInvocation('--version push'.split(' ').map(known), here, () => null).words).toEqual([]);
  });
});
