import type { RuleId } from '../config/rules.ts';
import { withoutCredentials } from '../credentials.ts';

/** One action, exactly: an approval of it is good for nothing else. */
export interface Action {
  readonly front: 'pre-push' | 'agent';
  /** Where it was going to run. Worktrees share their approvals directory, so the directory is a part of the action. */
  readonly directory: string;
  /** The command line, or the lines that git gave to pre-push. */
  readonly text: string;
  /** The rules that asked. */
  readonly rules: readonly RuleId[];
}

/** An action that waits for a person, or for its one use. Its text is shown and kept without credentials. */
export interface Approval extends Action {
  /** Six characters that a person can type. */
  readonly id: string;
  readonly digest: string;
  /** Of the whole text. */
  readonly textDigest: string;
  readonly state: 'pending' | 'approved';
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** The digest that binds an approval to its action: front, directory, text and rules, and what is shown of the text. */
export function actionDigest({ text, ...action }: Action): string {
  return digestOf({ ...action, text: withoutCredentials(text), textDigest: sha256(text) });
}

/** The same of what is kept of an action. */
export function digestOf(kept: Action & Pick<Approval, 'textDigest'>): string {
  const rules = [...new Set(kept.rules)].sort();
  return sha256(JSON.stringify([kept.front, kept.directory, kept.textDigest, kept.text, rules]));
}

export function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
