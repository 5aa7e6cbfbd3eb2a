import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { redact } from '../../audit/redaction.ts';

/** One piece of what a workspace's commands wrote. */
export interface LogEntry {
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly exec_id: string;
  /** `command`: the command line that begins here. `end`: how it ended. */
  readonly stream: 'command' | 'stdout' | 'stderr' | 'end';
  /** One line, without its end. */
  readonly text: string;
}

/** Bytes after which a new file is begun; the one before is kept, so a log takes at most about twice as much. */
const fileSize = 1024 * 1024;
/** Bytes of one command's output that are kept in the log: it must not push everything else out. */
const execShare = 256 * 1024;
/** Characters. */
const longestLine = 4_000;

/** What the commands of one workspace wrote, in a file of bounded size; without what looks like a credential. */
export class ExecLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  append(entries: readonly LogEntry[]): void {
    if (entries.length === 0) {
      return;
    }
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > fileSize) {
      renameSync(this.#file, `${this.#file}.1`);
    }
    const lines = entries.map((entry) => `${JSON.stringify({ ...entry, text: redact(entry.text) })}\n`);
    appendFileSync(this.#file, lines.join(''), { mode: 0o600 });
  }

  /**
   * The newest entries, oldest first.
   *
   * @param tail how many at most
   * @param since milliseconds since the epoch
   */
  read(tail: number, since: number): { readonly entries: readonly LogEntry[]; readonly truncated: boolean } {
    const all = [`${this.#file}.1`, this.#file].flatMap(entriesOf).filter(({ ts }) => ts >= since);
    return { entries: all.slice(-tail), truncated: all.length > tail };
  }

  remove(): void {
    rmSync(`${this.#file}.1`, { force: true });
    rmSync(this.#file, { force: true });
  }
}

/** A line that is cut off was being written when the server was killed. */
function entriesOf(file: string): readonly LogEntry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as LogEntry];
    } catch {
      return [];
    }
  });
}

/** Writes the lines of one command into the log, as they are complete. */
export class ExecTranscript {
  readonly #log: ExecLog;
  readonly #execId: string;
  readonly #now: () => number;
  readonly #streams = {
    stdout: { decoder: new StringDecoder('utf8'), rest: '' },
    stderr: { decoder: new StringDecoder('utf8'), rest: '' },
  };
  #size = 0;
  #omitted = 0;

  constructor(log: ExecLog, execId: string, now: () => number) {
    this.#log = log;
    this.#execId = execId;
    this.#now = now;
  }

  begin(command: string): void {
    this.#log.append([this.#entry('command', command)]);
  }

  write(chunk: Buffer, name: 'stdout' | 'stderr'): void {
    if (this.#size >= execShare) {
      this.#omitted += chunk.length;
      return;
    }
    this.#size += chunk.length;
    const stream = this.#streams[name];
    const lines = (stream.rest + stream.decoder.write(chunk)).split('\n');
    stream.rest = (lines.pop() ?? '').slice(0, longestLine);
    this.#log.append(lines.map((line) => this.#entry(name, line)));
  }

  end(how: string): void {
    const rests = (['stdout', 'stderr'] as const).flatMap((name) => {
      const rest = this.#streams[name].rest + this.#streams[name].decoder.end();
      return rest === '' ? [] : [this.#entry(name, rest)];
    });
    const left = this.#omitted === 0 ? '' : ` ${this.#omitted} more bytes of output are not in the log.`;
    this.#log.append([...rests, this.#entry('end', `${how}${left}`)]);
  }

  #entry(stream: LogEntry['stream'], text: string): LogEntry {
    const cut = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
    return { ts: this.#now(), exec_id: this.#execId, stream, text: cut };
  }
}
