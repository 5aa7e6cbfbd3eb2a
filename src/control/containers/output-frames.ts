/** Receives what a process in a container wrote. */
export type TakeOutput = (chunk: Buffer, stream: 'stdout' | 'stderr') => void;

const headerSize = 8;

/**
 * Takes apart the stream of an exec without a terminal (Docker's API, "Attach to a container: stream format"): before
 * each piece a header of eight bytes, the stream's number in the first, the piece's length in the last four. Pieces are
 * handed on as they come, whatever length the header claims.
 */
export class OutputFrames {
  readonly #take: TakeOutput;
  #header = Buffer.alloc(0);
  #stream: 'stdout' | 'stderr' = 'stdout';
  /** Bytes of the present piece that have not come yet. */
  #rest = 0;

  constructor(take: TakeOutput) {
    this.#take = take;
  }

  write(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#rest === 0) {
        offset += this.#readHeader(chunk.subarray(offset, offset + headerSize - this.#header.length));
      } else {
        const part = chunk.subarray(offset, offset + this.#rest);
        this.#take(part, this.#stream);
        this.#rest -= part.length;
        offset += part.length;
      }
    }
  }

  /** @returns how many bytes were taken */
  #readHeader(bytes: Buffer): number {
    this.#header = Buffer.concat([this.#header, bytes]);
    if (this.#header.length === headerSize) {
      this.#stream = this.#header[0] === 2 ? 'stderr' : 'stdout';
      this.#rest = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
    return bytes.length;
  }
}
