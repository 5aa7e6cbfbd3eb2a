import { programName, type SuccessOf } from '../../../shell/simple-command.ts';
import { plainCall } from '../../git-command/plain-call.ts';
import { textsOf } from '../../git-command/words.ts';
import { type AskingLine, answerHolds, answerTo, isComparison } from './settled-questions.ts';

/**
 * Questions that git answers by its success: whether there is a commit of some name (a merge that has stopped is
 * MERGE_HEAD), whether a branch is checked out, whether one has everything that another one has, whether two differ. By
 * the way in which it is asked here, so that no answer is 1, and anything else an error.
 */
function asked([subcommand, ...rest]: readonly string[]): readonly string[] | null {
  const options = rest.filter((word) => word.startsWith('-'));
  const operands = rest.filter((word) => !word.startsWith('-'));
  const only = (allowed: RegExp) => options.every((option) => allowed.test(option));
  switch (subcommand) {
    case 'rev-parse':
      return options.includes('--verify') && operands.length === 1 && only(/^(?:-q|--quiet|--verify|--short)$/)
        ? ['rev-parse', '--quiet', '--verify', ...operands]
        : null;
    case 'show-ref':
      return options.includes('--verify') && operands.length === 1 && only(/^(?:-q|--quiet|--verify)$/)
        ? ['show-ref', '--quiet', '--verify', ...operands]
        : null;
    case 'symbolic-ref':
      return operands.join(' ') === 'HEAD' && only(/^(?:-q|--quiet|--short)$/)
        ? ['symbolic-ref', '--quiet', 'HEAD']
        : null;
    case 'merge-base':
      return options.join(' ') === '--is-ancestor' && operands.length === 2
        ? ['merge-base', '--is-ancestor', ...operands]
        : null;
    case 'diff':
      return isComparison(operands) &&
        only(/^(?:--quiet|--exit-code|--stat|--name-only)$/) &&
        /-quiet|-exit/.test(options.join())
        ? ['diff', '--quiet', ...operands, '--']
        : null;
    default:
      return null;
  }
}

/**
 * Whether a call of git succeeds that the line goes on by, where nothing before it can change what it answers; else null.
 */
export function successIn({ environment, ask }: AskingLine): SuccessOf {
  return (given, before) => {
    const command = programName(given.argv[0]) === 'git' ? plainCall(given) : null;
    const words = command === null ? null : textsOf(command.argv.slice(1));
    const question = words === null ? null : asked(words);
    if (command?.cwd.kind !== 'known' || question === null) {
      return null;
    }
    if (!answerHolds({ command, question, before, environment, isSettled: true }, 'revisions')) {
      return null;
    }
    const { exitCode } = answerTo(question, command.cwd.path, ask);
    return exitCode === 0 ? true : exitCode === 1 ? false : null;
  };
}
