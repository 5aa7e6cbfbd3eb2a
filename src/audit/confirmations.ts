import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleId } from '../config/rules.ts';
import { makeDirectory, removeRemains } from '../git/files.ts';
import { approvalWindow } from './approvals.ts';

/**
 * A command line that an agent may run only after a person has said yes to what these rules found. When it runs, the
 * person has: the git hooks it starts need not ask the same again, where an agent's shell has no terminal to ask on.
 */
export interface Confirmation {
  readonly command: string;
  readonly rules: readonly RuleId[];
}

interface Stored extends Confirmation {
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/**
 * Records that a command runs only once a person has confirmed it. Best effort: without the record the hook asks again.
 *
 * @param commonDir the repository's common git directory
 * @param now milliseconds since the epoch
 */
export function recordConfirmation(commonDir: string, { command, rules }: Confirmation, now = Date.now()): void {
  const directory = confirmationsDirectory(commonDir);
  const stored: Stored = { command, rules, expires: now + approvalWindow };
  const { randomUUID } = process.getBuiltinModule('node:crypto');
  const path = join(directory, `${randomUUID()}.json`);
  try {
    makeDirectory(directory, 0o700);
    for (const name of readdirSync(directory)) {
      if (read(join(directory, name), now) === null) {
        rmSync(join(directory, name), { force: true });
      }
    }
    writeFileSync(`${path}.tmp`, JSON.stringify(stored), { flag: 'wx', mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  } catch {
    removeRemains(`${path}.tmp`);
  }
}

/**
 * Was the command that started this hook confirmed, for at least these rules? A record counts only for the very
 * command line it was made for: that line must be among the words of a process that started the hook.
 *
 * @param ancestors the words of the processes that started the hook
 */
export function isConfirmed(
  commonDir: string,
  rules: readonly RuleId[],
  ancestors: readonly (readonly string[])[],
  now = Date.now(),
): boolean {
  const directory = confirmationsDirectory(commonDir);
  const started = ancestors.map((argv) => bare(argv.join(' ')));
  return namesIn(directory).some((name) => {
    const found = read(join(directory, name), now);
    return (
      found !== null &&
      rules.every((rule) => found.rules.includes(rule)) &&
      started.some((line) => line.includes(bare(found.command)))
    );
  });
}

/** An agent hands its shell the command quoted in its own way; what is left without quotes and blanks is the same. */
function bare(text: string): string {
  return text.replace(/['"\\\s]/g, '');
}

function read(path: string, now: number): Stored | null {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<Stored> | null;
    const { command, rules, expires } = stored ?? {};
    const isSound = typeof command === 'string' && bare(command) !== '' && Array.isArray(rules);
    const isLive = typeof expires === 'number' && expires > now && expires <= now + approvalWindow;
    return isSound && isLive ? { command, rules, expires } : null;
  } catch {
    return null;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function confirmationsDirectory(commonDir: string): string {
  return join(commonDir, 'oxide-guard', 'confirmations');
}
