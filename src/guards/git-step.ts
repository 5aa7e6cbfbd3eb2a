import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Repository } from '../git/repository.ts';
import { quoteWord } from '../quote.ts';
import { readCommandLine } from '../shell/command-line.ts';
import { standFor, taking } from '../shell/path.ts';
import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import { withAgreeingSuggestions } from './agreeing-suggestions.ts';
import { proposingCall } from './calling-commit.ts';
import { describeIntent } from './describe-intent.ts';
import { hooksDirectoryOf } from './files/hooks-directory.ts';
import { mayOnlyFill } from './filled-worktree.ts';
import { type GitCall, hookedCall, type JudgeSteps, namesPrograms } from './git-call.ts';
import { throughFile } from './git-command/configured-file.ts';
import { type Interpretation, interpret, interpretOwn } from './git-command/interpret.ts';
import { type Invocation, lastSetting, readInvocation } from './git-command/invocation.ts';
import { nearestCommand } from './git-command/nearest-command.ts';
import { namedOutputs } from './git-command/output-files.ts';
import { known, textOf, textsOf } from './git-command/words.ts';
import { handedHooks } from './handed-hooks.ts';
import { recordSettings } from './included-settings.ts';
import type { Intent } from './intent.ts';
import { judgeInRepository } from './judge-in-repository.ts';
import { judgeScratch } from './judge-scratch.ts';
import { judgeWithoutRepository } from './judge-without-repository.ts';
import { makesRepositories, noteNewRepositories } from './new-repositories.ts';
import type { Place } from './place.ts';
import { ofPublishedSite } from './published-site.ts';
import { judgeWrittenFiles, readsOtherFiles, runsHooks } from './rules/checks/skip-checks.ts';
import { unreadable } from './rules/unreadable-command.ts';
import { inEnvironmentOf, underSettings } from './run-steps.ts';
import { hasConflicts, lookedForConflicts } from './simulation/files/conflict-questions.ts';
import { applyAbsence, asksNow, type LookedFor, lookedFor, surelyFound } from './simulation/files/known-clean.ts';
import { linesOfChanges, surelyChooses } from './simulation/files/printed-changes.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { Overlay } from './simulation/overlay.ts';
import { applyBelow, askedBelow } from './simulation/refs/known-below.ts';
import { failedJudgement, isRefusedByGit, type StepJudgement } from './step-judgement.ts';
import { templatedHooks } from './template-hooks.ts';
import type { World } from './world.ts';
import { filesAfter } from './written-files.ts';

/** What matters only where there is a work tree. */
const changingWorkTree: ReadonlySet<Intent['kind']> = new Set(['discard', 'bring-files', 'change-files', 'switch']);

/** Calls that succeed whatever they find: they name no commit and no file. */
const printing =
  /^(?:status(?: (?:-[sbz]+|--(?:short|branch|porcelain)))*|(?:log|show)(?: (?:-\d+|-n \d+|--(?:oneline|stat|graph|decorate|all|name-only|name-status)))*)$/;

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
  const read = readInvocation(words, command.cwd, lookUp);
  const invocation = textOf(read.words[0] ?? null) === 'config' ? throughFile(read, world.env.HOME) : read;
  const step = new GitStep({ command, invocation, world, judgeSteps });
  try {
    return await step.judge();
  } catch (error) {
    return error === step.refusal
      ? { findings: [], notes: ['git itself would stop: no repository is there that it would work on.'] }
      : failedJudgement(error, world);
  }
}

class GitStep {
  #call: GitCall;
  readonly #command: SimpleCommand;
  #invocation: Invocation;
  readonly #world: World;
  #opened: Promise<Place> | undefined;
  /** Why git itself would stop where it has to work. */
  refusal: unknown = null;

  constructor(call: GitCall) {
    this.#call = call;
    this.#command = call.command;
    this.#invocation = call.invocation;
    this.#world = call.world;
  }

