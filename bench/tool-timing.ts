import type { ToolContext } from '../src/tools/tool.ts';
import { nobodyToAsk } from '../src/ui/question.ts';

export interface Timed {
  readonly name: string;
  /** Brings the state back before a run; not measured. */
  readonly before?: () => void;
  readonly run: () => unknown;
}

/** Milliseconds. */
export interface Turns {
  readonly median: number;
  /** What a fifth of the runs stayed below: where the machine has other work, it says more than the median. */
  readonly fastestFifth: number;
  /** Median of the processor time of all threads of this process; of processes that it starts nothing is in it. */
  readonly processor: number;
}

/** Times functions that take turns in this process, each round another one first, after one warm-up round. */
export async function timeInTurns(contenders: readonly Timed[], rounds: number): Promise<ReadonlyMap<string, Turns>> {
  const samples = new Map(contenders.map(({ name }) => [name, { wall: [] as number[], processor: [] as number[] }]));
  for (let round = -1; round < rounds; round += 1) {
    const first = (round + 1) % contenders.length;
    for (const { name, before, run } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      before?.();
      const used = process.cpuUsage();
      const start = performance.now();
      await run();
      const elapsed = performance.now() - start;
      const { user, system } = process.cpuUsage(used);
      if (round >= 0) {
        samples.get(name)?.wall.push(elapsed);
        samples.get(name)?.processor.push((user + system) / 1_000);
      }
    }
  }
  return new Map([...samples].map(([name, { wall, processor }]) => [name, summarize(wall, processor)]));
}

function summarize(wall: readonly number[], processor: readonly number[]): Turns {
  return { median: quantile(wall, 0.5), fastestFifth: quantile(wall, 0.2), processor: quantile(processor, 0.5) };
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export function contextIn(root: string): ToolContext {
  const signal = new AbortController().signal;
  return { cwd: root, roots: [root], env: process.env, signal, questions: nobodyToAsk('this is a benchmark') };
}
