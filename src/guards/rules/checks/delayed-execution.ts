import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { homeDirectory } from '../../../git/files.ts';
import { quoteWord } from '../../../quote.ts';
import { readCommandLine } from '../../../shell/command-line.ts';
import { openPart, programName, type SimpleCommand, type Step, type Word } from '../../../shell/simple-command.ts';
import { codeOf } from '../../../shell/words/read-again.ts';
import { submodulesOf } from '../../files/submodules.ts';
import { type Finding, findings, strongest } from '../../finding.ts';
import { interpret } from '../../git-command/interpret.ts';
import { normalizedKey, readInvocation, type Setting } from '../../git-command/invocation.ts';
import { shown, textOf } from '../../git-command/words.ts';
import type { ConfigureIntent } from '../../intent.ts';
import { commandLineOf, isEverydayProgram, programSetting, programVariables } from '../../program-settings.ts';
import type { Scene } from '../../scene.ts';
import { hooksInTemplate } from '../../template-hooks.ts';
import { filesAfter } from '../../written-files.ts';
import { unreadable } from '../unreadable-command.ts';

/** A setting that git keeps and whose value it will run some day. */
export async function judgeLastingSetting(intent: ConfigureIntent, scene: Scene): Promise<readonly Finding[]> {
  const key = normalizedKey(textOf(intent.key) ?? '');
  if (key === 'include.path' || /^includeif\..+\.path$/s.test(key)) {
    return judgeInclude(intent, scene);
  }
  if (key === 'init.templatedir') {
    return judgeTemplate(intent, scene);
  }
  const kind = programSetting(key);
  if (kind === null || intent.value === null) {
    return [];
  }
  const value = textOf(intent.value) ?? secureShell(intent.value, key);
  if (value === null) {
    return later(scene, `${key} would name a program that can't be known here (${shown(intent.value)}).`, key);
  }
  const commandLine = commandLineOf(value, kind);
  if (commandLine === null) {
    return [];
  }
  const steps = read(commandLine, key, scene);
  const judged = [...(await scene.judgeLater(steps))];
  if (kind === 'alias' && awaitsWord.test(commandLine)) {
    judged.push(...(await scene.judgeLater(read(`${commandLine} '${anyWord}'`, key, scene))));
  }
  const stopped = judged.filter(({ verdict }) => verdict !== 'allow');
  if (stopped.length > 0) {
    const [worst] = stopped.filter(({ verdict }) => verdict === strongest(stopped));
    const message = worst?.message ?? '';
    // What is typed behind an alias, nobody knows yet.
    const fact = message.includes(anyWord) ? 'What it would do depends on the words that follow it.' : message;
    return later(scene, `${key} would run '${value}' later. ${fact}`, key);
  }
  const isPlain = kind === 'alias' || documented.has(`${key} ${value}`) || (await onlyShow(steps));
  return isPlain ? [] : later(scene, `${key} would make git run '${value}' later.`, key);
}

/** Settings that the manual of a program tells to make, of programs that run whatever they are given. */
const documented: ReadonlySet<string> = new Set(['diff.lockb.textconv bun']);

/** `commit -nm`: git-config(1) "alias.*" has the words that are typed behind an alias go on it. */
const awaitsWord = /\s-[^\s]*$/;

/** A word that nothing is objected to for, as a message or a name. */
const anyWord = 'chore: run';

function later({ policy }: Pick<Scene, 'policy'>, message: string, key: string): readonly Finding[] {
  return findings('delayed-execution', policy, { message, suggestion: `git config --get ${quoteWord(key)}` });
}

/**
 * Programs that git starts by itself, whatever is at stake by then: `git reset --hard` as a pager discards what somebody
 * has written since. Not so an alias, which is judged when somebody calls it.
 */
async function onlyShow(steps: readonly Step[]): Promise<boolean> {
  const judged = await Promise.all(steps.map(onlyShows));
  return judged.every(Boolean);
}

async function onlyShows(step: Step): Promise<boolean> {
  const program = step.kind === 'command' ? (programName(step.argv[0]) ?? '') : '';
  return isEverydayProgram(program) && (program !== 'git' || step.kind !== 'command' || changesNothing(step));
}

/** Does a call of git surely change nothing, in any state? A program of git's own kind, `git lfs`, is taken for one. */
async function changesNothing({ argv, cwd, input }: SimpleCommand): Promise<boolean> {
  const { words, unknownOption } = readInvocation(argv.slice(1), cwd, () => null);
  const meant = await interpret(words, input, async () => null);
  // A file that it is told to write to, as a merge driver is, is judged with the line.
  const isQuiet = meant.kind !== 'intents' || meant.intents.every((intent) => intent.kind === 'write-files');
  return unknownOption === null && meant.kind !== 'unreadable' && isQuiet;
}

