import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { changedProtected, lostCommits, lostContents } from './effects.ts';
import { judgeIn } from './judging.ts';
import { type Observation, observe } from './observation.ts';
import { gitForms, ignoringForms, randomLines, type Vocabulary } from './random-lines.ts';
import { pathsOutside, runIn, writeStubs } from './sandbox.ts';
import { cleanEnvironment, StateTemplates } from './states/build.ts';
import { corpusDirectory } from './states/directory.ts';
import type { StateName } from './states/states.ts';

type Kind = 'lively' | 'ignoring';

/** Each with something to lose; none with a conflict that nobody has worked on, whose markers are no work. */
const lively: readonly StateName[] = [
  'ahead-main',
  'diverged-main',
  'diverged-feature',
  'dirty-feature',
  'dirty-main',
  'dirty-unpushed',
  'unpushed-feature',
  'merged-feature',
  'stashed',
  'stashed-untracked',
  'untracked-elsewhere',
  'worktree',
  'detached',
  'refspec-force',
  'upstream-main',
  'release-branches',
  'submodule-ahead',
  'hooks-configured',
  'half-resolved',
  'local-tag',
];

/** Each with files that are ignored, and some with others that are not. */
const ignoring: readonly StateName[] = [
  'ignored-only',
  'ignored-elsewhere',
  'ignored-below',
  'ignored-by-branch',
  'ignored-in-worktrees',
  'dirty-feature',
  'stashed-untracked',
];

const root = corpusDirectory('corpus-random-');
const stubs = join(root, 'stubs');
writeStubs(stubs);
const templates = new StateTemplates(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Every line of what git prints in a state's work tree; nothing where git fails. */
function git(state: StateName, ...args: string[]): string[] {
  const sandbox = templates.template(state);
  try {
    const text = execFileSync('git', ['-C', join(sandbox, 'work'), ...args], {
      env: cleanEnvironment(sandbox),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

function vocabulary(state: StateName, kind: Kind): Vocabulary {
  const refs = (...below: string[]) => git(state, 'for-each-ref', '--format=%(refname:short)', ...below);
  const changed = git(state, 'ls-files', '--modified', '--others', '--exclude-standard');
  const ignored = kind === 'lively' ? [] : git(state, 'ls-files', '--others', '--ignored', '--exclude-standard');
  const worktrees = git(state, 'worktree', 'list', '--porcelain').flatMap((line) =>
    line.startsWith('worktree ') && !line.endsWith('/work') ? [`../${line.split('/').at(-1)}`] : [],
  );
  return {
    branches: refs('refs/heads'),
    tracking: refs('refs/remotes'),
    tags: [...refs('refs/tags'), 'v9'],
    files: [...changed, ...ignored, ...git(state, 'ls-files').slice(0, 4)],
    worktrees: [...worktrees, '../linked'],
  };
}

/** Contents that were in a file or a stash, and commits with a file that is nowhere else; the index alone does not count. */
function lost(state: StateName, before: Observation, after: Observation): string[] {
  const inFiles = new Set([...before.files.values()].map((hash) => hash.replace('+x', '')));
  const stashes = git(state, 'log', '-g', '--format=%H', 'refs/stash', '--');
  const inStashes = new Set(
    stashes.length === 0 ? [] : git(state, 'rev-list', '--objects', '--no-object-names', ...stashes),
  );
  const contents = lostContents({ before, after }).filter((hash) => inFiles.has(hash) || inStashes.has(hash));
  const commits = lostCommits({ before, after });
  const beneath = new Set(commits.flatMap((commit) => git(state, 'rev-list', '--max-count=50', `${commit}^@`)));
  const gone = commits.filter(
    (commit) => !beneath.has(commit) && git(state, 'ls-tree', '-r', commit).some((line) => isBlobGone(line, after)),
  );
  return [...contents.map((hash) => `content ${hash}`), ...gone.map((commit) => `commit ${commit}`)];
}

/** Contents of files that nothing has any more; without those that tools make again. */
function lostFiles({ files }: Observation, after: Observation): string[] {
  return [...files].flatMap(([path, hash]) =>
    /(?:^|\/)(?:dist|node_modules)\/|(?:^|\/)\.git(?:\/|$)/.test(path) || after.contents.has(hash.replace('+x', ''))
      ? []
      : [path],
  );
}

const hooksOf = ({ files }: Observation) => [...files.keys()].filter((path) => path.includes('.git/hooks/'));

/** What an allowed line has done that it must not do. */
async function harm(state: StateName, line: string): Promise<string[]> {
  const before = await observe(templates.template(state));
  const sandbox = await templates.copy(state);
  try {
    await runIn(sandbox, stubs, line);
    const after = await observe(sandbox, 'everything', before);
    const hooks = hooksOf(before).filter((path) => !after.files.has(path));
    const files = ignoring.includes(state) ? lostFiles(before, after) : [];
    return [...lost(state, before, after), ...files, ...changedProtected({ before, after }), ...hooks];
  } finally {
    await rm(sandbox, { recursive: true, force: true, maxRetries: 3 });
  }
}

function isBlobGone(entry: string, { contents }: Observation): boolean {
  const [, type, hash = ''] = entry.split(/\s/);
  return type === 'blob' && !contents.has(hash);
}

function linesIn(state: StateName, kind: Kind): fc.Arbitrary<string> {
  const lines = randomLines(vocabulary(state, kind), kind === 'lively' ? gitForms : ignoringForms);
  return lines.filter((line) => pathsOutside(line).length === 0);
}

/** The vocabulary of a state is asked for once. */
function inStates(states: readonly StateName[], kind: Kind): fc.Arbitrary<[StateName, string]> {
  const made = new Map<StateName, fc.Arbitrary<string>>();
  return fc.constantFrom(...states).chain((state) => {
    const lines = made.get(state) ?? linesIn(state, kind);
    made.set(state, lines);
    return fc.tuple(fc.constant(state), lines);
  });
}

/** Always the same lines, unless more are asked for: what a rare one shows is for who looks for it. */
const options =
  process.env.FUZZ_RUNS === undefined ? { numRuns: 60, seed: 1 } : { numRuns: Number(process.env.FUZZ_RUNS) };

/** Lines that the guard lets pass do no harm, and those are not too few. */
async function passHarmless(lines: fc.Arbitrary<[StateName, string]>): Promise<void> {
  const judge = judgeIn(templates);
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(lines, async ([state, line]) => {
      if ((await judge(state, line)).verdict === 'allow') {
        allowed += 1;
        expect(await harm(state, line)).toEqual([]);
      }
    }),
    options,
  );
  expect(allowed).toBeGreaterThan(options.numRuns / 4);
}

describe('any line of git that the guard lets pass', () => {
  it('loses no work, moves no protected branch of a remote and leaves the hooks', { timeout: 1_800_000 }, () =>
    passHarmless(inStates(lively, 'lively')),
  );

  it('loses no ignored file, whatever it does to what is ignored', { timeout: 1_800_000 }, () =>
    passHarmless(inStates(ignoring, 'ignoring')),
  );
});
