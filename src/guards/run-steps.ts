import { quoteCommand } from '../quote.ts';
import { type CommandLineContext, readCommandLine } from '../shell/command-line.ts';
import { newFork } from '../shell/path.ts';
import type { SimpleCommand, Step, Word } from '../shell/simple-command.ts';
import { codeOf } from '../shell/words/read-again.ts';
import { normalizedKey, type Setting } from './git-command/invocation.ts';
import { known, textOf, textsOf } from './git-command/words.ts';
import type { RunIntent } from './intent.ts';

/**
 * What git would start, in the place where git would start it.
 *
 * @param caller the call of git
 */
export function stepsOfRun(
  intent: RunIntent,
  caller: SimpleCommand,
  surroundings: Pick<CommandLineContext, 'cwd' | 'env' | 'files'>,
): readonly Step[] {
  const isElsewhere = intent.by === 'git submodule foreach';
  const env = isElsewhere ? new Map([...caller.env].filter(([name]) => !ofRepository.test(name))) : caller.env;
  return inEnvironmentOf({ env }, readSteps(intent, caller, surroundings));
}

/** What git does not hand on to another repository. */
const ofRepository = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|COMMON_DIR)$/;

/** What git starts has the variables that git was started with: `HUSKY=0 git bisect run git commit`. */
export function inEnvironmentOf({ env }: Pick<SimpleCommand, 'env'>, steps: readonly Step[]): readonly Step[] {
  return env.size === 0
    ? steps
    : steps.map((step) => (step.kind === 'command' ? { ...step, env: new Map([...env, ...step.env]) } : step));
}

/** Settings that decide which checks run and where a push goes. Those that name programs are judged where they are given. */
const handedOn = /^(?:core\.hookspath|(?:hook|push|remote|branch|url)\..+)$/;

/** `git -c core.hooksPath=x -c alias.c='!git commit' c`: what git starts has its settings as well, git(1) "-c". */
export function underSettings(settings: readonly Setting[], steps: readonly Step[]): readonly Step[] {
  const words = settings.flatMap(({ key, value, means }) => {
    const [name, text] = [normalizedKey(textOf(key) ?? ''), textOf(value)];
    return means.startsWith('-') && handedOn.test(name) && text !== null ? [`${quoted(name)}=${quoted(text)}`] : [];
  });
  const parameters = ['GIT_CONFIG_PARAMETERS', known(words.join(' '))] as const;
  return words.length === 0
    ? steps
    : steps.map((step) => (step.kind === 'command' ? { ...step, env: new Map([parameters, ...step.env]) } : step));
}

function quoted(text: string): string {
  return `'${text.replace(/['!]/g, "'\\$&'")}'`;
}

function readSteps(
  { command, variables = [], appended, by }: RunIntent,
  caller: SimpleCommand,
  surroundings: Pick<CommandLineContext, 'cwd' | 'env' | 'files'>,
): readonly Step[] {
  const { path, pipes } = caller.origin;
  const context = { ...surroundings, path };
  const origin = { source: by, through: [by], path, success: newFork(), pipes };
  if ('length' in command) {
    const words = textsOf(command);
    if (words !== null) {
      return readCommandLine(quoteCommand(words), context).steps;
    }
    return [{ ...caller, argv: command, cwd: { kind: 'known', path: context.cwd }, origin }];
  }
  const line = variables.map((name) => variable(name, caller, surroundings)).find(hasValue) ?? command;
  const text = codeOf(line);
  if (line.kind === 'unknown' && text === null) {
    const { source, reason } = line;
    return [{ ...caller, kind: 'unreadable', part: 'script', argv: [line], source, reason, origin }];
  }
  return readCommandLine([text, appended].filter(Boolean).join(' '), context).steps;
}

const hasValue = (word: Word) => textOf(word) !== '';

function variable(name: string, caller: SimpleCommand, { env }: Pick<CommandLineContext, 'env'>): Word {
  const changed = caller.env.get(name);
  return changed === undefined ? known(env?.[name] ?? '') : (changed ?? known(''));
}
