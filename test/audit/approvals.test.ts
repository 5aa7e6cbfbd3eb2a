import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Action, type Approval, actionDigest } from '../../src/audit/approval.ts';
import {
  approvalWindow,
  approve,
  consumeApproval,
  consumeApprovalForCall,
  consumeHandedOver,
  listApprovals,
  requestApproval,
} from '../../src/audit/approvals.ts';

const action: Action = {
  front: 'agent',
  directory: '/project/project',
  text: 'git push --force origin feature',
  rules: ['force-push'],
};
const digest = actionDigest(action);

let commonDir: string;
let directory: string;
beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'oxide-guard-approvals-'));
  directory = join(commonDir, 'oxide-guard', 'approvals');
});

function request(now?: number): Approval {
  const approval = requestApproval(commonDir, action, now);
  if (approval === null) {
    throw new Error('The request was not recorded.');
  }
  return approval;
}

describe('an approval', () => {
  it('is given by a person and used once', () => {
    const { id } = request();
    expect(consumeApproval(commonDir, digest)).toBe(false);
    expect(approve(commonDir, id)).toMatchObject({ id, state: 'approved', text: action.text });
    expect(consumeApproval(commonDir, digest)).toBe(true);
    expect(consumeApproval(commonDir, digest)).toBe(false);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('keeps no credentials, and is good for the command with them alone', () => {
    const typed = { ...action, text: 'git push --force https://me:s3cret@example.org/x.git topic' };
    const { id } = requestApproval(commonDir, typed) ?? { id: '' };
    expect(
      readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), 'utf8'))
        .join(),
    ).not.toMatch(/s3cret/);
    expect(listApprovals(commonDir)[0]?.text).toBe('git push --force https://…@example.org/x.git topic');
    approve(commonDir, id);
    const other = { ...typed, text: typed.text.replace('s3cret', 'other') };
    expect(consumeApproval(commonDir, actionDigest(other))).toBe(false);
    expect(consumeApproval(commonDir, actionDigest(typed))).toBe(true);
  });

  it('keeps its id when the agent tries the same command again', () => {
    expect(request().id).toBe(request().id);
    expect(listApprovals(commonDir)).toHaveLength(1);
  });

  it.each([
    { ...action, text: 'git push --force origin main' },
    { ...action, directory: '/project/other' },
    { ...action, front: 'pre-push' as const },
    { ...action, rules: ['force-push', 'protected-push'] as const },
  ])('is worth nothing for another action: %j', (other) => {
    const { id } = request();
    approve(commonDir, id);
    expect(consumeApproval(commonDir, actionDigest(other))).toBe(false);
    expect(consumeApproval(commonDir, digest)).toBe(true);
  });

  it('does not depend on the order in which the rules asked', () => {
    expect(actionDigest({ ...action, rules: ['force-push', 'protected-push', 'force-push'] })).toBe(
      actionDigest({ ...action, rules: ['protected-push', 'force-push'] }),
    );
  });

  it('can be given for ten minutes', () => {
    const { id } = request(1_000_000);
    expect(approve(commonDir, id, 1_000_000 + approvalWindow)).toBe('expired');
    expect(approve(commonDir, id, 1_000_000 + approvalWindow - 1)).toMatchObject({ state: 'approved' });
  });

  it('waits ten minutes for its use', () => {
    const { id } = request(1_000_000);
    approve(commonDir, id, 1_000_100);
    expect(consumeApproval(commonDir, digest, 1_000_100 + approvalWindow)).toBe(false);
    expect(consumeApproval(commonDir, digest, 1_000_100 + approvalWindow - 1)).toBe(true);
  });

  it('is worth nothing when the clock was set back', () => {
    const { id } = request(10_000_000);
    approve(commonDir, id, 10_000_000);
    expect(consumeApproval(commonDir, digest, 9_000_000)).toBe(false);
  });

  it('can be given once', () => {
    const { id } = request();
    approve(commonDir, id);
    expect(approve(commonDir, id)).toBe('already-approved');
    expect(approve(commonDir, 'zzzzzz')).toBe('unknown');
    expect(approve(commonDir, '../../x')).toBe('unknown');
  });
});