/** @param name of the setting or variable: git-config(1) "submodule.<name>.update" runs in the submodule */
function read(commandLine: string, name: string, { command, repository, writtenTexts }: Scene): readonly Step[] {
  const cwd = command.cwd.kind === 'known' ? command.cwd.path : (repository.workTree ?? repository.cwd);
  const below = /^submodule\..+\.update$/s.test(name) ? submodulesOf(repository) : [];
  const env = repository.git.context.env;
  const files = filesAfter(writtenTexts);
  const places = below.length === 0 ? [cwd] : below;
  return places.flatMap((place) => readCommandLine(commandLine, { cwd: place, env, files }).steps);
}

/** Every repository that is made gets the hooks of the template. */
function judgeTemplate({ value }: ConfigureIntent, scene: Scene): readonly Finding[] {
  const path = textOf(value);
  const template = path === null ? null : resolve(scene.repository.cwd, path.replace(/^~(?=\/)/, homeDirectory()));
  const hooks = template === null ? [] : hooksInTemplate(template, scene.writtenTexts);
  const names = hooks.join(', ');
  return hooks.length === 0
    ? []
    : later(scene, `init.templateDir would make ${names} a hook of every new repository.`, 'init.templateDir');
}

function judgeInclude({ key, value }: ConfigureIntent, scene: Scene): readonly Finding[] {
  const path = textOf(value);
  if (value === null) {
    return [];
  }
  const home = path?.startsWith('~/') === true ? resolve(homeDirectory(), path.slice(2)) : path;
  const isThere = home !== null && existsSync(resolve(scene.repository.gitDir, home));
  const why = isThere ? 'a file that may name programs' : 'a file that is not there yet';
  return later(scene, `${shown(key)} would make git read settings from ${shown(value)}, ${why}.`, 'include.path');
}

/** Options of ssh(1) with a value that names no program, nor a file that may name one. */
const takesValue = /^-[Jbceilmp]$/;
const namesProgram = /^-F|command|provider|include/i;

/**
 * `GIT_SSH_COMMAND="ssh -i $KEY -p $PORT"`, with variables in the places that are not known: the program is written out,
 * and they are values of its options. Null for every other setting, and where they may name a program or be options.
 *
 * @returns with an ellipsis for each of them
 */
function secureShell(value: Word, key: string): string | null {
  const shape =
    /^(?:GIT_SSH_COMMAND|core\.sshcommand)$/.test(key) && value.kind === 'unknown' ? value.shape : undefined;
  const words = shape?.replace(/["']/g, '').split(/\s+/) ?? [];
  const isSetting = (word: string, before: string) =>
    (before === '-o' ? !word.startsWith(openPart) : /^-\w/.test(word)) && !namesProgram.test(word);
  const isValue = (word: string, before: string) =>
    !word.includes(openPart) || takesValue.test(before) || isSetting(word, before);
  return shape !== undefined &&
    /^(?:\/\S*\/)?ssh$/.test(words[0] ?? '') &&
    words.every((word, at) => isValue(word, words[at - 1] ?? ''))
    ? shape.replaceAll(openPart, '…')
    : null;
}

/** Programs that this one call of git is told to use: their effect counts, as if they were called. */
export async function judgePassingPrograms(settings: readonly Setting[], scene: Scene): Promise<readonly Finding[]> {
  const named = [
    ...settings.flatMap(({ key, value, means }) => {
      const kind = programSetting(normalizedKey(textOf(key) ?? ''));
      return kind === null || kind === 'alias' || value === null
        ? []
        : [{ value, kind, name: `${means} ${shown(key)}`, key: normalizedKey(textOf(key) ?? '') }];
    }),
    ...Object.entries(programVariables).flatMap(([name, kind]) => {
      const value = scene.command.env.get(name) ?? null;
      return value === null ? [] : [{ value, kind, name, key: name }];
    }),
  ];
  const judged: Finding[] = [];
  for (const { value, kind, name, key } of named) {
    const text = codeOf(value) ?? secureShell(value, key);
    if (value.kind === 'unknown' && text === null) {
      const could = `any program, which git would run for ${name}`;
      judged.push(...unreadable(scene.policy, { source: value.source, reason: value.reason, could }));
      continue;
    }
    const commandLine = text === null ? null : commandLineOf(text, kind);
    judged.push(...(commandLine === null ? [] : await scene.judgeLater(read(commandLine, key, scene))));
  }
  return judged;
}
