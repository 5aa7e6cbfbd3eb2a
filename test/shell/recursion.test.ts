import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shell/command-line.ts';
import { home, memoryFiles, read } from './script.ts';

const files = memoryFiles({
  '/project/package.json': JSON.stringify({ scripts: { build: 'turbo run build', ship: 'npm run ship; git push -f' } }),
  '/project/Makefile': 'test:\n\tdocker compose run app make test\n\tgit b\n',
  '/project/again.sh': '[ "$EUID" = 0 ] || exec sudo "$0" "$@"\ngit b\n',
  '/project/deeper.sh': 'bash deeper.sh "$1/.."\ngit push -f\n',
  '/project/sub/walk.sh': 'for d in */; do (cd "$d" && bash /project/sub/walk.sh); done; git b\n',
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`/project/${at}.sh`, `sh ${at + 1}.sh\n${at === 3 ? 'git push -f' : ''}\n`]),
  ),
});

/** Different steps in their order, whether sure or not: what starts itself is read more than once. */
const steps = (source: string) => [...new Set(read(source, { files }).map((step) => step.replace(/^maybe: /, '')))];

const cases: readonly (readonly [situation: string, source: string, steps: readonly string[]])[] = [
  ['a task that runs the tasks of its name', 'npm run build && git a', ['npm run build', 'turbo run build', 'git a']],
  ['a script of npm that starts itself', 'npm run ship', ['npm run ship', 'git push -f']],
  [
    'a target that is made in a container',
    'make test; git a',
    ['make test', 'docker compose run app make test', 'git b', 'git a'],
  ],
  ['a script that starts itself as another user', './again.sh x', ['git b']],
  ['a script that goes through a tree', 'bash sub/walk.sh', ['git b @?', 'git b', 'git b @/project/sub']],
  ['a function that tries again', 'r() { "$@" || r "$@"; }; r git a; git b', ['git a', 'git b']],
];

describe('what starts itself', () => {
  it.each(cases)('%s is read to its end', (_, source, expected) => {
    expect(steps(source)).toEqual(expected);
  });

  it('is read with the values of later starts, too', () => {
    expect(steps('f() { git $c; c=b; f; }; c=a; f')).toEqual(['git a', 'git b']);
    expect(steps('f() { git $c; c=x$c; f; }; c=a; f').at(-1)).toBe('git ⟨?⟩*');
    expect(steps('f() { git $1; shift; f "$@"; }; f a b c d e')).toEqual(['git a', 'git ⟨?⟩*']);
  });

  it('has unknown arguments where they change from start to start', () => {
    expect(steps('bash deeper.sh .')).toEqual(['git push -f']);
    expect(steps('f() { git log "$1"; f "$1/.."; }; f .; git a')).toEqual(['git log .', 'git log ⟨?⟩', 'git a']);
  });

  it('tells which scripts were not read to their end where one starts another for too long', () => {
    const { truncated, unread } = readCommandLine('sh 0.sh', { ...home, files });
    expect(truncated).toContain('nested');
    expect(unread).toContain('sh 4.sh\ngit push -f\n');
    expect(unread).not.toContain('sh 0.sh');
  });

  it.each([
    ['a program', 'python3 x.py', 'x.py', (long: string) => `os.system("${long}")\nos.system("git push -f")\n`],
    ['a makefile', 'make', 'Makefile', (long: string) => `all:\n\t${long}\n\tgit push -f\n`],
  ])('tells the same of %s', (_, command, name, text) => {
    const content = text('x; '.repeat(300));
    const { truncated, unread } = readCommandLine(command, {
      ...home,
      files: memoryFiles({ [`/project/${name}`]: content }),
      bounds: { steps: 200 },
    });
    expect(truncated).toContain('more than 200 steps');
    expect(unread).toContain(content);
  });
});
