import type { ToolContext } from '../src/tools/tool.ts';
import { nobodyToAsk } from '../src/ui/question.ts';

export interface Timed {
  readonly name: string;
  /** Brings the state back before a run; not measured. */
  readonly before?: () => void;
  readonly run: () => unknown;
}

/** Medians, in milliseconds, of functions that take turns in this process, after one warm-up round. */
export async function timeInTurns(contenders: readonly Timed[], rounds: number): Promise<ReadonlyMap<string, number>> {
  const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, before, run } of contenders) {
      before?.();
      const start = performance.now();
      await run();
      const elapsed = performance.now() - start;
      if (round >= 0) {
        samples.get(name)?.push(elapsed);
      }
    }
  }
  return new Map([...samples].map(([name, times]) => [name, median(times)]));
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function contextIn(root: string): ToolContext {
  const signal = new AbortController().signal;
  return { cwd: root, roots: [root], env: process.env, signal, questions: nobodyToAsk('this is a benchmark') };
}
