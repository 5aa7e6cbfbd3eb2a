import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import type { Finding } from './finding.ts';
import type { JudgeSteps } from './git-call.ts';
import { known, textOf } from './git-command/words.ts';
import { judgeGitStep } from './git-step.ts';
import type { World } from './world.ts';

/** Calls that check out the branch of a pull request, by program: gh-pr-checkout(1), glab-mr-checkout(1), hub(1), tea(1). */
const checkouts: Readonly<Record<string, RegExp>> = {
  gh: /^(?:pr (?:checkout|co)|co)\b/,
  glab: /^mr (?:checkout|co)\b/,
  hub: /^pr checkout\b/,
  tea: /^(?:pulls?|pr) (?:checkout|co)\b/,
};

/**
 * Does a program of a hosting service check out a branch that is not known: `gh pr checkout`, `gh issue develop --checkout`?
 *
 * @param words what follows the program's name
 */
export function checksOut(program: string, words: readonly Word[]): boolean {
  const checkout = Object.hasOwn(checkouts, program) ? checkouts[program] : undefined;
  if (checkout === undefined) {
    return false;
  }
  const texts = words.map((word) => textOf(word) ?? '');
  const operands = texts.filter((text) => !text.startsWith('-')).join(' ');
  const isIssue = program === 'gh' && operands.startsWith('issue develop ') && texts.some(isCheckoutOption);
  return isIssue || (checkout.test(operands) && !texts.some((text) => text === '--help'));
}

function isCheckoutOption(text: string): boolean {
  return text === '--checkout' || text === '-c';
}

/** HEAD goes elsewhere as by `git checkout`: to a commit that nobody knows here. */
export async function judgePulledCheckout(
  command: SimpleCommand,
  world: World,
  judgeSteps: JudgeSteps,
): Promise<readonly Finding[]> {
  const head: Word = {
    kind: 'unknown',
    source: 'the branch of the pull request',
    reason: 'what the pull request has is not known here',
    prefix: '',
    suffix: '',
    mayExpandToSeveral: false,
  };
  const words = [known('switch'), known('--detach'), head];
  const { findings } = await world.trees.apart(() => judgeGitStep(command, words, world, judgeSteps));
  await world.checkOutElsewhere(command);
  return findings.filter(({ rule }) => rule === 'lose-commits');
}
