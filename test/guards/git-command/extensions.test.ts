import { describe, expect, it } from 'vitest';
import { extensionIntents } from '../../../src/guards/git-command/extensions.ts';
import { known, textOf } from '../../../src/guards/git-command/words.ts';

/** The scripts that stand for a call, or the kinds of what it does. */
function meaning(line: string): readonly string[] | null {
  const [name = '', ...words] = line.split(' ');
  const intents = extensionIntents(name, words.map(known));
  return (
    intents?.map((intent) =>
      intent.kind === 'run' && !('length' in intent.command) ? (textOf(intent.command) ?? '') : intent.kind,
    ) ?? null
  );
}

describe('extensions of git, by their manuals', () => {
  it.each([
    ['town sync', ['git push origin HEAD']],
    ['town sync --no-push', []],
    ['town sync --all --dry-run', []],
    ['town delete topic', ['git push origin --delete topic; git branch -D topic']],
    ['town status', []],
    ['flow release finish -p -k 1.0', ['git push --all origin']],
    ['flow release finish -k 1.0', []],
    ['flow feature delete -f x', ['git branch -D feature/x']],
    ['lfs migrate import --everything', ['destroy-recovery']],
    ['lfs migrate import --everything --no-rewrite', []],
    ['lfs migrate info', []],
    ['lfs update --force', ['skip-hooks']],
    ['undo', ['git reset --mixed HEAD~1']],
    ['undo --hard 3', ['git reset --hard HEAD~3']],
    ['reset-file a.txt', ['git checkout HEAD -- a.txt']],
    ['annex sync --no-push', []],
  ])('git %s', (line, expected) => {
    expect(meaning(line)).toEqual(expected);
  });

  it.each(['delta', 'summary --line', 'no-such-thing'])('git %s is none that changes anything', (line) => {
    expect(meaning(line)).toBeNull();
  });
});
