import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isConfirmed, recordConfirmation } from '../../src/audit/confirmations.ts';
import { temporaryDirectory } from '../git/fixture.ts';

const command = "git push origin 'main'";
const shell = ['bash', '-c', `cd /x && eval 'git push origin '"'"'main'"'"''`];
const now = 1_000_000_000_000;

function confirmed(): string {
  const directory = temporaryDirectory();
  recordConfirmation(directory, { command, rules: ['protected-push'] }, now);
  return directory;
}

describe('a command that a person has confirmed in an agent', () => {
  it('is confirmed for its hooks, however the agent quotes it for its shell', () => {
    expect(isConfirmed(confirmed(), ['protected-push'], [['git', 'push'], shell], now)).toBe(true);
  });

  it('is not for another command', () => {
    expect(isConfirmed(confirmed(), ['protected-push'], [['bash', '-c', 'git push origin other']], now)).toBe(false);
  });

  it('is not for a rule that did not ask then', () => {
    expect(isConfirmed(confirmed(), ['protected-push', 'force-push'], [shell], now)).toBe(false);
  });

  it('is not after ten minutes, nor when the clock was set back', () => {
    const directory = confirmed();
    expect(isConfirmed(directory, ['protected-push'], [shell], now + 10 * 60_000)).toBe(false);
    expect(isConfirmed(directory, ['protected-push'], [shell], now - 60_000)).toBe(false);
  });

  it('is not by a record that is damaged or says nothing', () => {
    const directory = join(temporaryDirectory(), 'x');
    mkdirSync(join(directory, 'oxide-guard', 'confirmations'), { recursive: true });
    for (const [name, text] of [
      ['a.json', '{'],
      ['b.json', 'null'],
      ['c.json', JSON.stringify({ command: ' ', rules: ['protected-push'], expires: now + 1 })],
      ['d.json', JSON.stringify({ command, rules: 'protected-push', expires: now + 1 })],
    ] as const) {
      writeFileSync(join(directory, 'oxide-guard', 'confirmations', name), text);
    }
    expect(isConfirmed(directory, ['protected-push'], [shell], now)).toBe(false);
  });

  it('leaves no record behind once it has expired', () => {
    const directory = confirmed();
    recordConfirmation(directory, { command: 'git push', rules: [] }, now + 11 * 60_000);
    expect(readdirSync(join(directory, 'oxide-guard', 'confirmations'))).toHaveLength(1);
  });
});
