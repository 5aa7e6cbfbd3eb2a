import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Policy } from '../config/policy.ts';
import { OxideError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { quoteWord } from '../shell/quote.ts';
import type { SimpleCommand, Step, Word } from '../shell/simple-command.ts';
import { describeIntent } from './describe-intent.ts';
import { judgeFileChanges } from './file-step.ts';
import { type Finding, findings } from './finding.ts';
import { type Interpretation, interpret } from './git-command/interpret.ts';
import { type Invocation, normalizedKey, readInvocation } from './git-command/invocation.ts';
import { nearestCommand } from './git-command/nearest-command.ts';
import { namedOutputs } from './git-command/output-files.ts';
import { textOf } from './git-command/words.ts';
import type { Intent } from './intent.ts';
import { judgeIntent } from './judge-intent.ts';
import { judgeScratch } from './judge-scratch.ts';
import { judgeWithoutRepository } from './judge-without-repository.ts';
import { noteNewRepositories } from './new-repositories.ts';
import { placedFinding } from './placed-suggestion.ts';
import { programVariables } from './program-settings.ts';
import { judgePassingPrograms } from './rules/delayed-execution.ts';
import { judgePassingExpiry } from './rules/destroy-recovery.ts';
import { judgeEditedTodo } from './rules/lose-commits.ts';
import {
  type HookedCall,
  judgeEnvironment,
  judgeHookSettings,
  judgeOtherFiles,
  judgeWrittenFiles,
  readsOtherFiles,
  runsHooks,
} from './rules/skip-checks.ts';
import { unreadable } from './rules/unreadable-command.ts';
import type { Convention, Scene } from './scene.ts';
import { applyIntent } from './simulation/apply.ts';
import { type Overlay, overlaid } from './simulation/overlay.ts';
import { recordWrites } from './simulation/writes.ts';
import type { Place, World } from './world.ts';
import { filesAfter } from './written-files.ts';
import { readWrittenIncludes } from './written-includes.ts';

/** What was made of one step, before it is put into the judgement. */
export interface StepJudgement {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Judges steps that a command sets off, without a trace of their own. */
export type JudgeSteps = (steps: readonly Step[]) => Promise<readonly Finding[]>;

const harmless: StepJudgement = { findings: [], notes: [] };

/**
 * Judges one call of git.
 *
 * @param words what follows `git`
 * @param judgeSteps judges what git would start
 */
export async function judgeGitStep(
  command: SimpleCommand,
  words: readonly Word[],
  world: World,
  judgeSteps: JudgeSteps,
): Promise<StepJudgement> {
  const lookUp = (name: string) => world.variable(command, name);
  const invocation = readInvocation(words, command.cwd, lookUp);
  let opened: Promise<Place> | undefined;
  const place = () => {
    opened ??= world.place(invocation, command);
    return opened;
  };
  try {
    const call = new GitCall(command, invocation, world, place, judgeSteps);
    return await call.judge();
  } catch (error) {
    return failedJudgement(error, world);
  }
}

/** A server may refuse a push, a conflict stop a merge, a name that is not known be no name. */
function mayBeRefused(intent: Intent): boolean {
  const isNamed = intent.kind !== 'move-ref' || intent.ref === null || intent.ref.name.kind === 'known';
  return intent.kind === 'push' || intent.kind === 'grow' || !isNamed;
}

/** Errors of reading a repository that the command itself would run into. */
const refusedByGit = new Set(['not-a-repository', 'directory-missing', 'dubious-ownership', 'bare-repository-refused']);

/** git stops for the same reason, or the guard can't tell and says so. */
export async function failedJudgement(error: unknown, world: World): Promise<StepJudgement> {
  const code = error instanceof OxideError ? error.code : '';
  if (refusedByGit.has(code)) {
    return { findings: [], notes: ['git itself would stop: no repository is there that it would work on.'] };
  }
  const { policy } = await world.convention(null);
  const message = error instanceof Error ? error.message : String(error);
  return {
    findings: findings('guard-failure', policy, {
      message: `What this command does could not be worked out: ${message}`,
      suggestion: error instanceof OxideError ? error.remedy : 'oxide-guard doctor',
    }),
    notes: [],
  };
}

class GitCall {
  readonly #command: SimpleCommand;
  readonly #invocation: Invocation;
  readonly #world: World;
  readonly #place: () => Promise<Place>;
  readonly #judgeSteps: JudgeSteps;

  constructor(
    command: SimpleCommand,
    invocation: Invocation,
    world: World,
    place: () => Promise<Place>,
    judgeSteps: JudgeSteps,
  ) {
    this.#command = command;
    this.#invocation = invocation;
    this.#world = world;
    this.#place = place;
    this.#judgeSteps = judgeSteps;
  }

  async judge(): Promise<StepJudgement> {
    const { unknownOption } = this.#invocation;
    if (unknownOption !== null) {
      return this.#unreadable(unknownOption, 'any git command');
    }
    const judged = await this.#judgeWords();
    const { writtenTexts } = this.#world;
    if (writtenTexts.size === 0 || !readsOtherFiles([], this.#command.env)) {
      return judged;
    }
    const { directory } = this.#invocation;
    const { policy } = await this.#world.conventionAt(this.#command.cwd);
    const cwd = directory.kind === 'known' ? directory.path : '/';
    const { plain } = this.#hooked('');
    const written = judgeWrittenFiles(this.#command.env, writtenTexts, { cwd, plain, policy });
    return { ...judged, findings: [...written, ...judged.findings] };
  }

  async #judgeWords(): Promise<StepJudgement> {
    const { words } = this.#invocation;
    const interpretation = await interpret(
      words,
      this.#command.input,
      (name) => this.#aliasValue(name),
      (name) => this.#corrected(name),
    );
    switch (interpretation.kind) {
      case 'refused':
        return { findings: [], notes: [`git itself refuses: ${interpretation.reason}.`] };
      case 'unreadable':
        return this.#unreadable(interpretation.word, 'any git command');
      case 'shell':
        return this.#shellAlias(interpretation);
      case 'external':
        return { findings: [], notes: [`git ${interpretation.subcommand} is none of git's own commands.`] };
      case 'intents':
        return this.#judgeIntents(interpretation.subcommand, interpretation.intents);
    }
  }

  async #unreadable(word: Extract<Word, { kind: 'unknown' }>, could: string): Promise<StepJudgement> {
    const { policy } = await this.#world.conventionAt(this.#command.cwd);
    return { findings: unreadable(policy, { source: word.source, reason: word.reason, could }), notes: [] };
  }

  /** The last setting wins: of this call, else of the configuration. */
  async #aliasValue(name: string): Promise<Word | null> {
    const keys = [`alias.${name.toLowerCase()}`, `alias.${name}.command`];
    const passing = this.#invocation.settings.findLast(({ key }) => keys.includes(normalizedKey(textOf(key) ?? '')));
    if (passing !== undefined) {
      return passing.value;
    }
    const place = await this.#place();
    if (place.kind === 'scratch') {
      const value = keys.flatMap((key) => place.scratch.settings.get(key) ?? []).at(0);
      return value === undefined ? null : { kind: 'known', value };
    }
    if (place.kind !== 'repository') {
      return null;
    }
    const config = await overlaid(place.repository, place.likely).config();
    const value = keys.map((key) => config.get(key)).find((found) => found !== null) ?? null;
    return value === null ? null : { kind: 'known', value };
  }

  /** git-config(1) "help.autoCorrect": a command that is none is taken for the nearest one that is. */
  async #corrected(name: string): Promise<string | null> {
    const place = await this.#place();
    const key = 'help.autocorrect';
    const passing = this.#invocation.settings.findLast((setting) => normalizedKey(textOf(setting.key) ?? '') === key);
    const kept =
      place.kind === 'repository' ? (await overlaid(place.repository, place.likely).config()).get(key) : null;
    const value = passing === undefined ? kept : textOf(passing.value);
    return value !== null && /^(?:immediate|true|yes|on|-?[1-9]\d*)$/i.test(value) ? nearestCommand(name) : null;
  }

  /** git runs it in the top of the work tree, with the arguments after it: git-config(1) "alias.*". */
  async #shellAlias({ alias, script, args }: Extract<Interpretation, { kind: 'shell' }>): Promise<StepJudgement> {
    const place = await this.#place();
    const [top, env] =
      place.kind === 'repository'
        ? [place.repository.workTree ?? place.repository.cwd, place.repository.git.context.env]
        : ['/', this.#world.env];
    const appended = args.map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source)).join(' ');
    const source = `${script} ${appended}`.trimEnd();
    const { steps } = readCommandLine(source, { cwd: top, env, files: filesAfter(this.#world.writtenTexts) });
    const isPlaced = place.kind === 'repository';
    const placed = isPlaced ? steps : steps.map((step) => ({ ...step, cwd: this.#command.cwd }));
    return {
      findings: await this.#judgeSteps(placed),
      notes: [`The alias ${alias} makes a shell run: ${source}`],
    };
  }

  async #judgeIntents(subcommand: string, intents: readonly Intent[]): Promise<StepJudgement> {
    const name = subcommand.split(' ')[0] ?? '';
    if (subcommand === 'worktree add' && (await this.#place()).kind === 'none') {
      return { ...harmless, notes: ['git itself would stop: no repository is there.'] };
    }
    if (name === 'apply') {
      this.#world.patches.takeApply(this.#invocation, this.#command.input);
    }
    await noteNewRepositories(subcommand, this.#invocation, this.#command, this.#place, this.#world);
    const outputs = namedOutputs(this.#command.env, this.#invocation.settings);
    if (
      intents.length === 0 &&
      outputs.length === 0 &&
      !this.#namesPrograms() &&
      !(runsHooks(name) && this.#command.env.size > 0)
    ) {
      return { ...harmless, notes: [`git ${subcommand} changes nothing that the guard watches.`] };
    }
    const place = await this.#place();
    if (
      this.#worksOnNothing() &&
      intents.every(({ kind }) => kind === 'discard' || kind === 'change-files' || kind === 'switch')
    ) {
      return { ...harmless, notes: ['Its work tree is not there yet: nothing in it is at stake.'] };
    }
    const notes = intents.map((intent) => `git ${subcommand} ${describeIntent(intent)}.`);
    if (place.kind === 'scratch') {
      const { scratch } = place;
      const { settings } = this.#invocation;
      const call = {
        name,
        command: this.#command,
        scratch,
        settings,
        world: this.#world,
        judgeSteps: this.#judgeSteps,
      };
      return {
        findings: await judgeScratch(intents, call),
        notes: [...notes, `It works on ${scratch.directory}, where nothing is anybody's.`],
      };
    }
    if (place.kind !== 'repository') {
      const convention = await this.#world.convention(null);
      const call = {
        ...this.#hooked(name),
        command: this.#command,
        settings: this.#invocation.settings,
        writtenTexts: this.#world.writtenTexts,
      };
      return { findings: await judgeWithoutRepository(call, intents, place, convention), notes };
    }
    const found = await this.#judgeInRepository(name, intents, place);
    const { workTree, gitDir } = place.repository;
    return { findings: found, notes: [...notes, `It works on ${workTree ?? gitDir}.`] };
  }

  /** `--work-tree` names a directory that is not there. */
  #worksOnNothing(): boolean {
    const { directory, workTree } = this.#invocation;
    const given = textOf(workTree);
    return given !== null && directory.kind === 'known' && !existsSync(resolve(directory.path, given));
  }

  /** In its settings or its environment. */
  #namesPrograms(): boolean {
    return this.#invocation.settings.length > 0 || [...this.#command.env.keys()].some((key) => key in programVariables);
  }

  async #judgeInRepository(
    name: string,
    intents: readonly Intent[],
    place: Extract<Place, { kind: 'repository' }>,
  ): Promise<readonly Finding[]> {
    const { repository, likely, sure } = place;
    const { certain } = this.#command.origin;
    const convention = await this.#world.convention(repository);
    const found = [
      ...(await this.#judgeSettings(name, repository, convention.policy)),
      ...(await this.#judgeFiles(intents)),
    ];
    // Whatever came before may have failed: a command that runs in any case is judged in both worlds.
    const mayDiffer = certain && likely.isDoubtful;
    for (const overlay of mayDiffer ? [likely, sure] : [likely]) {
      found.push(...(await this.#judgeUnder(overlay, repository, intents, convention)));
    }
    const mayFail = !certain || intents.some(mayBeRefused);
    for (const overlay of mayFail ? [likely] : [likely, sure]) {
      overlay.isDoubtful ||= mayFail && intents.length > 0;
      overlay.shared.pending.push(
        ...intents.map((intent) => () => applyIntent(intent, overlay, overlaid(repository, overlay))),
      );
    }
    return found.map((finding) => placedFinding(finding, repository, this.#world.start));
  }

  /** What this call's own settings and environment do to the repository's checks. */
  async #judgeSettings(name: string, repository: Repository, policy: Policy): Promise<readonly Finding[]> {
    const { settings, directory, workTree } = this.#invocation;
    const call = this.#hooked(name);
    const included = await readWrittenIncludes(settings, this.#world.writtenTexts, repository);
    const found = [
      ...judgeHookSettings([...settings, ...included.settings], call, policy),
      ...included.unknown.flatMap((source) =>
        unreadable(policy, {
          source,
          reason: 'what this line writes to it is not known',
          could: 'settings that name other hooks or programs',
        }),
      ),
      ...judgePassingExpiry(settings, name, policy),
      ...judgeEnvironment(this.#command.env, call, policy),
    ];
    if (!readsOtherFiles(settings, this.#command.env) && workTree === null) {
      return found;
    }
    const usual = directory.kind === 'known' ? await this.#world.open(directory.path) : null;
    return [...found, ...(await judgeOtherFiles(usual, repository, call, policy))];
  }

  /** What its intents do in one of the worlds that the commands before it may have left. */
  async #judgeUnder(
    overlay: Overlay,
    repository: Repository,
    intents: readonly Intent[],
    convention: Convention,
  ): Promise<readonly Finding[]> {
    await overlay.settle();
    if (intents.some(({ kind }) => kind === 'discard')) {
      await recordWrites(this.#world.written, overlay, repository);
    }
    const { settings } = this.#invocation;
    const scene: Scene = {
      ...convention,
      command: this.#command,
      repository: overlaid(repository, overlay),
      overlay,
      writtenTexts: this.#world.writtenTexts,
      changesWorktrees: this.#world.changesWorktrees,
      patches: this.#world.patches,
      comesBack: this.#world.returns.after(this.#command),
      judgeSteps: this.#judgeSteps,
    };
    const found: Finding[] = this.#namesPrograms() ? [...(await judgePassingPrograms(settings, scene))] : [];
    if (intents.some((intent) => intent.kind === 'rewrite' && intent.means === 'git rebase -i')) {
      const passing = settings.findLast(({ key }) => normalizedKey(textOf(key) ?? '') === 'sequence.editor');
      found.push(...judgeEditedTodo(textOf(passing?.value), scene));
    }
    for (const intent of intents) {
      found.push(...(await judgeIntent(intent, scene)));
    }
    return found;
  }

  /** git keeps the repository, but not the guard's own files, nor what it is told to write to by name. */
  async #judgeFiles(intents: readonly Intent[]): Promise<readonly Finding[]> {
    const { workTree, settings } = this.#invocation;
    const fillsWorkTree = intents.some(({ kind }) => ['discard', 'change-files', 'switch'].includes(kind));
    const written = [
      ...intents.flatMap((intent) => (intent.kind === 'write-files' ? intent.paths : [])),
      ...namedOutputs(this.#command.env, settings),
      ...(workTree !== null && fillsWorkTree ? [workTree] : []),
    ];
    const removed = intents.flatMap((intent) =>
      intent.kind === 'change-files' && intent.to === 'nothing' ? intent.paths : [],
    );
    const changes = [
      ...removed.map((path) => ({ path, kind: 'remove' }) as const),
      ...written.map((path) => ({ path, kind: 'write' }) as const),
    ];
    return judgeFileChanges({ changes, cwd: this.#invocation.directory, destroys: false }, this.#world);
  }

  #hooked(subcommand: string): HookedCall {
    const { words, directory } = this.#invocation;
    const { cwd } = this.#command;
    const isElsewhere = directory.kind === 'known' && (cwd.kind === 'unknown' || cwd.path !== directory.path);
    const place = isElsewhere ? ['-C', quoteWord(directory.path)] : [];
    const spelled = words
      .map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source))
      .filter((word) => word !== '--no-verify');
    return { subcommand, plain: ['git', ...place, ...spelled].join(' ') };
  }
}
