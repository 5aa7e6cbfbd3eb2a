import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';

/** How a build went, as the engine told. */
export interface BuildOutcome {
  /** Null: it succeeded. */
  readonly problem: string | null;
  /** The last lines of what it said. */
  readonly lines: readonly string[];
}

export interface BuildStep {
  readonly text: string;
  readonly done?: number;
  readonly total?: number;
}

const keptLines = 50;
/** Characters. */
const longestLine = 500;

/**
 * Reads an engine's answer to a build: JSON texts, one after the other, a line for each.
 *
 * @param onLine takes every line as it comes; steps are counted
 */
export async function readBuildOutput(
  answer: IncomingMessage,
  onLine: (step: BuildStep) => void,
): Promise<BuildOutcome> {
  const decoder = new StringDecoder('utf8');
  let lines: readonly string[] = [];
  let problem: string | null = null;
  let rest = '';
  let step: Pick<BuildStep, 'done' | 'total'> = {};
  const take = (text: string) => {
    const { said, error } = partOf(text);
    problem ??= error;
    for (const line of said.split(/\r?\n/).filter((line) => line.trim() !== '')) {
      const shown = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
      step = stepOf(line) ?? step;
      lines = [...lines, shown].slice(-keptLines);
      onLine({ text: shown, ...step });
    }
  };
  for await (const chunk of answer) {
    const texts = (rest + decoder.write(chunk as Buffer)).split('\n');
    rest = texts.pop() ?? '';
    texts.forEach(take);
  }
  take(rest);
  return { problem, lines };
}

function partOf(text: string): { readonly said: string; readonly error: string | null } {
  if (text.trim() === '') {
    return { said: '', error: null };
  }
  try {
    const { stream, status, error } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const said = [stream, status].filter((part) => typeof part === 'string').join('\n');
    return { said, error: typeof error === 'string' ? error.trim() : null };
  } catch {
    return { said: text, error: null };
  }
}

/** `Step 1/3 : FROM x` of Docker, `STEP 1/3: FROM x` of Podman. */
function stepOf(line: string): { readonly done: number; readonly total: number } | null {
  const found = /^(?:\[\d+\/\d+\] )?STEP (\d+)\/(\d+)\s*:/i.exec(line);
  return found === null ? null : { done: Number(found[1]) - 1, total: Number(found[2]) };
}
