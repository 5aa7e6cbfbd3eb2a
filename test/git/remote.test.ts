import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { configurationOf } from '../../src/git/settings/configuration.ts';
import { knownRemote, readRemote, trackedRefOf, trackingRefOf } from '../../src/git/settings/remote.ts';
import { git, repositoryWithCommit } from './fixture.ts';

function config(settings: Readonly<Record<string, string | readonly string[]>>) {
  return configurationOf(
    Object.entries(settings).flatMap(([key, values]) =>
      [values].flat().map((value) => ({ key, value, scope: 'local' as const })),
    ),
  );
}

describe('where a remote is fetched from and pushed to', () => {
  const url = fc.stringMatching(/^(?:gh:|https:\/\/x\/|ssh:\/\/y\/)[ab]{0,2}$/);
  const prefix = fc.constantFrom('gh:', 'https://x/', 'https://x/a', 'ssh://y/', 'gh:a');
  const base = fc.constantFrom('git@github.com:', 'https://z/', 'ssh://mirror/');
  const setup = fc.record({
    urls: fc.array(url, { minLength: 1, maxLength: 2 }),
    pushUrls: fc.array(url, { maxLength: 2 }),
    rewrites: fc.uniqueArray(fc.record({ base, prefix, variable: fc.constantFrom('insteadOf', 'pushInsteadOf') }), {
      maxLength: 3,
      selector: ({ prefix, variable }) => prefix + variable,
    }),
  });

  it('is what git remote get-url says', async () => {
    const work = repositoryWithCommit();
    git(work, 'config', 'remote.origin.tagOpt', '--no-tags'); // get-url wants the remote in the repository's own file
    for (const { urls, pushUrls, rewrites } of fc.sample(setup, { numRuns: 30, seed: 5 })) {
      const settings = [
        ...urls.map((value) => `remote.origin.url=${value}`),
        ...pushUrls.map((value) => `remote.origin.pushurl=${value}`),
        ...rewrites.map(({ base, prefix, variable }) => `url.${base}.${variable}=${prefix}`),
      ];
      const words = settings.flatMap((setting) => ['-c', setting]);
      const repository = await openRepository({ cwd: work, parameters: settings });
      const remote = readRemote((await repository?.config()) ?? config({}), 'origin');
      expect({ settings, urls: remote.urls, pushUrls: remote.pushUrls }).toEqual({
        settings,
        urls: git(work, ...words, 'remote', 'get-url', '--all', 'origin').split('\n'),
        pushUrls: git(work, ...words, 'remote', 'get-url', '--push', '--all', 'origin').split('\n'),
      });
    }
  });

  it('is the URL itself when no remote has that name', () => {
    expect(readRemote(config({}), 'https://x/y')).toMatchObject({ name: null, pushUrls: ['https://x/y'] });
  });

  it('forgets the URLs before an empty one', () => {
    const settings = config({ 'remote.origin.url': ['a', '', 'b'] });
    expect(readRemote(settings, 'origin').urls).toEqual(['b']);
  });
});

describe('a URL', () => {
  const settings = config({
    'remote.origin.url': 'https://x/project.git',
    'remote.local.url': '/srv/project.git',
    'remote.split.url': 'https://read/',
    'remote.split.pushurl': 'https://write/project',
  });

  it.each([
    ['https://x/project.git', 'origin'],
    ['https://x/project', 'origin'],
    ['file:///srv/project.git/', 'local'],
    ['../project', 'local'],
    ['https://write/project', 'split'],
    ['https://elsewhere/project', undefined],
  ])('%s counts as remote %s', (url, name) => {
    expect(knownRemote(settings, readRemote(settings, url), '/srv/work')?.name).toBe(name);
  });
});

describe('tracking refs', () => {
  const remote = readRemote(
    config({
      'remote.origin.url': 'x',
      'remote.origin.fetch': [
        '+refs/heads/*:refs/remotes/origin/*',
        '^refs/heads/wip/*',
        'refs/notes/x:refs/notes/origin-x',
        'refs/heads/nowhere',
      ],
    }),
    'origin',
  );

  it.each([
    ['refs/heads/main', 'refs/remotes/origin/main'],
    ['refs/heads/a/b', 'refs/remotes/origin/a/b'],
    ['refs/notes/x', 'refs/notes/origin-x'],
    ['refs/heads/wip/1', null],
    ['refs/tags/v1', null],
  ])('%s is remembered as %s', (remoteRef, tracking) => {
    expect(trackingRefOf(remote, remoteRef)).toBe(tracking);
    if (tracking !== null) {
      expect(trackedRefOf(remote, tracking)).toBe(remoteRef);
    }
  });

  it('tell nothing of refs that were not fetched', () => {
    expect(trackedRefOf(remote, 'refs/remotes/fork/main')).toBeNull();
    expect(trackedRefOf(remote, 'refs/remotes/origin/wip/1')).toBeNull();
  });
});
