import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefName, mapByPattern, matchingRefs, parsePushRefspec } from '../../src/git/refs/refspec.ts';
import { bareRepository, git, repositoryWithCommit, temporaryDirectory } from './fixture.ts';

const namePart = fc.stringMatching(/^[a-z.@{}*~^:?[\\ ü-]{0,4}(?:\.lock)?$/);
const anyName = fc.array(namePart, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

describe('ref names', () => {
  it('are valid when git check-ref-format says so', () => {
    const directory = temporaryDirectory();
    const names = fc.sample(anyName, { numRuns: 150, seed: 7 });
    for (const name of names) {
      const { status } = spawnSync('git', ['check-ref-format', '--allow-onelevel', '--refspec-pattern', name], {
        cwd: directory,
      });
      expect(`${name} ${isRefName(name, { glob: true, oneLevel: true })}`).toBe(`${name} ${status === 0}`);
    }
  });

  it.each([
    ['refs/heads/main', true],
    ['main', false],
    ['refs/heads/ü;x', true],
    ['refs/heads/a..b', false],
    ['refs/heads/a.lock', false],
    ['refs/heads/*', false],
    ['refs//main', false],
  ])('%s is a full name: %s', (name, expected) => {
    expect(isRefName(name, {})).toBe(expected);
  });
});

describe('a push refspec', () => {
  it.each([
    ['main', { kind: 'explicit', force: false, src: 'main', dst: null }],
    ['+main', { kind: 'explicit', force: true, src: 'main', dst: null }],
    ['a:b', { kind: 'explicit', force: false, src: 'a', dst: 'b' }],
    [':b', { kind: 'explicit', force: false, src: '', dst: 'b' }],
    ['+:b', { kind: 'explicit', force: true, src: '', dst: 'b' }],
    [':', { kind: 'matching', force: false }],
    ['+:', { kind: 'matching', force: true }],
    ['@', { kind: 'explicit', force: false, src: 'HEAD', dst: null }],
    ['HEAD^{/a: b}:c', { kind: 'explicit', force: false, src: 'HEAD^{/a: b}', dst: 'c' }],
    ['refs/heads/*', { kind: 'pattern', force: false, src: 'refs/heads/*', dst: 'refs/heads/*' }],
    ['+refs/heads/*:refs/x/*', { kind: 'pattern', force: true, src: 'refs/heads/*', dst: 'refs/x/*' }],
    ['^refs/heads/wip', { kind: 'negative', pattern: 'refs/heads/wip' }],
    ['HEAD~1', null],
    ['a:', null],
    ['a:b c', null],
    ['refs/heads/*:refs/heads/main', null],
    ['refs/heads/main:refs/heads/*', null],
    ['refs/*/*:refs/*/*', null],
    ['^', null],
    ['^a:b', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(parsePushRefspec(text)).toEqual(expected);
  });

  it('never makes the parser fail, and what it yields can be written again', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const refspec = parsePushRefspec(text);
        if (refspec !== null && refspec.kind !== 'negative') {
          const force = refspec.force ? '+' : '';
          const words =
            refspec.kind === 'matching' ? ':' : refspec.dst === null ? refspec.src : `${refspec.src}:${refspec.dst}`;
          expect(parsePushRefspec(force + words)).toEqual(refspec);
        }
      }),
    );
  });
});

describe('a wildcard', () => {
  it('maps names as git push does', () => {
    const work = repositoryWithCommit();
    const remote = bareRepository(join(dirname(work), 'remote.git'));
    const branches = ['a', 'ab', 'aba', 'b/a', 'bb/a', 'b/bb/a', 'ba'];
    for (const branch of branches) {
      git(work, 'branch', branch);
    }
    const side = fc.stringMatching(/^(?:[ab]\/)?[ab]{0,2}\*[ab]{0,2}(?:\/[ab])?$/).map((text) => `refs/heads/${text}`);
    for (const [src, dst] of fc.sample(fc.tuple(side, side), { numRuns: 40, seed: 3 })) {
      const words = ['push', '--porcelain', '--dry-run', '--force', remote, `${src}:${dst}`];
      const { stdout } = spawnSync('git', words, { cwd: work, encoding: 'utf8' });
      const told = stdout.split('\n').flatMap((line) => /^.\t(\S+):(\S+)\t/.exec(line)?.slice(1, 3).join(' ') ?? []);
      const mapped = ['main', ...branches].flatMap((branch) => {
        const target = mapByPattern(`refs/heads/${branch}`, src, dst);
        return target === null ? [] : `refs/heads/${branch} ${target}`;
      });
      expect([src, dst, ...mapped.sort()]).toEqual([src, dst, ...told.sort()]);
    }
  });

  it('maps back what it mapped', () => {
    const text = fc.stringMatching(/^[a-z/]{0,6}$/);
    fc.assert(
      fc.property(text, text, text, (before, after, middle) => {
        const pattern = `refs/heads/${before}*${after}`;
        const target = 'refs/remotes/origin/*';
        const mapped = mapByPattern(`refs/heads/${before}${middle}${after}`, pattern, target);
        expect(mapped).toBe(`refs/remotes/origin/${middle}`);
        expect(mapByPattern(mapped ?? '', target, pattern)).toBe(`refs/heads/${before}${middle}${after}`);
      }),
    );
  });
});

describe('a short name', () => {
  const refs = new Set([
    'refs/heads/main',
    'refs/remotes/origin/main',
    'refs/tags/both',
    'refs/heads/both',
    'refs/notes/x',
  ]);

  it.each([
    ['main', ['refs/heads/main']],
    ['heads/main', ['refs/heads/main']],
    ['both', ['refs/tags/both', 'refs/heads/both']],
    ['origin/main', ['refs/remotes/origin/main']],
    ['remotes/origin/main', ['refs/remotes/origin/main']],
    ['notes/x', ['refs/notes/x']],
    ['x', []],
  ])('%s means %j', (name, expected) => {
    expect(matchingRefs(name, refs)).toEqual(expected);
  });
});
