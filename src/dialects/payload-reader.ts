import { closeSync, constants, fstatSync, openSync, read, readFileSync, readSync, writeSync } from 'node:fs';

/** Bytes of a payload that are read at most. */
export const maximumPayload = 10 * 1024 * 1024;

/** What was read, or why nothing whole was: `too-large`, or `late` when it did not end in time. */
export type PayloadText = { readonly text: string } | 'too-large' | 'late';

const pipeSize = 64 * 1024;

/**
 * Reads the payload from standard input to its end, or to the end of a whole JSON object: some agents keep the pipe
 * open. Reads the descriptor itself, because `process.stdin` costs a hook 6 ms; it is used only for other
 * things than files, sockets, and pipes on Linux, where a read that never ends could not be called off.
 *
 * @param deadline milliseconds since the epoch
 */
export function readPayload(deadline: number): PayloadText | Promise<PayloadText> {
  const input = fstatSync(0);
  if (input.isFile()) {
    return input.size > maximumPayload ? 'too-large' : { text: readFileSync(0, 'utf8') };
  }
  const time = Math.max(0, deadline - Date.now());
  const collector = new Collector();
  if (process.platform === 'linux' && input.isFIFO()) {
    return readWaitingPipe(collector) ?? readPipe(collector, time);
  }
  const socket = input.isSocket() ? openSocket() : null;
  return socket === null ? readStream(time) : (readWaiting(0, collector) ?? readSocket(socket, collector, time));
}

/** A second opening of the pipe, which does not block; reading in the background would start threads. */
function readWaitingPipe(collector: Collector): PayloadText | null {
  let pipe: number;
  try {
    pipe = openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return readWaiting(pipe, collector);
  } finally {
    closeSync(pipe);
  }
}

/**
 * What the agent has written while node was starting, mostly all there is.
 *
 * @param descriptor one that does not block
 * @returns null when there is more to come
 */
function readWaiting(descriptor: number, collector: Collector): PayloadText | null {
  const buffer = Buffer.allocUnsafe(pipeSize);
  try {
    for (;;) {
      const done = collector.take(buffer.subarray(0, readSync(descriptor, buffer)));
      if (done !== null) {
        return done;
      }
    }
  } catch {
    return null; // EAGAIN
  }
}

function readPipe(collector: Collector, time: number): Promise<PayloadText> {
  return new Promise((resolve) => {
    const buffer = Buffer.allocUnsafe(pipeSize);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve('late');
      wakeReader();
    }, time);
    const next = () =>
      read(0, buffer, 0, buffer.length, null, (error, size) => {
        const done = collector.take(error === null ? buffer.subarray(0, size) : Buffer.alloc(0));
        if (isLate) {
          return;
        }
        if (done === null) {
          next();
        } else {
          clearTimeout(timer);
          resolve(done);
        }
      });
    next();
  });
}

/** A process can't end while a read blocks: a byte written into the pipe from its other end ends the read. */
function wakeReader(): void {
  try {
    const pipe = openSync('/proc/self/fd/0', constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(pipe, '\n');
    closeSync(pipe);
  } catch {
    // The agent has closed its end: the read has ended by itself.
  }
}

/** What is used of the handle beneath node's sockets. */
interface SocketHandle {
  /** @returns an error's number, or 0 */
  open(descriptor: number): number;
  /** Called with what has come; without anything at the end. */
  onread: (chunk?: ArrayBuffer) => void;
  readStart(): void;
  readStop(): void;
}

interface SocketBinding {
  readonly Pipe: new (type: number) => SocketHandle;
  readonly constants: { readonly SOCKET: number };
}

/**
 * Node gives its children sockets where other programs use pipes, and many agents run on node. For a socket
 * `process.stdin` loads `node:net` and all streams, which costs a hook as much as all of its judgement; the handle
 * beneath costs nothing, and makes the descriptor one that does not block. It is none of node's documented interfaces:
 * where it can't be had, there is the stream.
 */
function openSocket(): SocketHandle | null {
  try {
    const { Pipe, constants } = (process as unknown as { binding(name: 'pipe_wrap'): SocketBinding }).binding(
      'pipe_wrap',
    );
    const socket = new Pipe(constants.SOCKET);
    return socket.open(0) === 0 ? socket : null;
  } catch {
    return null;
  }
}

/**
 * Reads what comes later. Node's timers are started only where nothing has come meanwhile: to start and to stop one costs
 * 2 % of a call.
 */
function readSocket(socket: SocketHandle, collector: Collector, time: number): Promise<PayloadText> {
  return new Promise((resolve) => {
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    const finish = (result: PayloadText) => {
      isDone = true;
      if (timer !== undefined) {
        clearTimeout(timer);
      }
      socket.readStop();
      resolve(result);
    };
    setImmediate(() => {
      if (!isDone) {
        timer = setTimeout(() => finish('late'), time);
      }
    });
    socket.onread = (chunk) => {
      const done = collector.take(chunk === undefined ? Buffer.alloc(0) : Buffer.from(chunk));
      if (done !== null) {
        finish(done);
      }
    };
    socket.readStart();
  });
}

function readStream(time: number): Promise<PayloadText> {
  return new Promise((resolve) => {
    const collector = new Collector();
    const finish = (result: PayloadText) => {
      clearTimeout(timer);
      process.stdin.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => finish('late'), time);
    const take = (chunk: Buffer) => {
      const done = collector.take(chunk);
      if (done !== null) {
        finish(done);
      }
    };
    process.stdin.on('data', take);
    process.stdin.on('end', () => take(Buffer.alloc(0)));
    process.stdin.on('error', () => take(Buffer.alloc(0)));
  });
}

/** Chunks up to the end of the input, or of one JSON object. */
class Collector {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /**
   * @param chunk may be a part of a buffer that is used again
   * @returns null while there is more to come; an empty chunk is the end
   */
  take(chunk: Buffer): PayloadText | null {
    this.#size += chunk.length;
    if (this.#size > maximumPayload) {
      return 'too-large';
    }
    const isEnd = chunk.length === 0;
    if (isEnd || endsObject(chunk)) {
      const text = (this.#chunks.length === 0 ? chunk : Buffer.concat([...this.#chunks, chunk])).toString();
      if (isEnd || isJson(text)) {
        return { text };
      }
    }
    this.#chunks.push(Buffer.from(chunk));
    return null;
  }
}

/** Is the last character, but for white space, a closing brace? */
function endsObject(bytes: Buffer): boolean {
  let last = bytes.length - 1;
  while (last >= 0 && (bytes[last] ?? 0) <= 0x20) {
    last -= 1;
  }
  return bytes[last] === 0x7d;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
}
