import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
import { type EngineAddress, formatAddress } from './engine-address.ts';

/** One request to an engine. */
export interface EngineRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** With its query, every part of it encoded. */
  readonly path: string;
  /** JSON, or a tar archive. */
  readonly body?: { readonly json: unknown } | { readonly tar: Readable };
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the answer begins, and for {@link EngineHttp.json} until it has ended. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

/** The engine has answered, and says no. */
export class EngineRefusal extends OxideError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('engine-refused', `The container engine refused (${status}): ${message}`);
    this.status = status;
  }
}

/** The engine can't be spoken to, or breaks off. */
export class EngineUnreachable extends OxideError {
  /** Where and why, as the end of a sentence. */
  readonly reason: string;

  constructor(address: string, why: string, cause: unknown) {
    super('engine-unreachable', `The container engine at ${address} can't be used: ${why}.`, {
      remedy: `DOCKER_HOST=${quoteWord(address)} docker info   # does it answer? Otherwise start it again.`,
      cause,
    });
    this.reason = `at ${address} ${why}`;
  }
}

/** Bytes of an answer that is kept in memory. The list of a thousand containers takes about one megabyte. */
const maxAnswer = 16 * 1024 * 1024;

/** Speaks HTTP to an engine at its socket. A connection for each request: one that breaks takes no other with it. */
export class EngineHttp {
  readonly address: EngineAddress;

  constructor(address: EngineAddress) {
    this.address = address;
  }

  /**
   * Resolves when the answer begins.
   *
   * @throws EngineRefusal for a status of 400 and above, OxideError `engine-unreachable`, `interrupted`
   */
  async send(engineRequest: EngineRequest): Promise<IncomingMessage> {
    const answer = await this.#answerTo(engineRequest);
    const status = answer.statusCode ?? 0;
    if (status < 400) {
      return answer;
    }
    const text = (await this.#collect(answer, engineRequest.timeout)).toString('utf8');
    throw new EngineRefusal(status, messageOf(text));
  }

  /** The whole answer as JSON; null where it is empty. The caller says what it is. */
  async json<Answer>(engineRequest: EngineRequest): Promise<Answer> {
    const answer = await this.send(engineRequest);
    const text = (await this.#collect(answer, engineRequest.timeout)).toString('utf8');
    try {
      return (text.trim() === '' ? null : JSON.parse(text)) as Answer;
    } catch (cause) {
      throw this.unreachable('its answer is not JSON', cause);
    }
  }

  /** @param why a sentence about the engine, without its end */
  unreachable(why: string, cause?: unknown): EngineUnreachable {
    return new EngineUnreachable(formatAddress(this.address), why, cause);
  }

  #answerTo({ method, path, body, headers = {}, timeout, signal }: EngineRequest): Promise<IncomingMessage> {
    const { address } = this;
    const place = address.kind === 'unix' ? { socketPath: address.path } : { host: address.host, port: address.port };
    const json = body !== undefined && 'json' in body ? JSON.stringify(body.json) : null;
    const described: Record<string, string> =
      json === null
        ? body === undefined
          ? {}
          : { 'Content-Type': 'application/x-tar' }
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(json)) };
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(signal?.aborted === true ? interrupted() : this.#asUnreachable(error));
      };
      const call = request(
        { ...place, method, path, agent: false, signal, headers: { Host: 'engine', ...described, ...headers } },
        (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
      );
      const timer = setTimeout(() => call.destroy(new Error(`it did not answer in ${timeout} ms`)), timeout);
      call.on('error', fail);
      if (body !== undefined && 'tar' in body) {
        body.tar.on('error', (error) => call.destroy(error));
        body.tar.pipe(call);
      } else {
        call.end(json ?? undefined);
      }
    });
  }

  #collect(answer: IncomingMessage, timeout: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const timer = setTimeout(() => answer.destroy(new Error(`its answer did not end in ${timeout} ms`)), timeout);
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxAnswer) {
          answer.destroy(new Error(`its answer has more than ${maxAnswer} bytes`));
        }
      });
      answer.once('error', (error) => reject(this.#asUnreachable(error)));
      answer.once('end', () => resolve(Buffer.concat(chunks)));
      answer.once('close', () => clearTimeout(timer));
    });
  }

  #asUnreachable(error: Error): OxideError {
    return error instanceof OxideError ? error : this.unreachable(reasonOf(error), error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nothing listens there',
  EACCES: 'this user may not use it',
  ECONNRESET: 'it broke the connection off',
  EPIPE: 'it broke the connection off',
};

function reasonOf(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? error.message;
}

function interrupted(): OxideError {
  return new OxideError('interrupted', 'The call was interrupted before the container engine had answered.');
}

/** Engines answer with `{"message": …}`. */
function messageOf(text: string): string {
  try {
    const answer = JSON.parse(text) as { readonly message?: unknown };
    return typeof answer.message === 'string' ? answer.message : text;
  } catch {
    return text.trim() || 'without a reason';
  }
}
