import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { planFromHookLines } from '../../src/git/push/hook-lines.ts';
import { planFromRequest } from '../../src/git/push/push-from-request.ts';
import type { PushPlan, RefUpdate } from '../../src/git/push/push-plan.ts';
import { type PushRequest, plainPush } from '../../src/git/push/push-request.ts';
import { emptyRepository, git, gitOlderThan, open } from './fixture.ts';
import { recordPush } from './pre-push-hook.ts';
import { arrangeRemotes } from './remotes.fixture.ts';

/**
 * The plan made from a command's arguments must be the plan that git itself hands to pre-push. `--dry-run` pushes
 * call the hook with the very same lines and leave the remotes as they are.
 */

let work: string;
let elsewhere: string;

beforeAll(() => {
  work = arrangeRemotes();
  elsewhere = join(dirname(work), 'elsewhere.git');
  git(work, 'worktree', 'add', '--quiet', '--detach', '../detached', 'topic');
  git(work, 'worktree', 'add', '--quiet', '../linked', 'feature/x');
});

const flags: Record<string, Partial<PushRequest>> = {
  '--force': { force: true },
  '-f': { force: true },
  '--force-with-lease': { leases: [{ ref: null, expect: null }] },
  '--force-with-lease=topic': { leases: [{ ref: 'topic', expect: null }] },
  '--all': { branches: true },
  '--mirror': { mirror: true },
  '--tags': { tags: true },
  '--follow-tags': { followTags: true },
  '--no-follow-tags': { followTags: false },
  '--delete': { delete: true },
  '--prune': { prune: true },
};

function requestOf(words: readonly string[]): PushRequest {
  const options = words.filter((word) => word in flags).map((word) => flags[word]);
  const [repository = null, ...refspecs] = words.filter((word) => !(word in flags));
  return Object.assign({ ...plainPush, repository, refspecs, dryRun: true }, ...options);
}

/** What pre-push is told: git leaves out what is up to date and what it rejects as no fast-forward. */
function asTold({ updates, mirror }: PushPlan, present: ReadonlyMap<string, string>) {
  return updates
    .filter(({ kind }) => !(mirror && kind === 'delete')) // a mirror's deletions are never told
    .filter(({ kind, localOid, remoteRef }) => kind !== 'up-to-date' && localOid !== (present.get(remoteRef) ?? 'none'))
    .filter(
      ({ kind, force, remoteRef }) => !(kind === 'forced' && force === 'none' && remoteRef.startsWith('refs/heads/')),
    )
    .map((update) => comparable(update, present))
    .sort((a, b) => (a.remoteRef < b.remoteRef ? -1 : 1));
}

/** Tags are not tracked: whether the remote has them is not known to a request's plan. */
function comparable(
  { localRef, localOid, remoteRef, remoteOid, kind }: RefUpdate,
  present: ReadonlyMap<string, string>,
) {
  const oid = remoteOid ?? present.get(remoteRef) ?? null;
  const told = kind === 'unknown' ? (oid === null ? 'create' : 'told by the remote only') : kind;
  const isTracked = remoteRef.startsWith('refs/heads/');
  return { localRef, localOid, remoteRef, remoteOid: oid, kind: isTracked ? told : 'any' };
}

const seen = new Map<string, ReadonlyMap<string, string>>();

/** Dry runs change nothing: each remote is read once. */
function refsAt(url: string): ReadonlyMap<string, string> {
  const directory = resolve(work, url);
  const found = seen.get(directory) ?? readRefsAt(directory);
  seen.set(directory, found);
  return found;
}

