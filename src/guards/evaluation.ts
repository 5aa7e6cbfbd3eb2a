import { mayChangeByGit } from '../shell/command-of-git.ts';
import { standsOnGuess } from '../shell/path.ts';
import { startsInPowerShell } from '../shell/programs/power-shell.ts';
import { programName, type SimpleCommand, type Step, type Unreadable, type Word } from '../shell/simple-command.ts';
import { proposingCall } from './calling-commit.ts';
import type { Finding } from './finding.ts';
import { filesTogether } from './findings-together.ts';
import { judgedSubcommands } from './git-command/subcommands.ts';
import { known, shown } from './git-command/words.ts';
import { judgeGitStep } from './git-step.ts';
import { clearingFacts } from './looked-at.ts';
import { namingTheCommand } from './part-of-line.ts';
import { stepsOfPrintedScript } from './printed-scripts.ts';
import { judgeProgramStep, judgeWrite } from './program-step.ts';
import { unreadable } from './rules/unreadable-command.ts';
import { Answers } from './simulation/answers/answers.ts';
import { failedJudgement, type StepJudgement } from './step-judgement.ts';
import type { TraceEntry } from './trace.ts';
import type { World } from './world.ts';

/** What the line asks before keeps it from coming so far. */
const unreached: StepJudgement = { findings: [], notes: ['The line does not come so far.'] };

/** Deeper than any alias of an alias that a person wrote. */
const maxDepth = 8;

/** What could not be read to its end, with the reason. */
interface Unread {
  /** The line. */
  readonly source: string;
  /** Scripts that it runs. */
  readonly unread: readonly string[];
  readonly reason: string;
}

/** Folds the steps of a command line, left to right, into findings. */
export class Evaluation {
  readonly findings: Finding[] = [];
  readonly #judged: { readonly step: Step; readonly judged: StepJudgement }[] = [];
  readonly #world: World;
  readonly #answers: Answers;
  #depth = 0;

  /** @param steps the whole line, before its first step is taken */
  constructor(world: World, steps: readonly Step[]) {
    this.#world = world;
    this.#answers = new Answers(steps);
  }

  async take(given: Step): Promise<void> {
    const step = given.kind === 'command' ? this.#answers.applied(given) : given;
    const judging = this.#judgement(step);
    // What is waited for without need costs time for every command.
    const judged = judging instanceof Promise ? await judging : judging;
    if (given.kind === 'command' && this.#answers.isAsked(given)) {
      await this.#answers.record(given, this.#world);
    }
    const findings = judged.findings.length === 0 ? [] : this.#proposing(step, filesTogether(judged.findings));
    this.findings.push(...findings);
    this.#judged.push({ step, judged: { ...judged, findings } });
  }

  /** What is proposed stands for what the line says. */
  #proposing(step: Step, found: readonly Finding[]): readonly Finding[] {
    const { through } = step.origin;
    const called = through.length === 0 ? found : proposingCall(this.#callersOf(step), found, this.#world.start);
    return step.kind === 'command' && this.#world.uses.isPart(step) ? namingTheCommand(called, step) : called;
  }

