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
 * @param require the caller's own, whose directory is the file's
 */
export function runCached(path: string, require: NodeJS.Require): void {
  const { bytes, stats } = readWhole(path);
  const { ino, size, ctimeMs } = stats;
  const options = process.execArgv.join('').replace(/\W+/g, '').slice(0, 80);
  const prefix = `${path}.${process.version}-${process.arch}-${options}-`;
  const cachePath = `${prefix}${ino}-${size}-${ctimeMs}.cache`;
  const cachedData = readCache(cachePath);
  const script = new Script(bytes.toString('latin1'), {
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
}

function readCache(path: string): Buffer | null {
  try {
    return readWhole(path).bytes;
  } catch {
    return null;
  }
}

/** `readFileSync` would need 1 % of a hook's instructions more, and a `stat` besides. */
function readWhole(path: string): { readonly bytes: Buffer; readonly stats: Stats } {
  const file = openSync(path, 'r');
  try {
    const stats = fstatSync(file);
    const bytes = Buffer.allocUnsafeSlow(stats.size);
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
