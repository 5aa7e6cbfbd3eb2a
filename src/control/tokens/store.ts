import { OxideError } from '../../errors.ts';
import { parseScope, type Scope } from '../principal.ts';
import type { Database } from '../store/database.ts';

/** A token as it is shown: never with its secret. Times are milliseconds since the epoch. */
export interface TokenRecord {
  readonly tokenId: string;
  readonly name: string;
  readonly scope: Scope;
  /** The token that made it; null: the person at this machine. */
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface StoredToken extends TokenRecord {
  readonly secretDigest: string;
}

interface TokenRow {
  readonly token_id: string;
  readonly name: string;
  readonly scope: string;
  readonly secret_sha256: string;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

/** PostgreSQL's BIGINT may come as text. */
const time = (value: number | null): number | null => (value === null ? null : Number(value));

function tokenOf(row: TokenRow): StoredToken {
  const scope = parseScope(row.scope);
  if (scope === null) {
    throw new OxideError('broken-store', `The token ${row.token_id} has a scope that this version does not know.`);
  }
  return {
    tokenId: row.token_id,
    name: row.name,
    scope,
    secretDigest: row.secret_sha256,
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    expiresAt: time(row.expires_at),
    lastUsedAt: time(row.last_used_at),
    revokedAt: time(row.revoked_at),
  };
}

export async function insertToken(
  database: Database,
  token: Omit<StoredToken, 'scope' | 'lastUsedAt' | 'revokedAt'> & { readonly scope: string },
): Promise<void> {
  const { tokenId, name, scope, secretDigest, createdBy, createdAt, expiresAt } = token;
  await database.run(
    `INSERT INTO tokens (token_id, name, scope, secret_sha256, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    tokenId,
    name,
    scope,
    secretDigest,
    createdBy,
    createdAt,
    expiresAt,
  );
}

export async function tokenById(database: Database, tokenId: string): Promise<StoredToken | null> {
  const row = await database.get<TokenRow>('SELECT * FROM tokens WHERE token_id = ?', tokenId);
  return row === null ? null : tokenOf(row);
}

export async function tokenByDigest(database: Database, digest: string): Promise<StoredToken | null> {
  const row = await database.get<TokenRow>('SELECT * FROM tokens WHERE secret_sha256 = ?', digest);
  return row === null ? null : tokenOf(row);
}

/** All tokens, revoked ones too, the newest first. */
export async function allTokens(database: Database): Promise<readonly StoredToken[]> {
  return (await database.all<TokenRow>('SELECT * FROM tokens ORDER BY created_at DESC, token_id')).map(tokenOf);
}

/**
 * A condition in SQL: a token that a column names is revoked, or has expired; its one value is the time now. One that the
 * store does not know never was.
 */
export function isVoid(column: string): string {
  return `EXISTS (SELECT 1 FROM tokens WHERE tokens.token_id = ${column}
    AND (tokens.revoked_at IS NOT NULL OR tokens.expires_at <= ?))`;
}

/** Revokes a token once, also beyond a power cut; the first time counts. False: there is none with this id. */
export async function markRevoked(database: Database, tokenId: string, now: number): Promise<boolean> {
  const sql = 'UPDATE tokens SET revoked_at = COALESCE(revoked_at, ?) WHERE token_id = ?';
  return database.transaction(async (transaction) => (await transaction.run(sql, now, tokenId)) > 0, {
    durable: true,
  });
}

export async function markUsed(database: Database, tokenId: string, now: number): Promise<void> {
  await database.run('UPDATE tokens SET last_used_at = ? WHERE token_id = ?', now, tokenId);
}
