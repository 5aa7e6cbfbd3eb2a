import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Runs a CommonJS file with the code that V8 has compiled for it before: compiling the guards anew costs a hook more
 * than all they do. The cache lies beside the file and is written by the first run; where that is not possible the
 * file is compiled every time.
 *
 * V8 itself compares no more than the source's length, so the cache's name carries the file's identity: inode, size
 * and time of change, of which an update can keep none but the size. Code that was compiled under other options of node
 * is none that V8 takes, so their names are in it, too.
 *
 * The code can't import modules: V8 does not keep what node needs to know for that (see `importCli`).
 *
 * @param path a file of ASCII text: one function expression, the wrapper that node puts around a CommonJS module; the
 *   build writes it, because here it would cost a copy of the text
 * @param require the caller's own, whose directory is the file's, or one that knows more
 * @returns what the file exports
 */
export function runCached(path: string, require: (id: string) => unknown): unknown {
  const { bytes, stats } = readWhole(path, Buffer.allocUnsafeSlow);
  const text = bytes.toString('latin1');
  const { ino, size, ctimeMs } = stats;
  // No regular expression, whose compilation costs a hook more than all that stands here.
  const options = encodeURIComponent(process.execArgv.join('')).replaceAll('-', '').slice(0, 80);
  const prefix = `${path}.${process.version}-${process.arch}-${options}-`;
  const cachePath = `${prefix}${ino}-${size}-${ctimeMs}.cache`;
  const cachedData = readCache(cachePath, bytes);
  const script = new Script(text, {
    filename: path,
    ...(cachedData === null ? {} : { cachedData }),
  });
  if (cachedData === null || script.cachedDataRejected === true) {
    // At the end, when every function that a call needs has been compiled.
    process.on('exit', () => writeCache(cachePath, prefix, script.createCachedData()));
  }
  const module = { exports: {} };
  const run = script.runInThisContext() as (...wrapped: readonly unknown[]) => void;
  run.call(module.exports, module.exports, require, module, path, dirname(path));
  return module.exports;
}

/** @param used memory that nobody needs any more: to get as much anew from the system takes longer than to read into it */
function readCache(path: string, used: Buffer<ArrayBuffer>): Uint8Array | null {
  try {
    return readWhole(path, (size) => (size > used.length ? new Uint8Array(size) : new Uint8Array(used.buffer, 0, size)))
      .bytes;
  } catch {
    return null;
  }
}

/** `readFileSync` would need 1 % of a hook's instructions more, and a `stat` besides. */
function readWhole<B extends Uint8Array>(path: string, memory: (size: number) => B): { bytes: B; stats: Stats } {
  const file = openSync(path, 'r');
  try {
    const stats = fstatSync(file);
    const bytes = memory(stats.size);
    for (let length = 0; length < bytes.length; ) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) {
        throw new Error(`${path} became shorter while it was read`);
      }
      length += read;
    }
    return { bytes, stats };
  } finally {
    closeSync(file);
  }
}

/** @param prefix what the caches of former builds begin with, which nobody asks for any more */
function writeCache(path: string, prefix: string, data: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, data, { flag: 'wx' });
    renameSync(temporary, path);
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(basename(prefix)) && name.endsWith('.cache') && name !== basename(path)) {
        rmSync(join(dirname(path), name), { force: true });
      }
    }
  } catch {
    rmSync(temporary, { force: true });
  }
}
