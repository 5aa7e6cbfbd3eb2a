import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { skipUnless } from '../skip.ts';
import { changedProtected, lostCommits, lostContents, missingEffect, scopeOf } from './effects.ts';
import { observe } from './observation.ts';
import { ofThisPart, type Row, readRows } from './rows.ts';
import { pathsOutside, runIn, writeStubs } from './sandbox.ts';
import { StateTemplates } from './states/build.ts';
import { corpusDirectory } from './states/directory.ts';
import type { StateName } from './states/states.ts';

const notExecuted = 'not-executed: ';

const root = corpusDirectory('corpus-effects-');
const stubs = join(root, 'stubs');
writeStubs(stubs);
const templates = new StateTemplates(root);
const befores = new Map<StateName, ReturnType<typeof observe>>();
afterAll(() => rmSync(root, { recursive: true, force: true }));

function before(state: StateName): ReturnType<typeof observe> {
  const known = befores.get(state) ?? observe(templates.template(state));
  befores.set(state, known);
  return known;
}

/** A command that leaves something running behind needs a moment. */
const startsInBackground = /&(?![&>\d])|nohup|setsid|coproc/;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function inSandbox<T>(state: StateName, work: (sandbox: string) => Promise<T>): Promise<T> {
  const sandbox = await templates.copy(state);
  try {
    return await work(sandbox);
  } finally {
    await rm(sandbox, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function missingEffects(row: Row): Promise<string[]> {
  const first = await before(row.state);
  return inSandbox(row.state, async (sandbox) => {
    const { output } = await runIn(sandbox, stubs, row.command);
    const later = row.then === undefined ? '' : (await runIn(sandbox, stubs, row.then)).output;
    let missing: string[] = [];
    for (let round = 0; round < (startsInBackground.test(row.command) ? 10 : 1); round += 1) {
      await pause(round === 0 ? 0 : 300);
      const after = await observe(sandbox, scopeOf(row.effect ?? []), first);
      const probe = async (command: string) => {
        await runIn(sandbox, stubs, `rm -f ../hooks-ran; ${command}`);
        return observe(sandbox, 'no repository');
      };
      const seen = await Promise.all(
        (row.effect ?? []).map((effect) => missingEffect(effect, { sandbox, before: first, after, probe })),
      );
      missing = seen.flatMap((text, index) =>
        text === null ? [] : [`${row.effect?.[index]}: ${text}\n${output}${later}`],
      );
      if (missing.length === 0) {
        break;
      }
    }
    return missing;
  });
}

/** Into so many parts the rows are divided, a test file for each: vitest gives every file a processor. */
const parts = 2;

/** The states that belong to a part, so that each is built once; the parts have about as many rows to run. */
function statesOf(part: number, run: readonly Row[]): ReadonlySet<StateName> {
  const counts = new Map<StateName, number>();
  for (const { state } of run) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const loads = Array.from({ length: parts }, () => 0);
  const chosen = new Set<StateName>();
  for (const [state, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + count;
    if (least === part) {
      chosen.add(state);
    }
  }
  return chosen;
}

const rows = readRows();
const dangerous = rows.filter(({ verdict }) => verdict !== 'allow');
const executable = dangerous.filter(({ effect }) => !effect?.some((name) => name.startsWith(notExecuted)));
const runnable = rows.filter(({ verdict, run }) => verdict === 'allow' && run);
const lacks = new Map<string, Promise<boolean>>();

/** A command that fails where the machine lacks the program, or has an older git than `git 2.54`. */
function lookFor(program: string): string {
  const version = /^git (\d+\.\d+)$/.exec(program)?.[1];
  return version === undefined
    ? `command -v ${program} || test -x "$(git --exec-path)/${program}"`
    : `printf '%s\\n' ${version} "$(git version | cut -d' ' -f3)" | sort -VC`;
}

/** Whether the machine (or a stub) has every program that the row needs. */
async function canRun(row: Row): Promise<boolean> {
  for (const program of row.needs ?? []) {
    const known =
      lacks.get(program) ??
      inSandbox('empty', async (sandbox) => (await runIn(sandbox, stubs, lookFor(program))).code !== 0);
    lacks.set(program, known);
    if (await known) {
      return false;
    }
  }
  return true;
}

/** What a machine lacks is printed: the runner's report has only the number of what was skipped. */
async function skipWithoutPrograms(row: Row, skip: (reason: string) => void): Promise<void> {
  const reason = `needs ${row.needs?.join(', ')}`;
  if (skipUnless(await canRun(row), `${title(row)}: ${reason}`)) {
    skip(reason);
  }
}

const title = ({ subject, line, state, command }: Row) => `${subject}:${line} in ${state}: ${command.slice(0, 150)}`;

/** The checks of the corpus as a whole. */
export function describeCorpus(): void {
  describe('the corpus', () => {
    it('stops no command that a test leaves unexecuted without a reason', () => {
      const unexplained = dangerous.filter(({ effect }) =>
        effect?.some((name) => name.startsWith(notExecuted) && name.length < notExecuted.length + 10),
      );
      expect(unexplained.map(title)).toEqual([]);
    });

    it('names no path outside of the sandbox in a command that is run', () => {
      const outside = [...executable, ...runnable].filter(({ command }) => pathsOutside(command).length > 0);
      expect(outside.map(title)).toEqual([]);
    });

    it('has hooks that do run when nothing skips them', async () => {
      await inSandbox('hooks-installed', async (sandbox) => {
        await runIn(sandbox, stubs, 'git commit -qm "feat: add more" && git push -q');
        expect((await observe(sandbox)).hooksRan).toEqual(['pre-commit', 'commit-msg', 'pre-push']);
      });
    });
  });
}

/**
 * Runs the rows of one part and looks for what they do.
 *
 * @param part from 0
 */
export function describePart(part: number): void {
  const [dangerousOnes, harmlessOnes] = [ofThisPart(executable), ofThisPart(runnable)];
  const states = statesOf(part, [...dangerousOnes, ...harmlessOnes]);

  describe.concurrent('a stopped command does what its row says', () => {
    for (const row of dangerousOnes.filter(({ state }) => states.has(state))) {
      it(title(row), async ({ skip }) => {
        await skipWithoutPrograms(row, skip);
        expect((await missingEffects(row)).join('\n')).toBe('');
      });
    }
  });

  describe.concurrent('a harmless command loses nothing', () => {
    for (const row of harmlessOnes.filter(({ state }) => states.has(state))) {
      it(title(row), async ({ skip }) => {
        await skipWithoutPrograms(row, skip);
        const first = await before(row.state);
        await inSandbox(row.state, async (sandbox) => {
          const { output } = await runIn(sandbox, stubs, row.command);
          const after = await observe(sandbox, 'everything', first);
          expect(lostCommits({ before: first, after }), output).toEqual([]);
          expect(lostContents({ before: first, after }), output).toEqual([]);
          expect(changedProtected({ before: first, after }), output).toEqual([]);
        });
      });
    }
  });
}