function readRefsAt(directory: string): ReadonlyMap<string, string> {
  const lines = git(directory, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

/** Pushes of which git told updates: nobody shall be content with comparing nothing to nothing. */
let compared = 0;

async function expectAgreement(words: readonly string[], settings: readonly string[], cwd = work) {
  const args = words.map((word) =>
    word === 'ELSEWHERE' ? elsewhere : word === 'ORIGIN-URL' ? join(dirname(work), 'origin.git') : word,
  );
  const request = requestOf(args);
  const { calls, stderr } = recordPush(cwd, [
    ...settings.flatMap((setting) => ['-c', setting]),
    ...['push', '--dry-run', ...args],
  ]);
  const repository = await open(cwd, { parameters: settings });
  const planned = await planFromRequest(request, repository);
  const [call] = calls;
  if (call === undefined) {
    expect(planned.refusal, `git refused: ${stderr}`).not.toBeNull();
    return;
  }
  compared += call.lines === '' ? 0 : 1;
  expect(planned.refusal, `git did not refuse: ${stderr}`).toBeNull();
  expect(planned.url).toBe(call.url);
  expect(planned.furtherUrls).toHaveLength(calls.length - 1);
  const told = await planFromHookLines({ ...call, request }, repository);
  const present = refsAt(call.url);
  expect(asTold(planned, present)).toEqual(asTold(told, present));
  expect(planned.remote).toBe(told.remote);
  const forces = new Map(told.updates.map(({ remoteRef, force }) => [remoteRef, force]));
  for (const { remoteRef, force } of planned.updates) {
    expect(`${remoteRef} ${forces.get(remoteRef) ?? force}`).toBe(`${remoteRef} ${force}`);
  }
}

const upstreams: Record<string, readonly string[]> = {
  'no upstream': [],
  'an upstream of the same name': ['branch.main.remote=origin', 'branch.main.merge=refs/heads/main'],
  'an upstream of another name': ['branch.main.remote=origin', 'branch.main.merge=refs/heads/same'],
  'an upstream on another remote': ['branch.main.remote=fork', 'branch.main.merge=refs/heads/topic'],
  'another push remote': [
    'branch.main.remote=origin',
    'branch.main.merge=refs/heads/main',
    'branch.main.pushRemote=fork',
  ],
  'two upstreams': [
    'branch.main.remote=origin',
    'branch.main.merge=refs/heads/main',
    'branch.main.merge=refs/heads/same',
  ],
};

const modes = ['nothing', 'current', 'upstream', 'simple', 'matching'];

/** Forms whose outcome depends on push.default or the upstream. */
const dependentForms: readonly (readonly string[])[] = [
  [],
  ['origin'],
  ['fork'],
  ['origin', 'main'],
  ['origin', 'HEAD'],
  ['origin', 'refs/heads/main'],
  ['--force'],
  ['--all'],
  ['--tags'],
  ['--follow-tags'],
];

describe.each(modes)('push.default %s', (mode) => {
  describe.each(Object.keys(upstreams))('with %s', (upstream) => {
    it.each(dependentForms.map((words) => ({ line: ['git push', ...words].join(' '), words })))(
      '$line',
      async ({ words }) => {
        const settings = [`push.default=${mode}`, ...(upstreams[upstream] ?? [])];
        await expectAgreement(words, settings);
      },
    );
  });
});

const forms: readonly (readonly string[])[] = [
  ['origin', 'main:refs/heads/main'],
  ['origin', 'main:same'],
  ['origin', 'main:new'],
  ['origin', 'HEAD:same'],
  ['origin', 'HEAD:new'],
  ['origin', '@'],
  ['origin', '@:same'],
  ['origin', '+main'],
  ['origin', 'topic'],
  ['origin', '+topic'],
  ['origin', '--force', 'topic'],
  ['origin', '--force-with-lease', 'topic'],
  ['origin', '--force-with-lease=topic', 'topic', 'main'],
  ['origin', '+topic', 'main'],
  ['origin', 'main', 'topic', 'same'],
  ['origin', 'main:same', 'topic:same'],
  ['origin', ':gone'],
  ['origin', ':refs/heads/gone'],
  ['origin', '--delete', 'gone'],
  ['origin', '--delete', 'gone', 'topic'],
  ['origin', '--delete'],
  ['origin', ':gone', 'main'],
  ['origin', 'refs/heads/*'],
  ['origin', 'refs/heads/*:refs/heads/*'],
  ['origin', '+refs/heads/*:refs/heads/*'],
  ['origin', 'refs/heads/*:refs/heads/copy/*'],
  ['origin', 'refs/heads/*:refs/backup/*'],
  ['origin', 'refs/heads/fea*x:refs/heads/fea*x'],
  ['origin', 'refs/heads/*', '^refs/heads/topic'],
  ['origin', 'refs/heads/*', '^refs/heads/o*'],
  ['origin', 'refs/heads/*', 'topic:main'],
  ['origin', '+:'],
  ['origin', ':'],
  ['origin', ':', 'only-here'],
  ['origin', 'v2'],
  ['origin', 'light'],
  ['origin', 'refs/tags/v2'],
  ['origin', 'refs/tags/v2:refs/tags/v2'],
  ['origin', 'v2:renamed'],
  ['origin', 'v2:refs/heads/from-tag'],
  ['origin', '--force', 'moved'],
  ['origin', 'refs/tags/*'],
  ['origin', '+refs/tags/*'],
  ['origin', '--tags', 'main'],
  ['origin', '--follow-tags', 'main'],
  ['origin', '--follow-tags', 'main', 'topic'],
  ['origin', '--follow-tags', '+topic'],
  ['origin', 'both'],
  ['origin', 'heads/both'],
  ['origin', 'refs/heads/both:both'],
  ['origin', 'tags/both'],
  ['origin', 'OID:refs/heads/by-oid'],
  ['origin', 'OID:same'],
  ['origin', 'OID:new'],
  ['origin', 'OID'],
  ['origin', 'HEAD~1:same'],
  ['origin', 'HEAD~1'],
  ['origin', 'HEAD^{/feat: a}:refs/heads/found'],
  ['origin', 'nowhere'],
  ['origin', 'nowhere:new'],
  ['origin', 'main:'],
  ['origin', 'main:bad..name'],
  ['origin', 'feature/x'],
  ['origin', 'heads/main'],
  ['origin', `odd;na'me-ü`],
  ['origin', 'remotes/origin/same'],
  ['origin', 'origin/same:new'],
  ['origin', 'origin/same:refs/heads/new'],
  ['origin', '--all', '--prune'],
  ['origin', '--prune', 'refs/heads/*'],
  ['origin', '--prune', 'refs/heads/*:refs/heads/*'],
  ['origin', '--prune', 'refs/heads/f*:refs/heads/f*'],
  ['origin', '--all', 'main'],
  ['origin', '--mirror', 'main'],
  ['origin', '--mirror'],
  ['ELSEWHERE', '--mirror'],
  ['fork', '--force', '--prune', 'refs/heads/*'],
  ['ELSEWHERE', 'main'],
  ['ELSEWHERE', '+main:topic'],
  ['ELSEWHERE', '--all'],
  ['ORIGIN-URL', 'main'],
  ['ORIGIN-URL', '--force', 'topic'],
  ['ORIGIN-URL', ':gone'],
  ['ORIGIN-URL', ':'],
];

describe('refspecs', () => {
  it.each(forms.map((words) => ({ line: ['git push', ...words].join(' '), words })))('$line', async ({ words }) => {
    const oid = git(work, 'rev-parse', 'main');
    await expectAgreement(
      words.map((word) => word.replace('OID', oid)),
      [],
    );
  });
});

const configured: Record<string, { readonly words: readonly string[]; readonly settings: readonly string[] }> = {
  'remote.origin.push': { words: [], settings: ['remote.origin.push=refs/heads/topic:refs/heads/same'] },
  'remote.origin.push with a wildcard and +': {
    words: ['origin'],
    settings: ['remote.origin.push=+refs/heads/*:refs/heads/*'],
  },
  'remote.origin.push renames what is typed': {
    words: ['origin', 'main', 'topic'],
    settings: ['remote.origin.push=refs/heads/*:refs/heads/mine/*'],
  },
  'remote.origin.push forces what is typed': {
    words: ['origin', 'topic'],
    settings: ['remote.origin.push=+refs/heads/*:refs/heads/*'],
  },
  'remote.origin.push does not touch a refspec with a colon': {
    words: ['origin', 'topic:topic'],
    settings: ['remote.origin.push=+refs/heads/*:refs/heads/*'],
  },
  'remote.origin.push beside --tags': { words: ['--tags'], settings: ['remote.origin.push=refs/heads/main'] },
  'remote.origin.push HEAD': { words: [], settings: ['remote.origin.push=HEAD'] },
  'several remote.origin.push': {
    words: [],
    settings: ['remote.origin.push=refs/heads/main', 'remote.origin.push=+topic'],
  },
  'remote.pushDefault': { words: [], settings: ['remote.pushDefault=fork'] },
  'remote.pushDefault with a refspec': { words: [], settings: ['remote.pushDefault=fork', 'remote.fork.push=+topic'] },
  'push.followTags': { words: ['origin', 'main'], settings: ['push.followTags=true'] },
  'push.followTags switched off': { words: ['--no-follow-tags', 'origin', 'main'], settings: ['push.followTags=true'] },
  'push.autoSetupRemote': { words: [], settings: ['push.autoSetupRemote=true'] },
  'push.default tracking': {
    words: [],
    settings: ['push.default=tracking', 'branch.main.remote=origin', 'branch.main.merge=refs/heads/same'],
  },
  'remote.origin.mirror': { words: ['origin'], settings: ['remote.origin.mirror=true'] },
  'remote.origin.mirror with a refspec': { words: ['origin', 'main'], settings: ['remote.origin.mirror=true'] },
  'several push URLs': {
    words: ['origin', 'main'],
    settings: ['remote.origin.pushurl=../fork.git', 'remote.origin.pushurl=../elsewhere.git'],
  },
  pushInsteadOf: { words: ['origin', 'main'], settings: ['url.../fork.git.pushInsteadOf=../origin.git'] },
  'insteadOf for a URL': { words: ['short:', 'main'], settings: ['url.../elsewhere.git.insteadOf=short:'] },
  'an upstream that is a local branch': {
    words: [],
    settings: ['branch.main.remote=.', 'branch.main.merge=refs/heads/only-here', 'push.default=upstream'],
  },
  pushurl: { words: ['origin', 'main'], settings: ['remote.origin.pushurl=../fork.git'] },
  'branch.main.remote is a path': {
    words: [],
    settings: ['branch.main.remote=../elsewhere.git', 'branch.main.merge=refs/heads/main', 'push.default=current'],
  },
};

describe('configuration', () => {
  const known = gitOlderThan(2, 37, 'push.autoSetupRemote')
    ? Object.keys(configured).filter((name) => name !== 'push.autoSetupRemote')
    : Object.keys(configured);
  it.each(known)('%s', async (name) => {
    const { words, settings } = configured[name] ?? { words: [], settings: [] };
    await expectAgreement(words, settings);
  });
});

describe.each(['detached', 'linked'])('in a worktree, %s', (name) => {
  const words = [
    ['origin'],
    ['origin', 'HEAD'],
    ['origin', 'HEAD:new'],
    ['origin', 'HEAD:same'],
    ['origin', 'main'],
    ['origin', '--all'],
  ];
  it.each(
    words.flatMap((args) =>
      modes.map((mode) => ({ line: `git -c push.default=${mode} push ${args.join(' ')}`, args, mode })),
    ),
  )('$line', async ({ args, mode }) => {
    await expectAgreement(args, [`push.default=${mode}`], join(dirname(work), name));
  });
});

describe('on an unborn branch', () => {
  it.each([[[]], [['HEAD']], [['main']], [['HEAD:new']], [['--all']], [[':main']]])(
    'git push origin %j',
    async (refspecs) => {
      const cwd = emptyRepository();
      git(cwd, 'remote', 'add', 'origin', join(dirname(work), 'origin.git'));
      git(cwd, 'fetch', '--quiet');
      await expectAgreement(['origin', ...refspecs], ['push.default=current'], cwd);
    },
  );
});

it('compares hundreds of pushes that do something', () => {
  expect(compared).toBeGreaterThan(250);
});
