import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type RuleId, rules, type Verdict } from '../../src/config/rules.ts';
import { type StateName, states } from './states/states.ts';

/** One command of the corpus and what a guard must say to it. README.md tells the fields. */
export interface Row {
  /** The file that holds it, without `.jsonl`. */
  readonly subject: string;
  readonly line: number;
  readonly command: string;
  readonly state: StateName;
  readonly verdict: Verdict;
  /** The rule that must be among the findings of that strength. */
  readonly rule?: RuleId;
  readonly why: string;
  /** What running it does, as effects.ts can see it; all must hold. `not-executed: REASON` where a test can't run it. */
  readonly effect?: readonly string[];
  /** Run after the command to show an effect that comes later. */
  readonly then?: string;
  /** A harmless row that is cheap and safe to run: nothing may be lost by it. */
  readonly run?: true;
  /** What the guard says instead, where it does not yet say what it must. The row is judged, but not held against it. */
  readonly open?: string;
  /** Programs without which the effect can't be shown on this machine; `git 2.54` asks for that version or a newer one. */
  readonly needs?: readonly string[];
}

const folder = import.meta.dirname;

/** Every row, in the order of files and lines. Throws on a row that breaks the format. */
export function readRows(): readonly Row[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readSubject(join(folder, name)));
}

/** So many rows at the end of each file, where new ones are written, belong to every part. */
const newest = 60;

/**
 * The rows that take long are tested with: all, or with `CORPUS_PART=2/4` in the environment every fourth from the
 * second on, and the newest of each file.
 *
 * @throws where the variable has another form
 */
export function ofThisPart(rows: readonly Row[]): readonly Row[] {
  const given = process.env.CORPUS_PART ?? '1/1';
  const [, part, parts] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(given) ?? [];
  if (part === undefined || Number(part) > Number(parts)) {
    throw new Error(`CORPUS_PART is '${given}', not one like '2/4'`);
  }
  const counts = new Map<string, number>();
  for (const { subject, line } of rows) {
    counts.set(subject, Math.max(line, counts.get(subject) ?? 0));
  }
  return rows.filter(
    ({ subject, line }, index) =>
      index % Number(parts) === Number(part) - 1 || line > (counts.get(subject) ?? 0) - newest,
  );
}

function readSubject(file: string): Row[] {
  const subject = basename(file, '.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => (text === '' ? [] : [checked({ ...JSON.parse(text), subject, line: index + 1 })]));
}

function checked(row: Row): Row {
  const place = `${row.subject}.jsonl:${row.line}`;
  if (typeof row.command !== 'string' || !(row.state in states) || !['allow', 'ask', 'deny'].includes(row.verdict)) {
    throw new Error(`${place}: command, state or verdict is wrong`);
  }
  if (row.rule !== undefined && !(row.rule in rules)) {
    throw new Error(`${place}: there is no rule ${row.rule}`);
  }
  if (row.verdict !== 'allow' && (row.effect === undefined || row.effect.length === 0 || row.rule === undefined)) {
    throw new Error(`${place}: a stopped command names its rule and its effect`);
  }
  return row;
}
