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

/** How a program that runs in parts asks its `require` for `runCached`. */
export const runCachedId = 'oxide-guard:run-cached';

/** What a program gets as its `module`. */
interface ProgramModule {
  readonly exports: unknown;
  /** A number for the modules that it has started, where its build counts them: it tells calls of one kind from others. */
  started: number;
}

/**
 * Runs a CommonJS file with the code that V8 has compiled for it before: compiling the guards anew costs a hook more
 * than all they do. The cache lies beside the file and is written by the first run, and again by one that has started
 * other modules than any before, with what both needed; where that is not possible the file is compiled every time.
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
  const { bytes, length, stats } = readFile(path, null);
  const text = textOf(bytes, length);
  const { ino, size, ctimeMs } = stats;
  // No regular expression, whose compilation costs a hook more than all that stands here.
  const options = encodeURIComponent(process.execArgv.join('')).replaceAll('-', '').slice(0, 80);
  const prefix = `${path}.${process.version}-${process.arch}-${options}-`;
  const cachePath = `${prefix}${ino}-${size}-${ctimeMs}.cache`;
  let kinds = new Uint32Array(1 + kindsKept);
  const cachedData = readCache(cachePath, kinds);
  const script = new Script(text, { filename: path, ...(cachedData === null ? {} : { cachedData }) });
  if (cachedData === null || script.cachedDataRejected === true) {
    kinds = new Uint32Array(kinds.length);
  }
  const module: ProgramModule = { exports: {}, started: 0 };
  // At the end, when every function that a call needs has been compiled.
  process.on('exit', () => {
    const [count = 0] = kinds;
    const kind = module.started >>> 0;
    if (count === 0 || (count < kindsKept && !kinds.includes(kind, 1))) {
      kinds[0] = count + 1;
      kinds[count + 1] = kind;
      writeCache(cachePath, prefix, kinds, script);
    }
  });
  const run = script.runInThisContext() as (...wrapped: readonly unknown[]) => void;
  const requireOrRun = (id: string) => (id === runCachedId ? runCached : require(id));
  run.call(module.exports, module.exports, requireOrRun, module, path, dirname(path));
  return module.exports;
}

/**
 * A cache begins with the kinds of calls whose functions it holds: their number, then `started` of each. When there is no
 * room for another kind, it stays as it is.
 */
const kindsKept = 63;

/**
 * Every file is read into the same memory, because to get as much anew from the system takes longer than to read into
 * it. What is never written to costs nothing.
 */
let memory: (Buffer & { latin1Slice?(start: number, end: number): string }) | undefined;
const usualMemory = 1024 * 1024;

/** `toString` would need a part of node that has to be compiled first. */
function textOf(bytes: NonNullable<typeof memory>, length: number): string {
  return bytes.latin1Slice?.(0, length) ?? bytes.toString('latin1', 0, length);
}

/** @param kinds is filled with the cache's own */
function readCache(path: string, kinds: Uint32Array): Uint8Array | null {
  try {
    const { bytes, length } = readFile(path, kinds);
    return new Uint8Array(bytes.buffer, 0, length);
  } catch {
    return null;
  }
}

/**
 * Reads a whole file into `memory`. `readFileSync` would need 1 % of a hook's instructions more, and a `stat` besides.
 *
 * @param head gets the first bytes instead
 */
function readFile(
  path: string,
  head: Uint32Array | null,
): { bytes: NonNullable<typeof memory>; length: number; stats: Stats } {
  const file = openSync(path, 'r');
  try {
    const stats = fstatSync(file);
    if (memory === undefined || memory.length < stats.size) {
      memory = Buffer.allocUnsafeSlow(Math.max(stats.size, usualMemory));
    }
    const bytes = memory;
    const headLength = head === null ? 0 : readSync(file, head);
    const length = stats.size - headLength;
    for (let done = 0; done < length; ) {
      const read = readSync(file, bytes, done, length - done, null);
      if (read === 0) {
        throw new Error(`${path} became shorter while it was read`);
      }
      done += read;
    }
    return { bytes, length, stats };
  } finally {
    closeSync(file);
  }
}

/** @param prefix what the caches of former builds begin with, which nobody asks for any more */
function writeCache(path: string, prefix: string, kinds: Uint32Array, script: Script): void {
  const temporary = `${path}.${process.pid}`;
  let file: number;
  try {
    file = openSync(temporary, 'wx');
  } catch {
    return;
  }
  try {
    writeFileSync(file, kinds);
    writeFileSync(file, script.createCachedData());
    closeSync(file);
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
