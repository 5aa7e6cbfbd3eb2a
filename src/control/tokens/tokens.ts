import { randomBytes } from 'node:crypto';
import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import { formatScope, type Principal, parseScope, type Scope } from '../principal.ts';
import type { Database } from '../store/database.ts';
import { isSameDigest, newSecret, secretDigest, secretPrefix } from './secret.ts';
import {
  allTokens,
  insertToken,
  markRevoked,
  markUsed,
  type StoredToken,
  type TokenRecord,
  tokenByDigest,
  tokenById,
} from './store.ts';
import { watchTokens } from './token-watches.ts';

export interface TokenRequest {
  readonly name: string;
  /** `admin`, `admin:ro`, `project:ID` or `project:ID:ro`. */
  readonly scope: string;
  /** Seconds; null: until it is revoked. */
  readonly expiresIn: number | null;
  /** Who makes it. */
  readonly principal: Principal;
}

export interface NewToken {
  /** Given out once: the store keeps its digest only. */
  readonly secret: string;
  readonly record: TokenRecord;
}

/** The tokens with which clients act. */
export interface Tokens {
  /** @throws OxideError `invalid-scope`, `unknown-project` */
  create(request: TokenRequest): Promise<NewToken>;
  /** The newest first, revoked and expired ones too. */
  list(): Promise<readonly TokenRecord[]>;
  /** @throws OxideError `unknown-token` */
  revoke(tokenId: string): Promise<TokenRecord>;
  /** @throws OxideError `unauthorized`, with the same words for every secret that does not hold */
  authenticate(secret: string): Promise<Principal>;
  /** Whom a token's id stands for now; null where it is revoked, expired or gone. For schedules and open calls. */
  principal(tokenId: string): Promise<Principal | null>;
  /** Calls back once, as soon as a token no longer holds, also when another process revoked it. Gives what ends the watch. */
  watch(tokenId: string, onInvalid: () => void): () => void;
}

export interface TokenOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Rejects with `unknown-project` where a token's project is not there. */
  readonly assertProject: (projectId: string) => Promise<unknown>;
  /** Milliseconds between two looks at a token that is watched. */
  readonly watchInterval?: number;
}

/** Milliseconds within which "last used" need not be exact: a busy client does not write with each call. */
const usePrecision = 10_000;

export function createTokens(options: TokenOptions): Tokens {
  const { database, clock, assertProject, watchInterval = 1000 } = options;
  const holds = ({ revokedAt, expiresAt }: StoredToken) =>
    revokedAt === null && (expiresAt === null || clock.now() < expiresAt);

  const principal = async (tokenId: string): Promise<Principal | null> => {
    const token = await tokenById(database, tokenId);
    return token !== null && holds(token) ? { tokenId, scope: token.scope } : null;
  };
  const watches = watchTokens(async (tokenId) => (await principal(tokenId)) !== null, clock, watchInterval);

  return {
    create: async ({ name, scope: text, expiresIn, principal: { tokenId: createdBy } }) => {
      const scope = readScope(text);
      if (scope.kind === 'project') {
        await assertProject(scope.projectId);
      }
      const secret = newSecret();
      const tokenId = `tok_${randomBytes(9).toString('hex')}`;
      const createdAt = clock.now();
      const expiresAt = expiresIn === null ? null : createdAt + expiresIn * 1000;
      const record = { tokenId, name, createdBy, createdAt, expiresAt };
      await insertToken(database, { ...record, scope: formatScope(scope), secretDigest: secretDigest(secret) });
      return { secret, record: { ...record, scope, lastUsedAt: null, revokedAt: null } };
    },
    list: async () => (await allTokens(database)).map(withoutDigest),
    revoke: async (tokenId) => {
      const isKnown = await markRevoked(database, tokenId, clock.now());
      const token = isKnown ? await tokenById(database, tokenId) : null;
      if (token === null) {
        throw new OxideError('unknown-token', `There is no token '${tokenId}'.`, {
          remedy: 'token with action=list shows them.',
        });
      }
      watches.tell(tokenId);
      return withoutDigest(token);
    },
    authenticate: async (secret) => {
      const digest = secretDigest(secret);
      const token = secret.startsWith(secretPrefix) ? await tokenByDigest(database, digest) : null;
      if (token === null || !isSameDigest(token.secretDigest, digest) || !holds(token)) {
        throw new OxideError('unauthorized', 'The token is unknown, revoked or expired.', {
          remedy: 'Ask whoever runs the server for a new one.',
        });
      }
      const now = clock.now();
      if (token.lastUsedAt === null || now - token.lastUsedAt >= usePrecision) {
        await markUsed(database, token.tokenId, now);
      }
      return { tokenId: token.tokenId, scope: token.scope };
    },
    principal,
    watch: watches.watch,
  };
}

/** @throws OxideError `invalid-scope` */
function readScope(text: string): Scope {
  const scope = parseScope(text);
  if (scope === null) {
    throw new OxideError('invalid-scope', `'${text}' is no scope.`, {
      remedy: 'Scopes are admin, admin:ro, project:PROJECT_ID and project:PROJECT_ID:ro.',
    });
  }
  return scope;
}

function withoutDigest({ secretDigest: _, ...record }: StoredToken): TokenRecord {
  return record;
}
