import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** One entry of an archive: a file of this machine, a text, or a symbolic link. */
export type TarEntry = {
  /** Relative, with `/` between its parts. */
  readonly name: string;
} & (
  | { readonly kind: 'file'; readonly path: string; readonly executable: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly target: string }
);

const blockSize = 512;
/** Octal digits of a size in the header; what is larger stands in a record of its own. */
const sizeLimit = 8 ** 11;
const chunkSize = 256 * 1024;

/**
 * A tar archive as a stream: the ustar format, with records of pax where a name, a target or a size does not fit
 * (pax(1), "ustar Interchange Format"). Owner, group and time are always the same: an engine's cache of build steps
 * depends on what is in the files.
 */
export function tarArchive(entries: readonly TarEntry[]): Readable {
  return Readable.from(blocksOf(entries), { objectMode: false });
}

async function* blocksOf(entries: readonly TarEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield* entry.kind === 'file' ? fileBlocks(entry) : textBlocks(entry);
  }
  yield Buffer.alloc(2 * blockSize);
}

function* textBlocks(entry: Exclude<TarEntry, { kind: 'file' }>): Generator<Buffer> {
  const body = Buffer.from(entry.kind === 'text' ? entry.text : '', 'utf8');
  yield header(entry.name, {
    type: entry.kind === 'link' ? '2' : '0',
    mode: 0o644,
    size: body.length,
    target: entry.kind === 'link' ? entry.target : '',
  });
  yield padded(body);
}

/** The size is that of the open file, and exactly so much is read, whatever happens to it meanwhile. */
async function* fileBlocks({ name, path, executable }: TarEntry & { kind: 'file' }): AsyncGenerator<Buffer> {
  // A link that was put in its place would lead out of the context.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    yield header(name, { type: '0', mode: executable ? 0o755 : 0o644, size, target: '' });
    yield* contentOf(file, size);
    yield Buffer.alloc(-size & (blockSize - 1));
  } finally {
    await file.close();
  }
}

async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  let rest = size;
  while (rest > 0) {
    const buffer = Buffer.alloc(Math.min(chunkSize, rest));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    // A file that was cut off meanwhile ends with zeros.
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    rest -= bytesRead === 0 ? buffer.length : bytesRead;
  }
}

interface Header {
  readonly type: '0' | '2' | 'x';
  readonly mode: number;
  readonly size: number;
  readonly target: string;
}

function header(name: string, { type, mode, size, target }: Header): Buffer {
  const records = [
    ...(fits(name) ? [] : [record('path', name)]),
    ...(fits(target) ? [] : [record('linkpath', target)]),
    ...(size < sizeLimit ? [] : [record('size', String(size))]),
  ];
  const plain = block(name, { type, mode, size, target });
  if (records.length === 0) {
    return plain;
  }
  const body = Buffer.concat(records);
  return Buffer.concat([block('pax', { type: 'x', mode: 0o644, size: body.length, target: '' }), padded(body), plain]);
}

const fieldSize = 100;

/** Other characters than ASCII have no encoding in the old fields. */
function fits(text: string): boolean {
  return Buffer.byteLength(text) <= fieldSize && /^[\x20-\x7e]*$/.test(text);
}

function block(name: string, { type, mode, size, target }: Header): Buffer {
  const bytes = Buffer.alloc(blockSize);
  const octal = (value: number, offset: number, digits: number) =>
    bytes.write(value.toString(8).padStart(digits, '0'), offset, 'latin1');
  bytes.write(name, 0, fieldSize, 'utf8');
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size < sizeLimit ? size : 0, 124, 11);
  octal(0, 136, 11);
  bytes.write(' '.repeat(8), 148, 'latin1');
  bytes.write(type, 156, 'latin1');
  bytes.write(target, 157, fieldSize, 'utf8');
  bytes.write('ustar\x0000', 257, 'latin1');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

/** `LENGTH KEY=VALUE` and a line feed; the length counts itself. */
function record(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  let total = length + String(length).length;
  total = length + String(total).length;
  return Buffer.from(`${total}${rest}`, 'utf8');
}

function padded(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.alloc(-body.length & (blockSize - 1))]);
}