describe('a damaged approval is none', () => {
  function approved(): string {
    approve(commonDir, request().id);
    return join(directory, readdirSync(directory)[0]!);
  }

  it.each(['', '{', 'null', '[]', '{"front":"agent"}', '\0\0\0\0'])('when it holds %j', (content) => {
    writeFileSync(approved(), content);
    expect(consumeApproval(commonDir, digest)).toBe(false);
  });

  it('when it was cut off', () => {
    const path = approved();
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -3));
    expect(consumeApproval(commonDir, digest)).toBe(false);
  });

  it('when it was renamed to stand for another action', () => {
    const path = approved();
    const other = actionDigest({ ...action, text: 'git push --force origin main' });
    renameSync(path, path.replace(digest, other));
    expect(consumeApproval(commonDir, other)).toBe(false);
  });

  it('and goes away when it is old', () => {
    const path = approved();
    writeFileSync(path, '{');
    requestApproval(commonDir, action, Date.now() + 2 * approvalWindow);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(listApprovals(commonDir, Date.now() + 2 * approvalWindow)).toHaveLength(1);
  });
});

it('nobody can approve what could not be written', () => {
  writeFileSync(join(commonDir, 'oxide-guard'), 'a file where the directory would be');
  expect(requestApproval(commonDir, action)).toBeNull();
  expect(consumeApproval(commonDir, digest)).toBe(false);
  expect(listApprovals(commonDir)).toEqual([]);
});

it('an unreadable directory gives no approval', () => {
  approve(commonDir, request().id);
  chmodSync(directory, 0o000);
  try {
    // root reads it all the same
    expect(consumeApproval(commonDir, digest)).toBe(process.getuid?.() === 0);
  } finally {
    chmodSync(directory, 0o700);
  }
});

it('a loop of refused commands leaves a bounded number of files', () => {
  for (let n = 0; n < 230; n++) {
    requestApproval(commonDir, { ...action, text: `git push --force origin b${n}` });
  }
  expect(readdirSync(directory).length).toBeLessThanOrEqual(201);
});

it('of many processes at once only one gets to use an approval', async () => {
  approve(commonDir, request().id);
  const module = new URL('../../src/audit/approvals.ts', import.meta.url).pathname;
  const script = `const { consumeApproval } = require('jiti').createJiti(process.cwd() + '/')(process.argv[1]);
    while (Date.now() < Number(process.argv[4])) {}
    console.log(consumeApproval(process.argv[2], process.argv[3]));`;
  const args = ['-e', script, module, commonDir, digest, `${Date.now() + 1500}`];
  const runs = await Promise.all(Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, args)));
  expect(runs.map(({ stdout }) => stdout.trim()).sort()).toEqual(['false', 'false', 'false', 'false', 'false', 'true']);
});

describe('an approval that is used by one tool call', () => {
  it('is good for every hook of that call, and for no other call', () => {
    approve(commonDir, request().id);
    expect(consumeApprovalForCall(commonDir, digest, 'call_1')).toBe(true);
    expect(consumeApprovalForCall(commonDir, digest, 'call_1')).toBe(true);
    expect(consumeApprovalForCall(commonDir, digest, 'call_2')).toBe(false);
    expect(consumeApproval(commonDir, digest)).toBe(false);
    expect(consumeApprovalForCall(commonDir, actionDigest({ ...action, text: 'git push' }), 'call_1')).toBe(false);
    expect(listApprovals(commonDir)).toEqual([]);
    // A model that names all its calls alike.
    expect(consumeApprovalForCall(commonDir, digest, 'call_1', Date.now() + 60_000)).toBe(false);
  });

  it('is good for one hook after them that is not told the call', () => {
    approve(commonDir, request().id);
    expect(consumeHandedOver(commonDir, digest)).toBe(false);
    expect(consumeApprovalForCall(commonDir, digest, 'call_1')).toBe(true);
    expect(consumeHandedOver(commonDir, actionDigest({ ...action, text: 'git push' }))).toBe(false);
    expect(consumeHandedOver(commonDir, digest, Date.now() + 60_000)).toBe(false);
    expect(consumeHandedOver(commonDir, digest)).toBe(true);
    expect(consumeHandedOver(commonDir, digest)).toBe(false);
    expect(consumeApprovalForCall(commonDir, digest, 'call_1')).toBe(false);
  });

  it('is not there when it was never given, or is too old', () => {
    expect(consumeApprovalForCall(commonDir, digest, 'call_1')).toBe(false);
    const { id } = request(1_000_000);
    expect(consumeApprovalForCall(commonDir, digest, 'call_1', 1_000_001)).toBe(false);
    approve(commonDir, id, 1_000_000);
    expect(consumeApprovalForCall(commonDir, digest, 'call_1', 1_000_000 + approvalWindow)).toBe(false);
  });
});
