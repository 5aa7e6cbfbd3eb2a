import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What every token's secret begins with, so that scanners for leaked credentials can find one. */
export const secretPrefix = 'oxg_';

/** A secret that nobody guesses: 256 random bits after the prefix. */
export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64url');
}

/** What the store keeps of a secret: it says whether a secret is the right one, and gives none away. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two digests in a time that says nothing about where they differ. */
export function isSameDigest(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
