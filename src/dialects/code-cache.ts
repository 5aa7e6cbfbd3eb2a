import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';

/**
 * Runs a CommonJS file with the code that V8 has compiled for it before: compiling the guards anew costs a hook more
 * than all they do. The cache lies beside the file and is written by the first run; where that is not possible the
 * file is compiled every time.
 *
 * The cache begins with the source it belongs to, because V8 itself compares no more than the length.
 */
export function runCached(path: string, require: NodeJS.Require): void {
  const source = readFileSync(path);
  const cachePath = `${path}.${process.version}-${process.arch}.cache`;
  const cachedData = readCache(cachePath, source);
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${source.toString('utf8')}\n})`,
    {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === null ? {} : { cachedData }),
    },
  );
  if (cachedData === null || script.cachedDataRejected === true) {
    // At the end, when every function that a call needs has been compiled.
    process.on('exit', () => writeCache(cachePath, source, script.createCachedData()));
  }
  const module = { exports: {} };
  const run = script.runInThisContext() as (...wrapped: readonly unknown[]) => void;
  run.call(module.exports, module.exports, require, module, path, dirname(path));
}

function readCache(path: string, source: Buffer): Buffer | null {
  try {
    const cache = readFileSync(path);
    return cache.subarray(0, source.length).equals(source) ? cache.subarray(source.length) : null;
  } catch {
    return null;
  }
}

function writeCache(path: string, source: Buffer, data: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([source, data]), { flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
