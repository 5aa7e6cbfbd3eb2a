import { describe, expect, it } from 'vitest';
import { commit, emptyRepository } from './guarded-repository.ts';

const many = (count: number, word: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => word(at)).join(' ');

/** Lines that once took minutes: an agent's hook that is killed lets its command pass. */
const lines: Readonly<Record<string, string>> = {
  'a copy of many files': `cp ${many(8_000, () => 'a')} d`,
  'objects for many paths': `git update-index --cacheinfo ${many(8_000, () => 'a')}`,
  'patterns of many stars': `git sparse-checkout set --no-cone '${'*'.repeat(60)}x' '${'*?'.repeat(60)}x'`,
};

describe('a line that is long in an unpleasant way', () => {
  const repository = emptyRepository();
  commit(repository, 'README.md', 'feat: begin');

  it.each(Object.entries(lines))('is judged, and nothing fails: %s', async (_, line) => {
    const { verdict } = await repository.judge(`${line}; git push --force origin HEAD:main`);
    const { findings } = await repository.judge(line);
    expect(verdict).toBe('deny');
    expect(findings.map(({ rule }) => rule)).not.toContain('guard-failure');
  });

  it('lets the timer of a front fire meanwhile', async () => {
    let fired = false;
    const timer = setTimeout(() => {
      fired = true;
    }, 0);
    await repository.judge('a; '.repeat(1000));
    clearTimeout(timer);
    expect(fired).toBe(true);
  });
});
