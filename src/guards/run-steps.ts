import { type CommandLineContext, readCommandLine } from '../shell/command-line.ts';
import { newFork } from '../shell/path.ts';
import { quoteCommand } from '../shell/quote.ts';
import type { SimpleCommand, Step } from '../shell/simple-command.ts';
import { textsOf } from './git-command/words.ts';
import type { RunIntent } from './intent.ts';

/**
 * What git would start, in the place where git would start it.
 *
 * @param caller the call of git
 */
export function stepsOfRun(
  { command, by }: RunIntent,
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
  if (command.kind === 'unknown') {
    const { source, reason } = command;
    return [{ ...caller, kind: 'unreadable', part: 'script', argv: [command], source, reason, origin }];
  }
  return readCommandLine(command.value, context).steps;
}
