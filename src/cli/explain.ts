import { type RuleId, rules, type Verdict } from '../config/rules.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { ownEnvironment } from '../git/runner.ts';
import { type Judgement, judgeCommandLine } from '../guards/evaluate.ts';
import type { TraceEntry } from '../guards/trace.ts';
import type { Console } from '../ui/console.ts';
import { findingLines, printable } from '../ui/findings.ts';
import { fittedLines } from '../ui/fitted-lines.ts';
import type { Paint } from '../ui/paint.ts';
import { documentOf, exitCodes, noticeLines } from './check-answer.ts';
import type { Command } from './command.ts';
import { readJudgedLine } from './judged-line.ts';
import { repositoryConvention } from './repository-convention.ts';

export const explain: Command = {
  register(cli, console) {
    cli
      .command('explain [...command]', 'Tell step by step how a command line is judged')
      .option('--json', 'One JSON document')
      .option('--cwd <dir>', 'The directory it would run in')
      .allowUnknownOptions()
      .action((words: readonly string[]) => {
        const { command, cwd, options } = readJudgedLine('explain', words, ['--json']);
        if (command === null) {
          throw new OxideError('usage', 'No command was given to explain.', {
            remedy: "oxide-guard explain 'git push --force'",
            exitCode: ExitCode.usage,
          });
        }
        return tell(command, cwd, options.has('--json'), console);
      });
  },
};

async function tell(command: string, cwd: string, json: boolean, console: Console): Promise<ExitCode> {
  const judgement = await judgeCommandLine(command, {
    cwd,
    env: ownEnvironment(),
    convention: (repository) => repositoryConvention(repository, cwd),
  });
  noticeLines().forEach(console.err);
  const told = () => fittedLines(story(command, judgement, console.colors).join('\n'), process.stdout.columns);
  console.out(json ? JSON.stringify({ ...documentOf(judgement), steps: judgement.trace }) : told());
  return exitCodes[judgement.verdict];
}

function story(command: string, { verdict, findings, trace }: Judgement, paint: Paint): readonly string[] {
  const order = ', in the order in which they would happen:';
  const steps = trace.length < 2 ? ['no step.', 'one step:'][trace.length] : `${trace.length} steps${order}`;
  const spoken = new Map(findings.map((finding) => [finding.rule, finding.verdict] as const));
  return [
    paint.bold(printable(command)),
    `  is read as ${steps}`,
    ...trace.flatMap((entry, index) => ['', ...chapter(entry, index + 1, paint)]),
    ...remainder(findings, trace, paint),
    '',
    `Verdict: ${paint.bold(verdict)}${findings.length > 1 ? ', the strongest of all findings' : ''}.`,
    ...(spoken.size === 0 ? [] : ['', 'The rules, and how to configure them in oxide-guard.config.json:']),
    ...[...spoken].flatMap(([rule, inForce]) => [
      `  ${paint.bold(rule)}: ${rules[rule].summary}`,
      `    { "rules": { "${rule}": "${inForce}" } }   ${paint.dim(`${origin(rule, inForce)}; or off, allow, ask, deny`)}`,
    ]),
  ];
}

function origin(rule: RuleId, inForce: Verdict): string {
  const usual = rules[rule].default;
  return inForce === usual ? 'the default' : `as configured; the default is ${usual}`;
}

function chapter(
  { command, cwd, through, notes, findings }: TraceEntry,
  number: number,
  paint: Paint,
): readonly string[] {
  const inside = through.length === 0 ? '' : `, found in ${through.join(' → ')}`;
  return [
    `${number}. ${paint.bold(printable(command))}`,
    `   ${paint.dim(`in ${printable(cwd ?? 'a directory that can’t be known')}${printable(inside)}`)}`,
    ...notes.map((note) => `   ${printable(note)}`),
    ...(notes.length === 0 && findings.length === 0 ? ['   Nothing of this is git’s business.'] : []),
    ...findingLines(findings, paint).map((line) => `   ${line}`),
  ];
}

/** What no single step says: the line was too long to read to its end. */
function remainder(findings: Judgement['findings'], trace: readonly TraceEntry[], paint: Paint): readonly string[] {
  const told = new Set(trace.flatMap((entry) => entry.findings.map(({ message }) => message)));
  const rest = findings.filter(({ message }) => !told.has(message));
  return rest.length === 0 ? [] : ['', ...findingLines(rest, paint)];
}
