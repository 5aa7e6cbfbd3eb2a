import type { Environment } from '../../git/runner.ts';
import { isSecret } from '../../tools/shell-environment.ts';

/** Characters of one text in an event, and of all of it. */
const textLimit = 32_000;
const eventLimit = 128_000;
const depthLimit = 12;

/** Makes an event's fields fit to be stored: bounded in size, and without the secrets of this process. */
export type Packing = (fields: Readonly<Record<string, unknown>>) => string;

/**
 * @param env the environment of this process: the values of its secrets appear in no event, whatever brings them there
 */
export function packing(env: Environment): Packing {
  const redact = redaction(env);
  return (fields) => {
    const packer = new Packer(redact);
    const packed = packer.pack(fields, 0) as Readonly<Record<string, unknown>>;
    return JSON.stringify(packer.isCut ? { ...packed, truncated: true } : packed);
  };
}

/** Takes the values of this process's secrets out of a text. */
export function redaction(env: Environment): (text: string) => string {
  const secrets = Object.entries(env)
    .flatMap(([name, value]) => (value !== undefined && value.length >= 8 && isSecret(name, value) ? [value] : []))
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((kept, secret) => kept.replaceAll(secret, '[redacted]'), text);
}

class Packer {
  isCut = false;
  #left = eventLimit;
  readonly #redact: (text: string) => string;

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  pack(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      return this.#text(value);
    }
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'bigint' ? String(value) : value;
    }
    if (depth >= depthLimit || this.#left <= 0) {
      this.isCut = true;
      return null;
    }
    if (Array.isArray(value)) {
      return this.#entries(value.entries()).map(([, entry]) => this.pack(entry, depth + 1));
    }
    const entries = this.#entries(Object.entries(value));
    return Object.fromEntries(entries.map(([name, entry]) => [this.#text(name), this.pack(entry, depth + 1)]));
  }

  *#each<Key>(entries: Iterable<readonly [Key, unknown]>): Iterable<readonly [Key, unknown]> {
    for (const entry of entries) {
      if (this.#left <= 0) {
        this.isCut = true;
        return;
      }
      this.#left -= 8;
      yield entry;
    }
  }

  #entries<Key>(entries: Iterable<readonly [Key, unknown]>): readonly (readonly [Key, unknown])[] {
    return [...this.#each(entries)];
  }

  #text(text: string): string {
    const limit = Math.max(0, Math.min(textLimit, this.#left));
    // A secret across the cut would leave a part of itself: cut what has none any more, from a piece that is long enough.
    const whole = this.#redact(text.slice(0, limit * 2 + 10_000));
    const isLong = whole.length > limit || text.length > limit * 2 + 10_000;
    const kept = isLong ? whole.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '') : whole;
    this.isCut ||= isLong;
    this.#left -= kept.length;
    return isLong ? `${kept}… [${text.length - kept.length} characters left out]` : kept;
  }
}
