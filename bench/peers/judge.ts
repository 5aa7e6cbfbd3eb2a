/**
 * Judges the corpus by oxide-guard and its peers, in the same repositories, and writes the table of docs/judgement.md.
 * Run: `npm --prefix bench/peers install && npx jiti bench/peers/judge.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgedMisses } from '../../test/corpus/judging.ts';
import { type Row, readRows } from '../../test/corpus/rows.ts';
import { StateTemplates } from '../../test/corpus/states/build.ts';
import { type Guard, peers } from './guards.ts';

/** What one guard did with the rows of one subject. */
interface Score {
  missed: number;
  falseAlarms: number;
}

const root = mkdtempSync(join(tmpdir(), 'oxide-guard-peers-'));
for (const name of Object.keys(process.env).filter((key) => /^(GIT_|HUSKY|LEFTHOOK|SKIP$|XDG_|CC_SAFETY)/.test(key))) {
  delete process.env[name];
}
Object.assign(process.env, { HOME: root, GIT_CONFIG_NOSYSTEM: '1' });
const templates = new StateTemplates(root);
const rows = readRows();
const subjects = [...new Set(rows.map(({ subject }) => subject))];
const workTree = (row: Row) => join(templates.template(row.state), 'work');

function score(stopped: ReadonlyMap<Row, boolean>, subject: string | null): Score {
  const judged = rows.filter((row) => subject === null || row.subject === subject);
  return {
    missed: judged.filter((row) => row.verdict !== 'allow' && stopped.get(row) === false).length,
    falseAlarms: judged.filter((row) => row.verdict === 'allow' && stopped.get(row) === true).length,
  };
}

async function judgeBy(guard: Guard): Promise<ReadonlyMap<Row, boolean>> {
  const stopped = new Map<Row, boolean>();
  for (const row of rows) {
    stopped.set(row, await guard.stops(row.command, workTree(row)));
  }
  return stopped;
}

/** Every 40th row through the real hook: the library must answer as the hook does. */
async function disagreements(guard: Guard, stopped: ReadonlyMap<Row, boolean>): Promise<string> {
  const { hook } = guard;
  if (hook === null) {
    return `${guard.name}: the plugin's own function is the interface`;
  }
  const sample = rows.filter((_row, index) => index % 40 === 0);
  let different = 0;
  for (const row of sample) {
    different += (await hook(row.command, workTree(row))) === stopped.get(row) ? 0 : 1;
  }
  return `${guard.name}: library and hook differ on ${different} of ${sample.length} rows`;
}

/** oxide-guard's answers: stopped at all, and the rows that did not get exactly the verdict of the corpus. */
async function judgeByOurs() {
  const misses = new Map((await judgedMisses(rows, templates)).map((miss) => [miss.row, miss.judgement.verdict]));
  return { stopped: new Map(rows.map((row) => [row, (misses.get(row) ?? row.verdict) !== 'allow'])), misses };
}

function table(names: readonly string[], judged: readonly ReadonlyMap<Row, boolean>[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const cell = ({ missed, falseAlarms }: Score) => `${missed} / ${falseAlarms}`;
  const count = (subject: string | null, dangerous: boolean) =>
    rows.filter((row) => (subject === null || row.subject === subject) && (row.verdict !== 'allow') === dangerous)
      .length;
  const body = [...subjects, null].map((subject) =>
    line([
      subject ?? '**all**',
      count(subject, true),
      count(subject, false),
      ...judged.map((stopped) => cell(score(stopped, subject))),
    ]),
  );
  return [
    line(['subject', 'to stop', 'harmless', ...names]),
    line(['---', '--:', '--:', ...names.map(() => '--:')]),
    ...body,
  ].join('\n');
}

const ours = await judgeByOurs();
console.warn = () => undefined;
const guards = await peers();
const answers = [];
const notes = [];
for (const guard of guards) {
  const stopped = await judgeBy(guard);
  answers.push(stopped);
  notes.push(`- ${await disagreements(guard, stopped)}`);
}
const names = ['oxide-guard', ...guards.map(({ name, version }) => `${name} ${version}`)];
const settled = rows.filter((row) => row.open !== undefined && !ours.misses.has(row));
const text = [
  table(names, [ours.stopped, ...answers]),
  '',
  `Measured on ${new Date().toISOString().slice(0, 10)} with node ${process.version}, ${rows.length} commands; ` +
    `${ours.misses.size} of them did not get exactly the corpus's verdict and rule from oxide-guard.`,
  '',
  ...notes,
].join('\n');
const document = join(import.meta.dirname, '..', '..', 'docs', 'judgement.md');
const [head = '', , tail = ''] = readFileSync(document, 'utf8').split(/<!-- (?:table|end of the table) -->\n/);
writeFileSync(document, `${head}<!-- table -->\n${text}\n<!-- end of the table -->\n${tail}`);
console.log(text);
if (settled.length > 0) {
  console.log(
    `\nMarked open, but judged right: ${settled.map(({ subject, line }) => `${subject}:${line}`).join(', ')}`,
  );
}
rmSync(root, { recursive: true, force: true });
