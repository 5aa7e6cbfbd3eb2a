import { subcommandAt } from '../../shell/git-words.ts';
import { beginningOf, type SimpleCommand, type Step } from '../../shell/simple-command.ts';
import { readInvocation, type Setting } from './invocation.ts';
import { shown, textOf } from './words.ts';

/** git(1) "OPTIONS": those that change how something is shown to a person, or how git gets at it. */
const withoutEffect = /^(?:-[Pp]|--(?:no-pager|paginate|no-optional-locks|no-lazy-fetch|no-advice))$/;

/** git-config(1): settings by which git prints the same into a pipe, and runs the same; with a value, only that one. */
const harmless =
  /^(?:core\.(?:quotepath|pager|autocrlf|safecrlf|longpaths|preloadindex|untrackedcache)=.*|core\.fsmonitor=(?:false|)|(?:advice|gc|pager|safe|user)\..*|color\.\w+=(?:false|never|auto)|column\.\w+=never|log\.showsignature=false)$/;

/**
 * A call of git without the options that stand before its subcommand, in the directory to which `-C` leads. Null where
 * one of them may change what it does otherwise.
 */
export function plainCall(command: SimpleCommand): SimpleCommand | null {
  const { argv, cwd } = command;
  const end = subcommandAt(argv);
  if (end === 1) {
    return command;
  }
  const { words, directory, settings, unknownOption } = readInvocation(argv.slice(1), cwd, () => null);
  const isPlain = unknownOption === null && hasPlainOptions(argv.slice(1, end).map(beginningOf));
  return isPlain && settings.every(isHarmless)
    ? { ...command, argv: [...argv.slice(0, 1), ...words], cwd: directory }
    : null;
}

/** @param options before the subcommand */
function hasPlainOptions(options: readonly string[]): boolean {
  const isValued = (at: number): boolean => /^-[Cc]$/.test(options[at] ?? '') && !isValued(at - 1);
  return options.every((option, at) => isValued(at - 1) || isValued(at) || withoutEffect.test(option));
}

function isHarmless({ key, value }: Setting): boolean {
  const [name, text] = [textOf(key), value === null ? '' : textOf(value)];
  return name !== null && text !== null && harmless.test(`${name}=${text}`);
}

/** The subcommand of a call of git and what follows it, as they are shown, behind options that change nothing else. */
export function shownCall(step: Exclude<Step, { kind: 'write' }>): readonly string[] {
  const call = step.kind === 'command' ? plainCall(step) : null;
  return (call ?? step).argv.slice(1).map(shown);
}
