import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One command of a comparison: prepared once, run once per round, its runs interleaved with the others'. */
export interface Contender {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Brings the state back before a run; not measured. */
  readonly before?: () => void;
  /** Exit codes that mean the run did what it should. Default: 0. */
  readonly expect?: readonly number[];
}

export interface Timing {
  readonly name: string;
  /** Milliseconds. */
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Milliseconds of processor time, the mean; null where the system does not tell. */
  readonly processor: number | null;
}

/**
 * Times whole processes, A B C A B C …, after one warm-up round: machines drift, ratios of one run do not.
 *
 * @param rounds how often each contender runs
 * @throws Error when a run ends with an unexpected exit code: a benchmark of something broken says nothing
 */
export function timeInterleaved(contenders: readonly Contender[], rounds: number): readonly Timing[] {
  const samples = contenders.map((): number[] => []);
  const processor = contenders.map(() => 0);
  for (let round = -1; round < rounds; round += 1) {
    contenders.forEach((contender, index) => {
      contender.before?.();
      const before = processorTime() ?? 0;
      const elapsed = timeOnce(contender);
      if (round >= 0) {
        samples[index]?.push(elapsed);
        processor[index] = (processor[index] ?? 0) + (processorTime() ?? 0) - before;
      }
    });
  }
  const isKnown = processorTime() !== null;
  return contenders.map(({ name }, index) => ({
    ...summarize(name, samples[index] ?? []),
    processor: isKnown ? (processor[index] ?? 0) / rounds : null,
  }));
}

/** Milliseconds that the children waited for so far, and theirs, have used: proc(5), stat, cutime and cstime. */
function processorTime(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\)/s, '').trim().split(' ');
    const ticksPerSecond = 100;
    return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond;
  } catch {
    return null;
  }
}

function timeOnce({ name, command, args, cwd, env, input, expect = [0] }: Contender): number {
  const start = process.hrtime.bigint();
  const run = spawnSync(command, args, { cwd, env: env ?? process.env, input: input ?? '', encoding: 'utf8' });
  const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
  if (run.status === null || !expect.includes(run.status)) {
    throw new Error(`${name}: exit code ${run.status}\n${run.stdout}${run.stderr}`);
  }
  return elapsed;
}

function summarize(name: string, samples: readonly number[]): Omit<Timing, 'processor'> {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { name, median: at(0.5), minimum: at(0), maximum: at(1) };
}

/** Cost over a baseline, in milliseconds, and the ratio of two such costs. */
export function costs(timings: readonly Timing[], baseline: string): ReadonlyMap<string, number> {
  const base = timings.find(({ name }) => name === baseline)?.median ?? 0;
  return new Map(timings.map(({ name, median }) => [name, median - base]));
}

/** A Markdown table, as docs/benchmarks.md holds it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
