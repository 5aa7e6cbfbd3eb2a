import type { Verdict } from '../config/rules.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { diskFiles, type ScriptFiles } from '../shell/script-files.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { Evaluation } from './evaluation.ts';
import { byStrength, type Finding, strongest } from './finding.ts';
import { shown } from './git-command/words.ts';
import type { Convention } from './scene.ts';
import { successIn } from './simulation/answers/git-conditions.ts';
import { answersIn } from './simulation/answers/git-queries.ts';
import type { AskSettled } from './simulation/answers/settled-questions.ts';
import { scriptsAfterGit } from './simulation/brought-scripts.ts';
import { directoryMade } from './simulation/files/made-directories.ts';
import { Repositories } from './simulation/repositories.ts';
import type { TraceEntry } from './trace.ts';
import { World } from './world.ts';

export interface EvaluateOptions {
  /** Absolute directory in which the command line would run. */
  readonly cwd: string;
  /** The environment it would run in. */
  readonly env: Environment;
  /** A repository's configuration; null: where the repository can't be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
  /** Shared by lines that are judged one after the other; one line needs none. */
  readonly repositories?: Repositories;
}

const knownFiles = new WeakMap<AskSettled, ScriptFiles>();

/** The disk, and what git puts there: that is asked for only where a line runs a script behind such a call of git. */
function filesWith(ask: AskSettled): ScriptFiles {
  const known = knownFiles.get(ask);
  if (known !== undefined) {
    return known;
  }
  let after: ScriptFiles['afterGit'];
  const files: ScriptFiles = {
    ...diskFiles,
    afterGit(path, calls, limit) {
      after ??= scriptsAfterGit(ask);
      return after(path, calls, limit);
    },
  };
  knownFiles.set(ask, files);
  return files;
}

/** After so many steps a front's timer may fire: what waits for no file and no process would not let it. */
const stepsInOneTurn = 64;

const nextTurn = () => new Promise<void>((done) => setImmediate(done));

/** One program call that the command line would make, as a script reads it. */
export interface JudgedCommand {
  readonly argv: readonly string[];
  /** Null where it can't be known. */
  readonly cwd: string | null;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** The strongest first. */
  readonly findings: readonly Finding[];
  readonly commands: readonly JudgedCommand[];
  /** How it came to this, step by step. */
  readonly trace: readonly TraceEntry[];
  /** The directories that a shell which is kept open may stand in afterwards, as far as they are known. */
  readonly endsIn: readonly string[];
}

/**
 * Judges a command line by what it would do to repositories and their remotes now. Reads it as a shell would, follows
 * it from left to right, and asks git only for the facts that a rule needs. Never throws.
 */
export async function judgeCommandLine(source: string, options: EvaluateOptions): Promise<Judgement> {
  const { cwd, env, convention, repositories = new Repositories(Number.POSITIVE_INFINITY) } = options;
  const line = { environment: env, ask: repositories.ask };
  const { steps, truncated, unread, endsIn } = readCommandLine(source, {
    cwd,
    env,
    files: filesWith(repositories.ask),
    outputOf: answersIn(line),
    successOf: successIn(line),
    madeBy: (command, before) => directoryMade(command, before, line),
    runsNow: true,
  });
  const evaluation = new Evaluation(new World({ cwd, env, convention, repositories, steps }), steps);
  for (const [at, step] of steps.entries()) {
    await evaluation.take(step);
    if (at % stepsInOneTurn === stepsInOneTurn - 1) {
      await nextTurn();
    }
  }
  if (truncated !== null) {
    await evaluation.takeTruncated({ source, unread, reason: truncated });
  }
  const findings = byStrength(withoutRepetitions(evaluation.findings));
  const commands = steps.filter((step) => step.kind === 'command').map(judgedCommand);
  return new LineJudgement(evaluation, { findings, commands, endsIn });
}

/** Not an object with an accessor written into it, which V8 makes slowly. */
class LineJudgement implements Judgement {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly commands: readonly JudgedCommand[];
  readonly endsIn: readonly string[];
  readonly #evaluation: Evaluation;

  constructor(
    evaluation: Evaluation,
    { findings, commands, endsIn }: Pick<Judgement, 'findings' | 'commands' | 'endsIn'>,
  ) {
    this.verdict = strongest(findings);
    this.findings = findings;
    this.commands = commands;
    this.endsIn = endsIn;
    this.#evaluation = evaluation;
  }

  get trace(): readonly TraceEntry[] {
    return this.#evaluation.trace;
  }
}

function judgedCommand({ argv, cwd }: SimpleCommand): JudgedCommand {
  return { argv: argv.map(shown), cwd: cwd.kind === 'known' ? cwd.path : null };
}

/** A loop or a list of the same commands says everything once. */
function withoutRepetitions(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) {
    return findings;
  }
  const seen = new Set<string>();
  return findings.filter(({ rule, message }) => {
    const key = `${rule}\0${message}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
