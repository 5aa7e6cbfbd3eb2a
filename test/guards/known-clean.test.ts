import { beforeAll, describe, expect, it } from 'vitest';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  // a.txt has changes that are not staged, b.txt has some that are, c.txt both; untracked.txt is untracked.
  repository.write('b.txt', 'staged\n');
  repository.write('c.txt', 'staged\n');
  repository.git('add', 'b.txt', 'c.txt');
  repository.write('c.txt', 'changed\n');
});

/** The files that a line is said to discard. */
async function lost(line: string): Promise<string> {
  const { findings } = await repository.judge(line);
  const objections = findings.filter(({ rule }) => rule === 'discard-changes');
  return objections.map(({ message }) => /: (.*)\.$/.exec(message)?.[1] ?? message).join('; ');
}

/** What is lost by `git reset --hard; git clean -fd` where the line goes on because nothing was found. */
const questions: readonly (readonly [question: string, lost: string])[] = [
  ['git status', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['git diff --quiet HEAD', 'untracked.txt'],
  ['git diff --quiet @', 'untracked.txt'],
  ['git diff --exit-code HEAD', 'untracked.txt'],
  ['git diff --quiet HEAD --', 'untracked.txt'],
  ['git diff-index --quiet HEAD', 'untracked.txt'],
  ['git diff --quiet', 'b.txt, c.txt; untracked.txt'],
  ['git diff-files --quiet', 'b.txt, c.txt; untracked.txt'],
  ['git diff --quiet --cached', 'a.txt, c.txt; untracked.txt'],
  ['git diff-index --quiet --cached HEAD', 'a.txt, c.txt; untracked.txt'],
  ['git diff --quiet && git diff --staged --quiet', 'untracked.txt'],
  ['git diff --quiet HEAD -- a.txt', 'b.txt, c.txt; untracked.txt'],
  ['git diff --quiet HEAD -- "*.txt"', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['git diff --quiet HEAD a.txt', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['git diff --quiet main', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['git diff --quiet -w HEAD', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['git diff HEAD', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['git -c core.fileMode=false diff --quiet HEAD', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['GIT_DIR=.git git diff --quiet HEAD', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['[ -z "$(git diff HEAD)" ]', 'untracked.txt'],
  ['[ -z "$(git status --porcelain)" ]', ''],
  ['[ -z $(git status --porcelain) ]', ''],
  ['[ ! -n "$(git status --porcelain=v1)" ]', ''],
  ['test "$(git status -s)" = ""', ''],
  ['[[ -z $(git status --short | head -n 1) ]]', ''],
  ["[[ ! ( $(git status -s) != '' ) ]]", ''],
  ['! git status --porcelain | grep -q .', ''],
  ['[ -n "$(git status --porcelain)" ]', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['[ -z "x$(git status --porcelain)" ]', ''],
  ['[ -z "$(git status)" ]', ''],
  ['[ -z "$(git status --porcelain -uno)" ]', 'untracked.txt'],
  ['[ -z "$(git status --porcelain untracked.txt)" ]', 'a.txt, b.txt, c.txt'],
  ['git status --porcelain | grep -q "^??"', 'a.txt, b.txt, c.txt; untracked.txt'],
  ['xargs git diff --quiet HEAD', 'a.txt, b.txt, c.txt; untracked.txt'],
];

describe('where nothing was found, nothing is lost', () => {
  it.each(questions)('%s', async (question, expected) => {
    // What the first command does to the files is not known: they may be as committed behind it.
    expect(await lost(`npm test; if ${question}; then git reset --hard; git clean -fd; fi`)).toBe(expected);
  });

  it('nor where what was found is put away', async () => {
    const after = 'git reset --hard; git clean -fd';
    expect(await lost(`[ -z "$(git status -s)" ] || git stash -u; ${after}`)).toBe('');
    expect(await lost(`git diff --quiet HEAD || git stash; ${after}`)).toBe('untracked.txt');
    expect(await lost(`git diff --quiet || git stash; ${after}`)).toBe('b.txt, c.txt; untracked.txt');
    expect(await lost(`git diff --quiet HEAD || npm test; ${after}`)).toBe('a.txt, b.txt, c.txt; untracked.txt');
  });

  it('but by what has come since', async () => {
    expect(await lost('git stash && git diff --quiet HEAD && git stash pop && git checkout .')).not.toBe('');
    expect(await lost('npm test; git diff --quiet HEAD && echo x > a.txt && git checkout a.txt')).toBe('a.txt');
  });

  it('and only where the settings leave nothing out', async () => {
    const line = '[ -z "$(git status -s)" ] && git clean -fd';
    expect(await lost(line)).toBe('');
    expect(await lost(`git config status.showUntrackedFiles no; ${line}`)).toBe('untracked.txt');
  });
});

describe('where changes are there now, what only runs without them is not reached', () => {
  const after = 'git reset --hard; git clean -fd';

  it.each(['git diff --quiet HEAD', 'git diff --quiet', 'git diff --cached --quiet', '[ -z "$(git status -s)" ]'])(
    '%s',
    async (question) => {
      expect(await lost(`if ${question}; then ${after}; fi`)).toBe('');
      expect(await lost(`${question} || exit 1; ${after}`)).toBe('');
    },
  );

  it('but what runs in any case is', async () => {
    expect(await lost(`(git diff --quiet HEAD || exit 1); ${after}`)).toBe('a.txt, b.txt, c.txt; untracked.txt');
    expect(await lost(`git diff --quiet HEAD || echo changed; ${after}`)).toBe('a.txt, b.txt, c.txt; untracked.txt');
    expect(await lost(`git diff --quiet -- none.txt || exit 1; ${after}`)).not.toBe('');
  });
});
