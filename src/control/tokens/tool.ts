import { z } from 'zod';
import { type ActionTool, defineAction } from '../action.ts';
import { nameSchema } from '../name.ts';
import { formatScope } from '../principal.ts';
import { lifetime } from './lifetime.ts';
import type { TokenRecord } from './store.ts';
import type { Tokens } from './tokens.ts';

const create = z.strictObject({
  name: nameSchema.describe('What the token is for'),
  scope: z.string().describe('What it may do: admin, admin:ro, project:PROJECT_ID or project:PROJECT_ID:ro'),
  expires_in: lifetime.optional().describe('Seconds until it expires, or 90m, 12h, 7d; default: never'),
});

const revoke = z.strictObject({ token_id: z.string().min(1).describe('The id that list shows, not the secret') });

/** The tokens of HTTP clients. Only an admin sees or makes them. */
export function tokenTool(tokens: Pick<Tokens, 'create' | 'list' | 'revoke'>, now: () => number): ActionTool {
  return {
    name: 'token',
    description: 'Tokens with which clients reach this server over HTTP. A new token is shown once.',
    actions: {
      create: defineAction(create, async ({ name, scope, expires_in }, { principal }) => {
        const { secret, record } = await tokens.create({ name, scope, expiresIn: expires_in ?? null, principal });
        return {
          text: `Token ${record.tokenId} (${formatScope(record.scope)}): ${secret}\nKeep it now: it is not shown again.`,
          data: { ...describe(record, now()), token: secret },
        };
      }),
      list: defineAction(z.strictObject({}), async () => {
        const records = await tokens.list();
        return {
          text: records.length === 0 ? 'There is no token.' : records.map((record) => lineOf(record, now())).join('\n'),
          data: { tokens: records.map((record) => describe(record, now())) },
        };
      }),
      revoke: defineAction(revoke, async ({ token_id }) => {
        const record = await tokens.revoke(token_id);
        return { text: `Token ${record.tokenId} (${record.name}) is revoked.`, data: describe(record, now()) };
      }),
    },
  };
}

function statusOf({ revokedAt, expiresAt }: TokenRecord, now: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) {
    return 'revoked';
  }
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

const date = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function describe(record: TokenRecord, now: number): Readonly<Record<string, unknown>> {
  return {
    token_id: record.tokenId,
    name: record.name,
    scope: formatScope(record.scope),
    status: statusOf(record, now),
    created_at: date(record.createdAt),
    created_by: record.createdBy,
    expires_at: date(record.expiresAt),
    last_used_at: date(record.lastUsedAt),
    revoked_at: date(record.revokedAt),
  };
}

function lineOf(record: TokenRecord, now: number): string {
  const used = record.lastUsedAt === null ? 'never used' : `last used ${date(record.lastUsedAt)}`;
  return `${record.tokenId}  ${record.name}  ${formatScope(record.scope)}  ${statusOf(record, now)}  ${used}`;
}
