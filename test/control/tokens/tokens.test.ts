import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { localAdmin } from '../../../src/control/principal.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { createTokens, type Tokens } from '../../../src/control/tokens/tokens.ts';
import { OxideError } from '../../../src/errors.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';

let database: Database;
let clock: FakeClock;
let tokens: Tokens;

const open = (): Tokens =>
  createTokens({
    database,
    clock,
    assertProject: async (projectId) => {
      if (projectId !== 'p1') {
        throw new OxideError('unknown-project', `There is no project '${projectId}'.`);
      }
    },
  });
const create = (scope = 'admin', expiresIn: number | null = null) =>
  tokens.create({ name: 'robot', scope, expiresIn, principal: localAdmin });

beforeEach(async () => {
  database = await openSqlite(':memory:');
  clock = fakeClock();
  tokens = open();
});

describe('a new token', () => {
  it('has 256 random bits after a prefix that scanners find', async () => {
    const secrets = await Promise.all([create(), create()]);
    for (const { secret } of secrets) {
      expect(secret).toMatch(/^oxg_[\w-]{43}$/);
    }
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(2);
  });

  it('is kept as its SHA-256 only', async () => {
    const { secret, record } = await create();
    const rows = await database.all('SELECT * FROM tokens');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4));
    expect(rows[0]).toMatchObject({
      token_id: record.tokenId,
      secret_sha256: createHash('sha256').update(secret).digest('hex'),
    });
    expect(JSON.stringify(await tokens.list())).not.toMatch(/oxg_|[0-9a-f]{64}/);
  });

  it.each(['admin', 'admin:ro', 'project:p1', 'project:p1:ro'])('may have the scope %s', async (scope) => {
    const { secret } = await create(scope);
    expect((await tokens.authenticate(secret)).scope.readOnly).toBe(scope.endsWith(':ro'));
  });

  it.each(['', 'Admin', 'root', 'project:', 'project:p1:rw', 'admin ', 'project:p1:ro:ro', 'project:../p1'])(
    'is refused with the scope %j',
    async (scope) => {
      await expect(create(scope)).rejects.toMatchObject({ code: 'invalid-scope' });
    },
  );

  it('is refused for a project that is not there', async () => {
    await expect(create('project:p2')).rejects.toMatchObject({ code: 'unknown-project' });
  });
});

describe('who is known by a token', () => {
  it('the one who has its secret, until it expires', async () => {
    const { secret, record } = await create('project:p1', 60);
    expect(await tokens.authenticate(secret)).toEqual({
      tokenId: record.tokenId,
      scope: { kind: 'project', projectId: 'p1', readOnly: false },
    });
    clock.advance(59_999);
    await tokens.authenticate(secret);
    clock.advance(1);
    await expect(tokens.authenticate(secret)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await tokens.principal(record.tokenId)).toBeNull();
  });

  it('nobody, with a secret that is made up, cut, or the id or the digest itself', async () => {
    const { secret, record } = await create();
    const digest = createHash('sha256').update(secret).digest('hex');
    const attempts = ['', 'oxg_', secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), record.tokenId, digest];
    const messages = await Promise.all(
      attempts.map((attempt) => tokens.authenticate(attempt).catch((error: OxideError) => error.message)),
    );
    expect(new Set(messages)).toEqual(new Set(['The token is unknown, revoked or expired.']));
  });

  it('when it was used last is shown, to ten seconds', async () => {
    const { secret } = await create();
    await tokens.authenticate(secret);
    const first = clock.now();
    clock.advance(5000);
    await tokens.authenticate(secret);
    expect((await tokens.list())[0]?.lastUsedAt).toBe(first);
    clock.advance(5000);
    await tokens.authenticate(secret);
    expect((await tokens.list())[0]?.lastUsedAt).toBe(clock.now());
  });
});

describe('a revoked token', () => {
  it('does not hold from then on, and what was open with it is told at once', async () => {
    const { secret, record } = await create();
    const told = vi.fn();
    tokens.watch(record.tokenId, told);
    await tokens.revoke(record.tokenId);
    expect(told).toHaveBeenCalledTimes(1);
    await expect(tokens.authenticate(secret)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await tokens.principal(record.tokenId)).toBeNull();
  });

  it('may be revoked twice: the first time counts', async () => {
    const { record } = await create();
    const first = await tokens.revoke(record.tokenId);
    clock.advance(1000);
    expect((await tokens.revoke(record.tokenId)).revokedAt).toBe(first.revokedAt);
  });

  it('that is not there is said', async () => {
    await expect(tokens.revoke('tok_none')).rejects.toMatchObject({ code: 'unknown-token' });
  });

  it('is seen by another process that has a call open with it', async () => {
    const { record } = await create();
    const elsewhere = open();
    const told = vi.fn();
    elsewhere.watch(record.tokenId, told);
    await tokens.revoke(record.tokenId);
    expect(told).not.toHaveBeenCalled();
    clock.advance(1000);
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
  });

  it('tells nobody whose watch has ended', async () => {
    const { record } = await create();
    const told = vi.fn();
    tokens.watch(record.tokenId, told)();
    await tokens.revoke(record.tokenId);
    clock.advance(5000);
    await new Promise(setImmediate);
    expect(told).not.toHaveBeenCalled();
  });
});

it('an expiring token ends what is open with it', async () => {
  const { record } = await create('admin', 3);
  const told = vi.fn();
  tokens.watch(record.tokenId, told);
  for (let second = 0; second < 3; second += 1) {
    expect(told).not.toHaveBeenCalled();
    clock.advance(1000);
    await new Promise(setImmediate);
  }
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
});
