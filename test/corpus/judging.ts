import { join } from 'node:path';
import { repositoryConvention } from '../../src/cli/repository-convention.ts';
import type { Verdict } from '../../src/config/rules.ts';
import { type Judgement, judgeCommandLine } from '../../src/guards/evaluate.ts';
import { Repositories } from '../../src/guards/simulation/repositories.ts';
import type { Row } from './rows.ts';
import { cleanEnvironment, type StateTemplates } from './states/build.ts';
import type { StateName } from './states/states.ts';

/** A row that the guard judged otherwise. */
export interface Miss {
  readonly row: Row;
  /** The verdict, with the rules of that strength: `ask (protected-push)`; what lacks a suggestion. */
  readonly got: string;
  readonly judgement: Judgement;
}

const describeVerdict = (verdict: Verdict, judged: Judgement): string => {
  const named = judged.findings.filter((finding) => finding.verdict === verdict).map(({ rule }) => rule);
  const bare = lacksSuggestion(judged) ? ', without a suggestion' : '';
  return `${verdict === 'allow' ? verdict : `${verdict} (${[...new Set(named)].join(', ')})`}${bare}`;
};

/** Whatever is stopped has to say what to do instead. */
function lacksSuggestion({ findings }: Judgement): boolean {
  return findings.some(({ verdict, suggestion }) => verdict !== 'allow' && suggestion === null);
}

/** Judges lines in their states' templates, which judging must not change: what is read there is read once. */
export function judgeIn(templates: StateTemplates): (state: StateName, line: string) => Promise<Judgement> {
  const known = new Map<StateName, Repositories>();
  return (state, line) => {
    const sandbox = templates.template(state);
    const repositories = known.get(state) ?? new Repositories();
    known.set(state, repositories);
    return judgeCommandLine(line, {
      cwd: join(sandbox, 'work'),
      env: cleanEnvironment(sandbox),
      convention: repositoryConvention,
      repositories,
    });
  };
}

/** Judges every row in its state. */
export async function judgedMisses(rows: readonly Row[], templates: StateTemplates): Promise<readonly Miss[]> {
  const judge = judgeIn(templates);
  const misses: Miss[] = [];
  for (const row of rows) {
    const judgement = await judge(row.state, row.command);
    const rules = judgement.findings.filter(({ verdict }) => verdict === row.verdict).map(({ rule }) => rule);
    const isRight =
      judgement.verdict === row.verdict &&
      !lacksSuggestion(judgement) &&
      (row.rule === undefined || row.verdict === 'allow' || rules.includes(row.rule));
    if (!isRight) {
      misses.push({ row, got: describeVerdict(judgement.verdict, judgement), judgement });
    }
  }
  return misses;
}
