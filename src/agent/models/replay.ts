import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ExitCode, OxideError } from '../../errors.ts';
import { type Model, type ModelTurn, noUsage } from '../model.ts';

const recordedTurn = z.strictObject({
  text: z.string().optional(),
  tool_calls: z.array(z.strictObject({ name: z.string(), input: z.unknown() })).optional(),
  /** What the provider counted; for tests of compaction and cost. */
  usage: z.strictObject({ input_tokens: z.int(), output_tokens: z.int() }).optional(),
});

/**
 * A model that says what a file says: NDJSON, one turn a line. Subagents take their turns from the same file, in the
 * order in which they ask.
 *
 * @param file relative to `cwd`
 * @throws OxideError `replay-unreadable`, `replay-invalid` (naming the line)
 */
export function openReplay(file: string, read: (path: string) => string = readText): ReplayTurns {
  const lines = readRecording(file, read)
    .replace(/^\uFEFF/, '')
    .split('\n');
  const turns = lines.flatMap((line, index) => (line.trim() === '' ? [] : [parseTurn(line, file, index + 1)]));
  return new ReplayTurns(file, turns);
}

/** The turns of one recording, and how many of them were taken. */
export class ReplayTurns {
  readonly #file: string;
  readonly #turns: readonly Omit<ModelTurn, 'stop'>[];
  #taken = 0;

  constructor(file: string, turns: readonly Omit<ModelTurn, 'stop'>[]) {
    this.#file = file;
    this.#turns = turns;
  }

  /** @param name under which sessions and reports know it */
  model(name: string): Model {
    return {
      name,
      turn: async ({ signal, onText }) => {
        signal.throwIfAborted();
        const turn = this.#next();
        if (turn.text !== '') {
          onText(turn.text);
        }
        return { ...turn, stop: turn.calls.length > 0 ? 'calls' : 'end' };
      },
    };
  }

  #next(): Omit<ModelTurn, 'stop'> {
    const turn = this.#turns[this.#taken];
    this.#taken += 1;
    if (turn === undefined) {
      const count = this.#turns.length === 1 ? '1 turn' : `${this.#turns.length} turns`;
      throw new OxideError('replay-ended', `${this.#file} has ${count}, and the session asked for another one.`, {
        remedy: 'Add the turn that follows as one more line: {"text": "Done."}',
      });
    }
    return turn;
  }
}

function parseTurn(line: string, file: string, number: number): Omit<ModelTurn, 'stop'> {
  const value = parseJson(line);
  if (value === undefined) {
    throw invalid(file, number, 'it is no JSON');
  }
  const parsed = recordedTurn.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw invalid(file, number, `${where === '' ? 'the line' : where}: ${issue?.message ?? 'not valid'}`);
  }
  const { text = '', tool_calls: calls = [], usage } = parsed.data;
  return {
    text,
    calls: calls.map(({ name, input }, index) => ({ id: `call_${number}_${index + 1}`, name, input })),
    usage:
      usage === undefined
        ? noUsage
        : { ...noUsage, inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readRecording(file: string, read: (path: string) => string): string {
  try {
    return read(file);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new OxideError('replay-unreadable', `The recording ${file} can't be read (${code}).`, {
      remedy: 'oxide-guard agent --provider replay:FILE "…"',
      exitCode: ExitCode.usage,
      cause,
    });
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function invalid(file: string, line: number, problem: string): OxideError {
  return new OxideError('replay-invalid', `${file}, line ${line}: ${problem}.`, {
    remedy: 'One turn a line: {"text": "…", "tool_calls": [{"name": "Read", "input": {"file_path": "a.txt"}}]}',
    exitCode: ExitCode.usage,
  });
}
