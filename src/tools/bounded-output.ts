import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes of a process's output that are kept: half from its beginning, half from its end. */
export const outputLimit = 1024 * 1024;

/**
 * Output of a process, kept in a file of bounded size: its beginning, and its end as a ring. The file has no name once
 * it is open, so that nothing is left of it however this program ends. Where there can be no file (the disk is full),
 * memory takes its place.
 */
export class BoundedOutput {
  readonly #headSize: number;
  readonly #tailSize: number;
  #descriptor: number | null = null;
  #memory: Buffer | null = null;
  #size = 0;
  #closed: string | null = null;

  /** @param limit in bytes */
  constructor(limit = outputLimit) {
    this.#headSize = Math.ceil(limit / 2);
    this.#tailSize = Math.max(1, Math.floor(limit / 2));
  }

  /** Bytes that were written, kept or not. */
  get size(): number {
    return this.#size;
  }

  /** What is written after {@link close} is dropped. */
  write(chunk: Buffer): void {
    if (this.#closed !== null || chunk.length === 0) {
      return;
    }
    let rest = chunk;
    while (rest.length > 0) {
      const { position, room } = this.#place();
      const part = rest.subarray(0, room);
      this.#put(part, position);
      this.#size += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** What is kept, as text; where bytes are left out, a line says how many. */
  text(): string {
    if (this.#closed !== null) {
      return this.#closed;
    }
    const head = this.#read(0, Math.min(this.#size, this.#headSize));
    const written = this.#size - this.#headSize;
    if (written <= this.#tailSize) {
      return Buffer.concat([head, this.#read(this.#headSize, Math.max(0, written))]).toString('utf8');
    }
    const start = written % this.#tailSize;
    const tail = Buffer.concat([
      this.#read(this.#headSize + start, this.#tailSize - start),
      this.#read(this.#headSize, start),
    ]);
    const omitted = written - this.#tailSize;
    return `${withoutCutEnd(head)}\n[… ${omitted} bytes left out …]\n${withoutCutStart(tail)}`;
  }

  /** Gives the file back; the text stays. */
  close(): void {
    this.#closed ??= this.text();
    if (this.#descriptor !== null) {
      closeSync(this.#descriptor);
      this.#descriptor = null;
    }
    this.#memory = null;
  }

  #put(part: Buffer, position: number): void {
    if (this.#memory === null) {
      try {
        this.#descriptor ??= openNamelessFile();
        for (let written = 0; written < part.length; ) {
          written += writeSync(this.#descriptor, part, written, part.length - written, position + written);
        }
        return;
      } catch {
        this.#memory = this.#moved();
      }
    }
    part.copy(this.#memory, position);
  }

  /** What the file holds, with room for all that it could have held. */
  #moved(): Buffer {
    const whole = Buffer.alloc(this.#headSize + this.#tailSize);
    this.#read(0, Math.min(this.#size, whole.length)).copy(whole);
    if (this.#descriptor !== null) {
      closeSync(this.#descriptor);
      this.#descriptor = null;
    }
    return whole;
  }

  #place(): { readonly position: number; readonly room: number } {
    if (this.#size < this.#headSize) {
      return { position: this.#size, room: this.#headSize - this.#size };
    }
    const offset = (this.#size - this.#headSize) % this.#tailSize;
    return { position: this.#headSize + offset, room: this.#tailSize - offset };
  }

  #read(position: number, length: number): Buffer {
    if (this.#memory !== null) {
      return this.#memory.subarray(position, position + length);
    }
    const bytes = Buffer.alloc(length);
    return this.#descriptor === null
      ? bytes.subarray(0, 0)
      : bytes.subarray(0, readSync(this.#descriptor, bytes, 0, length, position));
  }
}

function openNamelessFile(): number {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-output-'));
  try {
    return openSync(join(directory, 'output'), 'wx+', 0o600);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Without the first bytes of a character whose rest was cut off. */
function withoutCutEnd(bytes: Buffer): string {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) {
    start -= 1;
  }
  const first = bytes[start] ?? 0;
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return (bytes.length - start < wanted ? bytes.subarray(0, start) : bytes).toString('utf8');
}

/** Without the last bytes of a character whose beginning was cut off. */
function withoutCutStart(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) {
    start += 1;
  }
  return bytes.subarray(start).toString('utf8');
}