  /** The calls by which a step was found, the outermost first: of programs that commit, or run a script. */
  #callersOf({ origin: { through } }: Step): readonly SimpleCommand[] {
    const commands = this.#judged.flatMap(({ step }) => (step.kind === 'command' ? [step] : []));
    return through.flatMap((label, depth) => {
      // What was found by another program is called by that one's name.
      const isCaller = ({ argv, origin }: SimpleCommand) =>
        origin.through.length === depth && [programName(argv[0]), origin.through.at(-1)].includes(label.split(' ')[0]);
      return commands.findLast(isCaller) ?? [];
    });
  }

  /** Keeps what the step prints, if somebody uses it. */
  async #answer(step: Step, answers: Answers): Promise<void> {
    if (step.kind === 'command' && answers.isAsked(step)) {
      await answers.record(step, this.#world);
    }
  }

  /** How it came to the findings. Put into words where somebody asks: few do. */
  get trace(): readonly TraceEntry[] {
    return this.#judged.map(({ step, judged: { findings, notes, lookedAt } }) => ({
      command: step.kind === 'command' ? step.argv.map(shown).join(' ') : describe(step),
      cwd: step.cwd.kind === 'known' ? step.cwd.path : null,
      through: step.origin.through,
      notes: lookedAt === undefined ? notes : [...notes, ...clearingFacts(lookedAt, findings)],
      findings,
    }));
  }

  /** Reading stopped before the end of the line, or of a script that it runs. */
  async takeTruncated({ source, unread, reason }: Unread): Promise<void> {
    if (!couldRunGit(source) && !unread.some(mayChangeByGit)) {
      return;
    }
    const { policy } = await this.#world.convention(null);
    this.findings.push(...unreadable(policy, { source, reason, could: 'any git command' }));
  }

  /** What stands on a guess is asked about, whatever it would do; what can't be read was judged without one. */
  #judgement(step: Step): Promise<StepJudgement> | StepJudgement {
    if (this.#world.decisions.neverComes(step.origin.path)) {
      // What is known on its way still counts.
      return Promise.resolve(this.#attempt(step)).then(() => unreached);
    }
    const judging = this.#attempt(step);
    return standsOnGuess(step.origin.path)
      ? Promise.resolve(judging).then((judged) => ({ ...judged, findings: judged.findings.flatMap(asked) }))
      : judging;
  }

  /** What the guard itself fails at may be none of its business. */
  #attempt(step: Step): Promise<StepJudgement> | StepJudgement {
    const failed = (error: unknown) => {
      const text = step.kind === 'command' ? step.argv.map(shown).join(' ') : describe(step);
      return /git/i.test(text) ? failedJudgement(error, this.#world) : { findings: [], notes: [] };
    };
    try {
      const judging = this.#judge(step);
      return judging instanceof Promise ? judging.catch(failed) : judging;
    } catch (error) {
      return failed(error);
    }
  }

  #judge(step: Step): Promise<StepJudgement> | StepJudgement {
    switch (step.kind) {
      case 'command':
        return this.#judgeCommand(step);
      case 'write':
        return judgeWrite(step, this.#world, (steps) => this.#judgeNested(steps));
      case 'unreadable':
        return this.#judgeUnreadable(step);
    }
  }

  #judgeCommand(command: SimpleCommand): Promise<StepJudgement> | StepJudgement {
    const program = programName(command.argv[0]);
    const words = command.argv.slice(1);
    const judgeSteps = (steps: readonly Step[]) => this.#judgeNested(steps);
    if (program === 'git' || (program === 'hub' && !isHubsOwn(shown(words[0] ?? known(''))))) {
      return judgeGitStep(command, words, this.#world, judgeSteps);
    }
    // `git-push`, as it lies in git's exec path.
    if (program?.startsWith('git-') === true && !isOwnProgram(command.argv[0], program.slice(4))) {
      return judgeGitStep(command, [known(program.slice(4)), ...words], this.#world, judgeSteps);
    }
    const reversal = program === 'patch' ? reversedPatch(words, command.input) : null;
    if (reversal !== null) {
      return this.#judgePatch(command, reversal);
    }
    return program === null
      ? { findings: [], notes: [] }
      : judgeProgramStep(program, command, { world: this.#world, judgeSteps: (steps) => this.#judgeNested(steps) });
  }

  /** @param reversal what git would do in its place */
  async #judgePatch(command: SimpleCommand, reversal: readonly Word[]): Promise<StepJudgement> {
    const judged = await judgeGitStep(command, reversal, this.#world, (steps) => this.#judgeNested(steps));
    const findings = judged.findings.map((finding) => ({
      ...finding,
      message: finding.message.replace(/^git apply(?: --reverse)?/, 'patch'),
    }));
    return { ...judged, findings };
  }

  async #judgeUnreadable(step: Unreadable): Promise<StepJudgement> {
    if (step.cwd.kind === 'unknown' && step.cwd.isElsewhere === true) {
      return { findings: [], notes: ['What another machine runs is none of this repository’s.'] };
    }
    const isNoGit =
      step.part === 'program' ? !couldBeGit(step.argv.slice(1)) : step.part === 'syntax' && !couldStartGit(step);
    if (isNoGit) {
      return { findings: [], notes: ['A program whose name is not known, with words that mean nothing to git.'] };
    }
    const read = await stepsOfPrintedScript(step, this.#world);
    if (read !== null) {
      return { findings: await this.#judgeNested(read), notes: ['The script is read from the repository.'] };
    }
    const { policy } = await this.#world.conventionAt(step.cwd);
    const { source, reason, part } = step;
    return { findings: unreadable(policy, { source, reason, part, could: 'any git command' }), notes: [] };
  }

  async #judgeNested(steps: readonly Step[]): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    this.#depth += 1;
    if (this.#depth <= maxDepth) {
      const answers = new Answers(steps);
      for (const step of steps) {
        const answered = step.kind === 'command' ? answers.applied(step) : step;
        found.push(...(await this.#judge(answered)).findings);
        await this.#answer(step, answers);
      }
    }
    this.#depth -= 1;
    return found;
  }
}

/** `git diff | patch -R` takes changes back, as `git apply -R` does: patch(1). Null: it takes nothing back. */
function reversedPatch(words: readonly Word[], input: SimpleCommand['input']): readonly Word[] | null {
  const texts = words.map(shown);
  const at = texts.findIndex((text) => /^-i$|^--input$/.test(text));
  const isDry = texts.includes('--dry-run');
  const file = at < 0 ? texts.flatMap((text) => /^(?:-i|--input=)(.+)$/.exec(text)?.[1] ?? []) : [texts[at + 1] ?? '-'];
  const isReversed = texts.some((text) => /^(?:-[a-zA-Z]*R|--reverse$)/.test(text));
  // What is piped may be reversed itself: `git diff -R | patch`.
  const isPiped = input?.kind === 'unknown' && input.printedBy !== undefined && file.length === 0;
  return isDry || !(isReversed || isPiped) ? null : ['apply', ...(isReversed ? ['-R'] : []), ...file].map(known);
}

/** `./bin/git-sync`: a program that somebody builds, and none that is installed beside git's. */
function isOwnProgram(word: Word | undefined, subcommand: string): boolean {
  const path = word?.kind === 'known' ? word.value : (word?.suffix ?? '');
  const isInstalled = /^(?:(?:\/(?!tmp\/).*)?\/(?:bin|sbin|git-core)\/)?[^/]*$/.test(path);
  return !isInstalled && !judgedSubcommands.has(subcommand);
}

/** hub passes everything that is not its own on to git. */
function isHubsOwn(subcommand: string): boolean {
  return [
    'api',
    'delete',
    'release',
    'pr',
    'issue',
    'gist',
    'ci-status',
    'browse',
    'compare',
    'fork',
    'create',
    'sync',
  ].includes(subcommand);
}

/** policy.md, "Reading a command": what is not known matters, but nothing says that it is so. */
function asked(finding: Finding): readonly Finding[] {
  const { rule, verdict } = finding;
  return rule === 'unreadable-command' ? [] : [verdict === 'deny' ? { ...finding, verdict: 'ask' } : finding];
}

function describe(step: Exclude<Step, SimpleCommand>): string {
  return step.kind === 'write' ? `> ${shown(step.path)}` : step.source;
}

/** Words that git would refuse, whatever the program's name is: `$PYTHON script.py`, `$CC -o main main.c`. */
function couldBeGit(words: readonly Word[]): boolean {
  const [first] = words;
  if (first === undefined || first.kind === 'unknown') {
    return true;
  }
  return words.some((word) => {
    const text = shown(word);
    return judgedSubcommands.has(text) || /git|^\+|\s|^-f$|^--(?:force|hard|delete|mirror|prune|no-verify)/.test(text);
  });
}

/** Text that no shell reads as a whole: git is named there, or what an expansion brings is a command. */
function couldStartGit({ source, origin }: Unreadable): boolean {
  const isPowerShell = origin.through.some((program) => /^(?:pwsh|powershell)/.test(program));
  return /git|\beval\b|\bsource\b/.test(source) || (isPowerShell ? startsInPowerShell : startsUnknown).test(source);
}

/** `"$TOOL" push`, `if $cmd`, `xargs $cmd`: an expansion in the place of a program. */
const startsUnknown =
  /(?:^|[\n;&|({\x60]|\b(?:if|then|elif|else|while|until|do|exec|command|env|sudo|xargs|time|nohup)\s|-\w*c\s|(?:^|\s)\.\s)\s*["']?\$/;

function couldRunGit(source: string): boolean {
  return /git|\beval\b|\bsource\b|\$/.test(source);
}
