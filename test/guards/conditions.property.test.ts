import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/config/rules.ts';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
});

const strength: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

const verdictOf = async (line: string) => (await repository.judge(line)).verdict;

/** What keeps the changes, or brings HEAD elsewhere, where it runs. */
const saving = [
  'git stash -u',
  'git add -A && git commit -m "feat: x"',
  'git commit -am "feat: x"',
  'git checkout -b another',
  'git branch keep',
];

/** What is stopped where none of these has run. */
const losing = ['git checkout .', 'git reset --hard', 'git push -f origin HEAD', 'git reset --hard HEAD~1'];

/** Ways to put a command behind a condition of its own. @param condition is another each time */
const conditions: readonly ((line: string, condition: string) => string)[] = [
  (line, condition) => `${condition} && { ${line}; }`,
  (line, condition) => `${condition} || { ${line}; }`,
  (line, condition) => `if ${condition}; then ${line}; fi`,
  (line, condition) => `if ${condition}; then echo; else ${line}; fi`,
  (line, condition) => `(${condition} && { ${line}; })`,
  (line, condition) => `while ${condition}; do ${line}; break; done`,
  (line, condition) => `for X in $(${condition}); do ${line}; done`,
  (line, condition) => `case $(${condition}) in y) ${line} ;; esac`,
  (line, condition) => `{ ${condition} || ${condition} -2; } && { ${line}; }`,
  (line, condition) => `{ ${condition} && ${condition} -2 || ${condition} -3; } && { ${line}; }`,
];

describe('a command behind a condition of its own', () => {
  it('is judged as if what stands behind another one had not run', async () => {
    const conditional = fc.constantFrom(...conditions);
    const property = fc.asyncProperty(
      fc.constantFrom(...saving),
      fc.constantFrom(...losing),
      conditional,
      conditional,
      async (first, second, around, beside) => {
        const line = `${around(first, 'grep -c . one')}; ${beside(second, 'grep -c . two')}`;
        expect(strength[await verdictOf(line)], line).toBeGreaterThanOrEqual(strength[await verdictOf(second)]);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it('is judged behind the same condition as without any', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...saving),
      fc.constantFrom(...losing),
      fc.constantFrom(...conditions),
      async (first, second, around) => {
        const both = `${first}; ${second}`;
        expect(await verdictOf(around(both, 'grep -c . one'))).toBe(await verdictOf(both));
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });
});
