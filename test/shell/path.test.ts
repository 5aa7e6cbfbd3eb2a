import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shell/command-line.ts';
import { casesOf, implies, meeting, newFork, runsOnlyAfter, standsOnGuess, taking } from '../../src/shell/path.ts';
import type { Origin, Path, Step } from '../../src/shell/simple-command.ts';
import { home, show } from './script.ts';

/** What the last command can know of an earlier one: that it has succeeded, failed, run, not run; `?`: nothing. */
function knownOf({ origin: earlier }: Step, { origin: last }: Step): string {
  const cases = casesOf(last.path);
  const hasFailed = cases.every((outcomes) => outcomes.get(earlier.success) === false);
  const isOut = cases.every((outcomes) => casesOf(earlier.path).every((own) => contradicts(own, outcomes)));
  if (runsOnlyAfter(last, earlier)) {
    return 'done';
  }
  return hasFailed ? 'failed' : implies(last.path, earlier.path) ? 'ran' : isOut ? 'not run' : '?';
}

function contradicts(one: ReturnType<typeof casesOf>[number], other: ReturnType<typeof casesOf>[number]): boolean {
  return [...one].some(([fork, holds]) => other.get(fork) === !holds);
}

/** The commands `a`, `b`, … before the last one, each with what that one knows of it. */
function known(line: string): string {
  const { steps } = readCommandLine(line, home);
  const last = steps.at(-1);
  const named = steps.slice(0, -1).filter((step) => step.kind === 'command');
  return last === undefined
    ? ''
    : named.map((step) => `${step.argv.slice(1).map(show).join(' ')} ${knownOf(step, last)}`).join(', ');
}

const lines: readonly (readonly [line: string, known: string])[] = [
  ['git a; git z', 'a ran'],
  ['git a && git z', 'a done'],
  ['git a || git z', 'a failed'],
  ['! git a && git z', 'a failed'],
  ['git a && git b && git z', 'a done, b done'],
  ['git a && git b || git z', 'a ran, b ?'],
  ['git a || git b && git z', 'a ran, b ?'],
  ['git a && git b; git z', 'a ran, b ?'],
  ['git a || exit 1; git z', 'a done'],
  ['git a && exit; git z', 'a failed'],
  ['git a || { git b; exit 1; }; git z', 'a done, b not run'],
  ['set -e; git a; git b; git z', 'a done, b done'],
  ['set -e; git a || git b; git z', 'a ran, b ?'],
  ['if git a; then git b; else git z; fi', 'a failed, b not run'],
  ['if git a; then git b; else git c; fi; git z', 'a ran, b ?, c ?'],
  ['if git a; then git b; elif git c; then git d; else git z; fi', 'a failed, b not run, c failed, d not run'],
  ['if git a; then git b || exit; fi; git z', 'a ran, b ?'],
  ['git a && git b; git c && git z', 'a ran, b ?, c done'],
  ['case $X in x) git a ;; *) git z ;; esac', 'a not run'],
  ['case $X in x) git a ;;& *) git z ;; esac', 'a ?'],
  ['while git a; do git b; done; git z', 'a ran, b ?'],
  ['while git a; do git z; done', 'a done'],
  ['for X in $LIST; do git a; done; git z', 'a ?'],
  ['for X in 1; do git a; done; git z', 'a ran'],
  ['(git a && git b) && git z', 'a done, b done'],
  ['(git a || exit 1) && git z', 'a done'],
  ['(git a || exit 0) && git z', 'a ran'],
  ['(git a && exit 1) || git z', 'a ran'],
  ['{ git a; git b; } && git z', 'a ran, b done'],
  ['git a | git b && git z', 'a ran, b done'],
  ['git a & git z', 'a ?'],
  ['f() { git a && git b; }; f && git z', 'a done, b done'],
  ['f() { git a || return 1; git b; }; f; git z', 'a ran, b ?'],
  ["bash -c 'git a && git b' && git z", 'a done, b done'],
  ["eval 'git a' || git z", 'a failed'],
  ['sudo git a && git z', 'a done'],
  ['[ -e x ] && git a; [ -e x ] && git z', 'a ?'],
  ['X=$(git a) && git z', 'a ran'],
];

describe('what a command knows of those before it', () => {
  it.each(lines)('%s', (line, expected) => {
    expect(known(line)).toBe(expected);
  });

  it('stays bounded where ways multiply', () => {
    const line = `${Array.from({ length: 40 }, (_, at) => `git a${at} && git b${at} || git c${at}`).join(' && ')} || git z`;
    expect(known(line)).toContain('a0 ');
    const { steps } = readCommandLine(line, home);
    expect(Math.max(...steps.map(({ origin }) => casesOf(origin.path).length))).toBeLessThanOrEqual(8);
  });

  it('what comes again is another condition', () => {
    const origins: Origin[] = readCommandLine('for X in 1 2; do git a && git b; done', home).steps.map(
      ({ origin }) => origin,
    );
    expect(origins.map(({ success }) => success).filter((fork, at, all) => all.indexOf(fork) === at)).toHaveLength(4);
  });
});

describe('what stands on a guess', () => {
  const guess = newFork(null, true);
  const other = newFork();
  const guessed = taking(null, guess, true);

  it.each([
    [null, false],
    [guessed, true],
    [taking(null, guess, false), false],
    [taking(guessed, other, true), true],
    [meeting(taking(guessed, other, true), taking(null, newFork(), true)), false],
    [meeting(taking(guessed, other, true), taking(taking(null, newFork(), true), guess, true)), true],
  ] satisfies [Path, boolean][])('case %#', (path, expected) => {
    expect(standsOnGuess(path)).toBe(expected);
  });

  it('is told of a path with ever more ways behind each other', () => {
    let path: Path = null;
    for (let at = 0; at < 200; at += 1) {
      path = meeting(taking(path, newFork(), true), taking(path, newFork(), true));
    }
    expect(standsOnGuess(path)).toBe(false);
    expect(standsOnGuess(taking(path, guess, true))).toBe(true);
  });
});
