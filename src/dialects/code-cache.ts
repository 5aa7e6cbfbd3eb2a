import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Bytes at the start of a cache that name the file it belongs to. */
const headerLength = 64;

/**
 * Runs a CommonJS file with the code that V8 has compiled for it before: compiling the guards anew costs a hook more
 * than all they do. The cache lies beside the file and is written by the first run; where that is not possible the
 * file is compiled every time.
 *
 * V8 itself compares no more than the source's length, so the cache begins with the file's identity: inode, size and
 * time of change, of which an update can keep none but the size.
 *
 * The code can't import modules: V8 does not keep what node needs to know for that (see `importCli`).
 *
 * @param path a file of ASCII text, which is read as Latin-1 because that is faster: one function expression, the
 *   wrapper that node puts around a CommonJS module; the build writes it, because here it would cost a copy of the text
 * @param require the caller's own, whose directory is the file's
 */
export function runCached(path: string, require: NodeJS.Require): void {
  const { source, identity } = readSource(path);
  const cachePath = `${path}.${process.version}-${process.arch}.cache`;
  const cachedData = readCache(cachePath, identity);
  const script = new Script(source, {
    filename: path,
    ...(cachedData === null ? {} : { cachedData }),
  });
  if (cachedData === null || script.cachedDataRejected === true) {
    // At the end, when every function that a call needs has been compiled.
    process.on('exit', () => writeCache(cachePath, identity, script.createCachedData()));
  }
  const module = { exports: {} };
  const run = script.runInThisContext() as (...wrapped: readonly unknown[]) => void;
  run.call(module.exports, module.exports, require, module, path, dirname(path));
}

/** The text and the identity of one and the same file, even while another takes its place. */
function readSource(path: string): { readonly source: string; readonly identity: Buffer } {
  const file = openSync(path, 'r');
  try {
    const { ino, size, ctimeMs } = fstatSync(file);
    const identity = Buffer.alloc(headerLength, ' ');
    identity.write(`${ino} ${size} ${ctimeMs}`, 'latin1');
    return { source: readFileSync(file, 'latin1'), identity };
  } finally {
    closeSync(file);
  }
}

function readCache(path: string, identity: Buffer): Buffer | null {
  try {
    const cache = readFileSync(path);
    return cache.subarray(0, headerLength).equals(identity) ? cache.subarray(headerLength) : null;
  } catch {
    return null;
  }
}

function writeCache(path: string, identity: Buffer, data: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([identity, data]), { flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