  #place(): Promise<Place> {
    this.#opened ??= this.#world.places.of(this.#invocation, this.#command).catch((error: unknown) => {
      this.refusal = isRefusedByGit(error) ? error : null;
      throw error;
    });
    return this.#opened;
  }

  async judge(): Promise<StepJudgement> {
    const { unknownOption } = this.#invocation;
    if (unknownOption !== null) {
      return this.#unreadable(unknownOption, 'any git command');
    }
    const inWords = await this.#judgeWords();
    const { through } = this.#command.origin;
    const found = through.length === 0 ? inWords.findings : ofPublishedSite(inWords.findings, through);
    const judged = { ...inWords, findings: withAgreeingSuggestions(found) };
    const { writtenTexts } = this.#world;
    if (writtenTexts.size === 0 || !readsOtherFiles(this.#invocation.settings, this.#command.env)) {
      return judged;
    }
    const { directory } = this.#invocation;
    const { policy } = await this.#world.conventionAt(this.#command.cwd);
    const cwd = directory.kind === 'known' ? directory.path : '/';
    const { plain } = hookedCall(this.#call, '');
    const written = judgeWrittenFiles(this.#invocation.settings, this.#command.env, writtenTexts, {
      cwd,
      plain,
      policy,
    });
    return { ...judged, findings: [...written, ...judged.findings] };
  }

  async #judgeWords(): Promise<StepJudgement> {
    const { words, input } = this.#read();
    const interpretation =
      interpretOwn(words, input) ??
      (await interpret(
        words,
        input,
        (name) => this.#aliasValue(name),
        (name) => this.#corrected(name),
        (options) => this.#addSettings(options),
      ));
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

  /** `git apply <(git show)` reads what it would read from `git show | git apply`. */
  #read(): Pick<SimpleCommand, 'input'> & Pick<Invocation, 'words'> {
    const { words } = this.#invocation;
    const { input } = this.#command;
    const { printed } = this.#world;
    const isSubstituted = (word: Word) =>
      textOf(word)?.startsWith('/dev/fd/') === true && printed.has(textOf(word) ?? '');
    const word = printed.size > 0 && textOf(words[0] ?? null) === 'apply' ? words.find(isSubstituted) : undefined;
    const printedBy = word === undefined ? undefined : printed.get(textOf(word) ?? '');
    return word === undefined || printedBy === undefined
      ? { words, input }
      : {
          words: words.map((other) => (other === word ? known('-') : other)),
          input: { kind: 'unknown', reason: 'what is printed into it is not known', printedBy },
        };
  }

  async #unreadable(word: Extract<Word, { kind: 'unknown' }>, could: string): Promise<StepJudgement> {
    const { policy } = await this.#world.conventionAt(this.#command.cwd);
    return { findings: unreadable(policy, { source: word.source, reason: word.reason, could }), notes: [] };
  }

  /** `alias.x = -c core.hooksPath=… commit`: they hold for what the alias stands for, other aliases too. */
  #addSettings(options: readonly Word[]): void {
    const { settings } = readInvocation(options, this.#command.cwd, (name) =>
      /^GIT_CONFIG/.test(name) ? null : this.#world.variable(this.#command, name),
    );
    if (settings.length > 0) {
      this.#invocation = { ...this.#invocation, settings: [...this.#invocation.settings, ...settings] };
      this.#call = { ...this.#call, invocation: this.#invocation };
      this.#opened = undefined;
    }
  }

  async #aliasValue(name: string): Promise<Word | null> {
    return this.#setting(`alias.${name.toLowerCase()}`, `alias.${name}.command`);
  }

  /** git-config(1) "help.autoCorrect": a command that is none is taken for the nearest one that is. */
  async #corrected(name: string): Promise<string | null> {
    const value = textOf(await this.#setting('help.autocorrect'));
    return value !== null && /^(?:immediate|true|yes|on|-?[1-9]\d*)$/i.test(value) ? nearestCommand(name) : null;
  }

  /** The last setting wins: of this call, else of the configuration. @param keys normalized */
  async #setting(...keys: readonly string[]): Promise<Word | null> {
    const passing = lastSetting(this.#invocation.settings, ...keys);
    if (passing !== undefined) {
      return passing.value;
    }
    const place = await this.#place();
    const configured = await configurationAt(place);
    const value = configured === null ? null : keys.map(configured).find((found) => found !== null);
    return value == null ? null : known(value);
  }

  /** git runs it in the top of the work tree, with the arguments after it: git-config(1) "alias.*". */
  async #shellAlias({ alias, script, args }: Extract<Interpretation, { kind: 'shell' }>): Promise<StepJudgement> {
    const place = await this.#place();
    const [top, env] =
      place.kind === 'repository'
        ? [place.repository.workTree ?? place.repository.cwd, place.repository.git.context.env]
        : ['/', this.#world.env];
    const appended = args.map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source)).join(' ');
    const shown = `${script} ${appended}`.trimEnd();
    // As git starts it: https://git-scm.com/docs/git-config#Documentation/git-config.txt-alias
    const source = args.length === 0 ? script : `sh -c ${quoteWord(`${script} "$@"`)} ${quoteWord(script)} ${appended}`;
    const files = filesAfter(this.#world.writtenTexts);
    const { path, success } = this.#command.origin;
    const { steps, ends } = readCommandLine(source, { cwd: top, env, files, path });
    if (ends !== null) {
      standFor(success, ends);
    }
    this.#world.decisions.include(steps);
    const isPlaced = place.kind === 'repository';
    const placed = isPlaced ? steps : steps.map((step) => ({ ...step, cwd: this.#command.cwd }));
    const found = await this.#call.judgeSteps(
      underSettings(this.#invocation.settings, inEnvironmentOf(this.#command, placed)),
    );
    return {
      findings: proposingCall([this.#command], found, this.#world.start),
      notes: [`The alias ${alias} makes a shell run: ${shown}`],
    };
  }

  async #judgeIntents(subcommand: string, meant: readonly Intent[]): Promise<StepJudgement> {
    const end = subcommand.indexOf(' ');
    const name = end === -1 ? subcommand : subcommand.slice(0, end);
    const { writtenTexts } = this.#world;
    const handed = writtenTexts.size === 0 ? [] : handedHooks(name, this.#invocation, writtenTexts);
    const intents = [...meant, ...handed];
    if (subcommand === 'worktree add' && (await this.#place()).kind === 'none') {
      return { ...harmless, notes: ['git itself would stop: no repository is there.'] };
    }
    if (name === 'init') {
      intents.push(...(await this.#templatedHooks()));
    } else if (name === 'hook') {
      intents.push(...(await this.#namedHook()));
    }
    await this.#remember(subcommand, name);
    const said = intents.length === 0 ? textsOf(this.#invocation.words) : null;
    this.#command.origin.success.isExpected ||= said !== null && printing.test(said.join(' '));
    if (intents.length === 0 && this.#isPlain(name) && !(this.#world.trees.addsHollowTree && mayOnlyFill(name))) {
      return { ...harmless, notes: [`git ${subcommand} changes nothing that the guard watches.`] };
    }
    const place = await this.#place();
    const meaning = this.#worksOnNothing() ? intents.filter(({ kind }) => !changingWorkTree.has(kind)) : intents;
    if (meaning.length === 0 && intents.length > 0) {
      return { ...harmless, notes: ['Its work tree is not there yet: nothing in it is at stake.'] };
    }
    const notes = meaning.map((intent) => `git ${subcommand} ${describeIntent(intent)}.`);
    return this.#judgeAt(place, name, meaning, notes);
  }

  /** Hooks that a repository gets which is there. */
  async #templatedHooks(): Promise<readonly Intent[]> {
    const place = await this.#place().catch(() => null);
    const variable = textOf(this.#command.env.get('GIT_TEMPLATE_DIR') ?? null);
    return place?.kind === 'repository'
      ? templatedHooks(this.#invocation, variable, place, this.#world.writtenTexts)
      : [];
  }

  /** git-hook(1) "run": a hook is started as it would be by its path. */
  async #namedHook(): Promise<readonly Intent[]> {
    const [, verb, ...rest] = this.#invocation.words.map(textOf);
    const hook = rest.find((word) => word?.startsWith('-') === false);
    const place = verb === 'run' && hook !== undefined ? await this.#place().catch(() => null) : null;
    return place?.kind !== 'repository' || hook == null
      ? []
      : [{ kind: 'run', command: [known(join(await hooksDirectoryOf(place.repository), hook))], by: 'git hook run' }];
  }

  /** What later steps need to know of this one. */
  async #remember(subcommand: string, name: string): Promise<void> {
    if (name === 'apply') {
      this.#world.patches.takeApply(this.#invocation, this.#command);
    }
    const looked = lookedFor(this.#invocation, this.#command);
    if (looked !== null) {
      await this.#noteFound(looked, applyAbsence);
      await this.#noteNotFound(looked);
    }
    const inConflict = lookedForConflicts(this.#invocation, this.#command);
    if (inConflict !== null) {
      await this.#noteConflicts(inConflict);
    }
    const asked = askedBelow(this.#invocation, this.#command);
    if (asked !== null) {
      await this.#noteFound(asked, applyBelow);
    }
    if (makesRepositories(subcommand)) {
      await noteNewRepositories(subcommand, this.#invocation, this.#command, () => this.#place(), this.#world);
    }
  }

  /** Nothing around the subcommand says more than it. */
  #isPlain(name: string): boolean {
    const { env } = this.#command;
    return (
      namedOutputs(env, this.#invocation.settings).length === 0 &&
      !namesPrograms(this.#call) &&
      !(runsHooks(name) && env.size > 0)
    );
  }

  async #judgeAt(
    place: Place,
    name: string,
    intents: readonly Intent[],
    notes: readonly string[],
  ): Promise<StepJudgement> {
    if (intents.some((intent) => intent.kind === 'write-files' && intent.sets !== undefined)) {
      recordSettings(intents, this.#invocation, this.#world);
    }
    if (place.kind === 'scratch') {
      const { scratch, others } = place;
      const whose = others === undefined ? "nothing is anybody's" : 'only its work tree is somebody’s';
      return {
        findings: await judgeScratch(intents, {
          ...this.#call,
          name,
          scratch,
          ...(others === undefined ? {} : { others }),
        }),
        notes: [...notes, `It works on ${scratch.directory}, where ${whose}.`],
      };
    }
    if (place.kind !== 'repository') {
      const convention = await this.#world.convention(null);
      return { findings: await judgeWithoutRepository(this.#call, name, intents, place, convention), notes };
    }
    const { findings, isRefused, policy } = await judgeInRepository(this.#call, name, intents, place);
    const { workTree, gitDir } = place.repository;
    const told = [...notes, `It works on ${workTree ?? gitDir}.`];
    return isRefused
      ? { findings, notes: [...told, 'git itself would refuse it, so nothing of that happens.'] }
      : { findings, notes: told, lookedAt: { intents, policy } };
  }

  /** What it tells, by finding nothing or by its success, where the line goes on by that: `git diff --quiet || git stash`. */
  async #noteFound<What extends Pick<LookedFor, 'toldBy'>>(
    what: What,
    apply: (what: What, overlay: Overlay, before: Repository) => Promise<void>,
  ): Promise<void> {
    const told = this.#world.decisions.ifNothing(this.#command, what.toldBy);
    const place = told.length === 0 ? null : await this.#place();
    if (place?.kind === 'repository') {
      const { repository, changes } = place;
      const { origin } = this.#command;
      for (const [fork, holds] of told) {
        const path = taking(origin.path, fork, holds);
        changes.know(origin, path, (overlay) => apply(what, overlay, repository));
      }
    }
  }

  /** What it finds, where that is there and nothing of the line has touched the files: `git diff --quiet || exit`. */
  async #noteNotFound(looked: LookedFor): Promise<void> {
    const { decisions } = this.#world;
    const told = decisions.ifNothing(this.#command, looked.toldBy);
    const chosen = decisions.ifChosen(this.#command);
    const touched = told.length + chosen.length > 0 ? asksNow(this.#command, decisions) : null;
    const place = touched === null ? null : await this.#place();
    if (touched === null || place?.kind !== 'repository') {
      return;
    }
    const found = await surelyFound(looked, place.repository, touched);
    if (found.length > 0) {
      decisions.rule(told);
      const lines =
        chosen.length === 0 ? null : await linesOfChanges(found, this.#invocation, looked, place.repository);
      decisions.rule(chosen.flatMap(({ by, ifNone }) => (surelyChooses(by, lines ?? []) ? [ifNone] : [])));
    }
  }

  /** Whether files are in conflict, where nothing of the line has merged anything. @param paths see {@link hasConflicts} */
  async #noteConflicts(paths: readonly string[]): Promise<void> {
    const { decisions } = this.#world;
    const told = decisions.ifNothing(this.#command, 'no output');
    const isAskedNow = told.length > 0 && asksNow(this.#command, decisions) !== null;
    const place = isAskedNow ? await this.#place() : null;
    if (place?.kind === 'repository') {
      const areThere = await hasConflicts(paths, place.repository);
      decisions.rule(areThere ? told : told.map(([fork, holds]) => [fork, !holds]));
    }
  }

  /** `--work-tree` names a directory that is not there. */
  #worksOnNothing(): boolean {
    const { directory, workTree } = this.#invocation;
    const given = textOf(workTree);
    return given !== null && directory.kind === 'known' && !existsSync(resolve(directory.path, given));
  }
}

/** Looks up what is configured where a call works; null: nothing is. */
async function configurationAt(place: Place): Promise<((key: string) => string | null) | null> {
  switch (place.kind) {
    case 'scratch':
      return (key) => place.scratch.settings.get(key) ?? null;
    case 'repository': {
      const config = await overlaid(place.repository, place.likely).config();
      return (key) => config.get(key);
    }
    default:
      return null;
  }
}
