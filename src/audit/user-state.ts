import { join } from 'node:path';
import { homeDirectory } from '../git/files.ts';
import type { Environment } from '../git/runner.ts';

/**
 * The directory that stands in for a repository's common directory where a command is judged outside of any: approvals
 * and the audit trail are kept in `oxide-guard` below it (XDG Base Directory Specification, XDG_STATE_HOME).
 */
export function userState(env: Environment): string {
  return env.XDG_STATE_HOME || join(homeDirectory(), '.local', 'state');
}
