import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { planFromRequest } from '../../src/git/push/push-from-request.ts';
import type { PushPlan } from '../../src/git/push/push-plan.ts';
import { type PushRequest, plainPush } from '../../src/git/push/push-request.ts';
import { git, open, temporaryDirectory, tryGit } from './fixture.ts';
import { arrangeRemotes } from './remotes.fixture.ts';

let template: string;

beforeAll(() => {
  template = dirname(arrangeRemotes());
});

function refsOf(directory: string): ReadonlyMap<string, string> {
  const lines = git(directory, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

/** The refs that a remote has after a push, if the plan is right. */
function applied(plan: PushPlan, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const after = new Map(before);
  for (const { remoteRef, localOid, kind, force } of plan.updates) {
    const needsForce = kind === 'forced' || (remoteRef.startsWith('refs/tags/') && before.has(remoteRef));
    if (localOid === null) {
      after.delete(remoteRef);
    } else if (!needsForce || force !== 'none') {
      after.set(remoteRef, localOid);
    }
  }
  return after;
}

const pushes: readonly { readonly args: readonly string[]; readonly request: Partial<PushRequest> }[] = [
  { args: ['main'], request: { refspecs: ['main'] } },
  { args: ['topic'], request: { refspecs: ['topic'] } },
  { args: ['--force', 'topic'], request: { refspecs: ['topic'], force: true } },
  {
    args: ['--force-with-lease', 'topic', 'main'],
    request: { refspecs: ['topic', 'main'], leases: [{ ref: null, expect: null }] },
  },
  { args: ['+topic', 'main'], request: { refspecs: ['+topic', 'main'] } },
  { args: ['--delete', 'gone', 'same'], request: { refspecs: ['gone', 'same'], delete: true } },
  { args: ['--mirror'], request: { mirror: true } },
  { args: ['--force', '--all'], request: { branches: true, force: true } },
  { args: ['--force', '--all', '--prune'], request: { branches: true, force: true, prune: true } },
  { args: ['--tags'], request: { tags: true } },
  { args: ['--force', '--tags', 'main'], request: { tags: true, force: true, refspecs: ['main'] } },
  { args: ['--follow-tags', 'main'], request: { followTags: true, refspecs: ['main'] } },
  { args: ['refs/heads/*:refs/heads/copy/*'], request: { refspecs: ['refs/heads/*:refs/heads/copy/*'] } },
  { args: ['+refs/heads/*', '^refs/heads/topic'], request: { refspecs: ['+refs/heads/*', '^refs/heads/topic'] } },
  { args: ['+:'], request: { refspecs: ['+:'] } },
];

describe('a push has the effect that was planned', () => {
  it.each(pushes.map((push) => ({ ...push, line: `git push origin ${push.args.join(' ')}` })))(
    '$line',
    async ({ args, request }) => {
      const root = temporaryDirectory();
      cpSync(template, root, { recursive: true });
      const cwd = join(root, 'work');
      const origin = join(root, 'origin.git');
      git(origin, 'config', 'receive.denyDeleteCurrent', 'ignore');
      const before = refsOf(origin);
      const repository = await open(cwd);
      const plan = await planFromRequest({ ...plainPush, repository: 'origin', ...request }, repository);
      tryGit(cwd, 'push', '--quiet', 'origin', ...args);
      expect(refsOf(origin)).toEqual(applied(plan, before));
      expect(refsOf(origin)).not.toEqual(args[0] === 'topic' ? null : before);
    },
  );
});
