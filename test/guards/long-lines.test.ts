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

const perLine = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

const node = (program: string) => `node - <<'EOF'\nconst { execFileSync } = require('child_process');\n${program}\nEOF`;

const helpers: Readonly<Record<string, string>> = {
  'methods of one name': node(
    perLine(120, (at) => `class C${at}{run(...a){return execFileSync('git',a)}} new C${at}().run('log','-${at}');`),
  ),
  'methods that call each other': node(
    perLine(
      120,
      (at) => `class C${at} { constructor(d) { this.d = d; } run(...a) { return execFileSync('git', a, {cwd: this.d}); }
go() { return this.run('log', '-${at}'); } }
new C${at}('.').go();`,
    ),
  ),
  'objects with a method of one name': node(
    perLine(100, (at) => `const o${at} = { run(...a) { return execFileSync('git', a); } }; o${at}.run('log', '-1');`),
  ),
  'many calls of a helper of Ruby': `ruby - <<'EOF'\ndef git(*a) = system("git", *a)\n${perLine(1800, (at) => `git "log", "-${at}"`)}\nEOF`,
};

describe('a program of very many helpers', () => {
  const repository = emptyRepository();
  commit(repository, 'README.md', 'feat: begin');

  it.each(Object.entries(helpers))('is not followed to its end: %s', async (_, line) => {
    const { verdict, findings } = await repository.judge(line);
    expect(verdict).toBe('ask');
    expect(findings.map(({ rule }) => rule)).not.toContain('guard-failure');
  });

  it('does not double a text with each variable of Ruby', async () => {
    const doubled = perLine(40, (at) => `a${at + 1} = "#{a${at}}#{a${at}}"`);
    const { findings } = await repository.judge(`ruby - <<'EOF'\na0 = "log "\n${doubled}\nsystem "git #{a40}"\nEOF`);
    expect(findings.map(({ rule }) => rule)).not.toContain('guard-failure');
  });

  it('reads a table once for all that is taken from it', async () => {
    const entries = Array.from({ length: 1200 }, (_, at) => `"k${at}": ["git", "log", "-${at}"]`).join(', ');
    const program = (count: number) =>
      `python3 - <<'EOF'\nfrom subprocess import run\nD = {${entries}}\n${perLine(count, (at) => `run(D["k${at}"])`)}\nEOF`;
    expect((await repository.judge(program(200))).verdict).toBe('allow');
    // More calls than are looked at: the next one may be another.
    expect((await repository.judge(program(201))).verdict).toBe('ask');
  });

  it.each([
    ['log', 'allow'],
    ['gc', 'allow'],
    ['push --force origin HEAD:main', 'deny'],
  ])('is followed where they are few: git %s', async (command, expected) => {
    const words = command.split(' ').map((word) => `'${word}'`);
    const { verdict } = await repository.judge(
      node(
        perLine(
          4,
          (at) => `class C${at}{run(...a){return execFileSync('git',a)}} new C${at}().run('log','-1');`,
        ).concat(`\nnew C0().run(${words.join(', ')});`),
      ),
    );
    expect(verdict).toBe(expected);
  });
});
