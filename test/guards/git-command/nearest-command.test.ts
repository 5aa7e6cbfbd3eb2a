import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { nearestCommand } from '../../../src/guards/git-command/nearest-command.ts';

/** What git itself calls the most similar command, where it is one alone. */
function gitsGuess(word: string): string | null {
  const { stderr } = spawnSync('git', ['-c', 'help.autocorrect=0', word], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return /The most similar command is\s+(\S+)/.exec(stderr)?.[1] ?? null;
}

describe('a misspelled command', () => {
  it.each(['psuh', 'pussh', 'stauts', 'comit', 'brnach', 'rebsae', 'chekcout', 'resset'])(
    'git %s is taken for what git takes it for',
    (word) => {
      expect(nearestCommand(word)).toBe(gitsGuess(word));
    },
  );

  it('is none where nothing is near', () => {
    expect(nearestCommand('deploy-to-production')).toBeNull();
  });
});
