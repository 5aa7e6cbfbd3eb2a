import type { RuleId } from '../config/rules.ts';

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

/** An action that waits for a person, or for its one use. */
export interface Approval extends Action {
  /** Six characters that a person can type. */
  readonly id: string;
  readonly digest: string;
  readonly state: 'pending' | 'approved';
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** The digest that binds an approval to its action: SHA-256 over front, directory, text and rules. */
export function actionDigest(action: Action): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const rules = [...new Set(action.rules)].sort();
  return createHash('sha256')
    .update(JSON.stringify([action.front, action.directory, action.text, rules]))
    .digest('hex');
}
