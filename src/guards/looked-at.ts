import type { Policy } from '../config/policy.ts';
import type { RuleId } from '../config/rules.ts';
import type { Finding } from './finding.ts';
import { isUnknown } from './git-command/words.ts';
import type { CommitIntent, Intent } from './intent.ts';

/** What a command means to do, looked at with a repository's facts. */
export interface LookedAt {
  readonly intents: readonly Intent[];
  readonly policy: Policy;
}

/** What some rules ask of an intent. */
interface Question {
  /** Those that speak where it is not so. */
  readonly rules: readonly [RuleId, ...RuleId[]];
  /** What is so where none of them speaks: a sentence without its end. */
  readonly fact: string;
}

const work: Question = { rules: ['discard-changes'], fact: 'No uncommitted work would be lost' };
const commits: Question = { rules: ['lose-commits'], fact: 'No commit would be lost' };
const published: Question = {
  rules: ['rewrite-published'],
  fact: 'No commit that a protected branch has published would be replaced',
};
const message: Question = { rules: ['commit-message'], fact: 'Nothing is wrong with its message' };

/** By the kind of intent; what is absent is asked nothing that could be told in one sentence. */
const questions: Partial<Readonly<Record<Intent['kind'], readonly Question[]>>> = {
  push: [
    {
      rules: ['protected-push', 'protected-lease-push', 'protected-force-push', 'protected-delete', 'mirror-push'],
      fact: 'No protected branch of the remote would change',
    },
    {
      rules: ['force-push', 'protected-force-push', 'protected-lease-push', 'mirror-push'],
      fact: 'Nothing on the remote would be overwritten without a lease',
    },
    {
      rules: ['remote-delete', 'protected-delete', 'mirror-push'],
      fact: 'Nothing on the remote would be deleted',
    },
  ],
  discard: [work],
  'bring-files': [work],
  'remove-worktree': [work, commits],
  'forget-worktrees': [commits],
  'call-off': [work, commits],
  'move-ref': [commits],
  'delete-ref': [commits],
  'rename-ref': [commits],
  fetch: [commits],
  switch: [commits],
  'leave-submodules': [commits],
  rewrite: [published, commits],
  remote: [{ rules: ['change-remote'], fact: 'No push would go elsewhere than before' }],
  configure: [
    {
      rules: ['skip-checks', 'delayed-execution'],
      fact: 'The setting skips no check and brings no command that would be stopped',
    },
  ],
};

/** Nothing can be said beside these: a part was not read. */
const unjudged: ReadonlySet<RuleId> = new Set(['unreadable-command', 'guard-failure']);

/**
 * The facts by which rules have nothing against a command, for `explain`: each with the rule that looked.
 *
 * @param found what was objected to
 */
export function clearingFacts({ intents, policy }: LookedAt, found: readonly Finding[]): readonly string[] {
  const spoken = new Set(found.map(({ rule }) => rule));
  if ([...spoken].some((rule) => unjudged.has(rule))) {
    return [];
  }
  const asked = new Set(intents.flatMap((intent) => questionsOf(intent)));
  return [...asked].flatMap(({ rules, fact }) => {
    const silenced = rules.find((rule) => policy.rules[rule] === 'off');
    if (silenced !== undefined) {
      return [`The rule ${silenced} is off.`];
    }
    return rules.some((rule) => spoken.has(rule)) ? [] : [`${fact}. [${rules[0]}]`];
  });
}

function questionsOf(intent: Intent): readonly Question[] {
  return intent.kind === 'commit' ? (isKnownMessage(intent) ? [message] : []) : (questions[intent.kind] ?? []);
}

function isKnownMessage({ message }: CommitIntent): boolean {
  return message.kind === 'text' && !message.paragraphs.some(isUnknown);
}
