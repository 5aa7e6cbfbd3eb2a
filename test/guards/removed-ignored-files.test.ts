import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyRepository, guardedAt } from './guarded-repository.ts';

/** Each command is judged, and then carried out: it is asked about just where an ignored file's contents are gone. */

const mine = 'exists nowhere else';
const secret = `echo '${mine}' >`;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-removed-')));
afterAll(() => rmSync(root, { recursive: true }));

/** `work` with `src`, `docs` and `docs/deep`; `.env.example` is tracked, `.env`, `data`, `node_modules` and `dist` are ignored. */
const template = (() => {
  const { path } = emptyRepository();
  const script = `mkdir -p src docs/deep; for file in src/a docs/b docs/deep/c; do echo $file >$file; done
printf '.env\\ndata\\nnode_modules\\ndist\\n' >.gitignore; echo 'TOKEN=' >.env.example
git add -A; git commit -q -m 'feat: begin'`;
  execFileSync('sh', ['-c', script], { cwd: path });
  return path;
})();

function holds(directory: string): boolean {
  return readdirSync(directory, { withFileTypes: true, recursive: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8') === `${mine}\n`,
  );
}

/** @param prepare a script for a shell in the work tree, which leaves a file with {@link mine} */
async function verdictAndLoss(prepare: string, command: string) {
  const directory = mkdtempSync(join(root, 'case-'));
  const work = join(directory, 'work');
  cpSync(template, work, { recursive: true });
  execFileSync('sh', ['-ec', `git status --short; ${prepare}`], { cwd: work, stdio: 'ignore' });
  const { verdict } = await guardedAt(work).judge(command);
  const before = holds(directory);
  spawnSync('sh', ['-c', command], { cwd: work });
  return { verdict, before, isLost: !holds(directory) };
}

describe('an ignored file goes with a linked work tree', () => {
  const tree = 'git worktree add -q ../x';
  it.each([
    [`${tree}; ${secret}../x/.env`, 'git worktree remove ../x'],
    [`${tree}; mkdir -p ../x/data/raw; ${secret}../x/data/raw/a`, 'git worktree remove x'],
    [`${tree}; mkdir ../x/more; ${secret}../x/more/.env`, 'git worktree remove --force ../x'],
    [`git worktree add -q in/x; ${secret}in/x/.env`, 'git worktree remove in/x'],
    [`${tree}; echo other >.env; ${secret}../x/.env`, 'git worktree remove ../x'],
    [`${tree}; mkdir -p ../x/data/n; git init -q ../x/data/n; ${secret}../x/data/n/a`, 'git worktree remove ../x'],
  ])('%s; %s', async (prepare, command) => {
    expect(await verdictAndLoss(prepare, command)).toEqual({ verdict: 'ask', before: true, isLost: true });
  });

  it.each([
    [`${tree}; ${secret}.env; cp .env ../x`, 'git worktree remove ../x'],
    [`${tree}; mkdir data ../x/data; ${secret}data/a; cp data/a ../x/data`, 'git worktree remove -f ../x'],
    [`${tree}; ${secret}.env; ln -s "$PWD/.env" ../x/.env`, 'git worktree remove ../x'],
    [`${tree}; ${secret}../x/.env; echo new >../x/new`, 'git worktree remove ../x'],
    [`${tree}; ${secret}../x/.env`, 'mv ../x/.env . && git worktree remove ../x'],
    [`${tree}; ${secret}../x/.env`, 'cp ../x/.env . && git worktree remove ../x'],
    [`${tree}; ${secret}../x/.env`, 'git worktree list && git worktree prune'],
  ])('not where it stays: %s; %s', async (prepare, command) => {
    expect(await verdictAndLoss(prepare, command)).toEqual({ verdict: 'allow', before: true, isLost: false });
  });

  it.each([
    [`${tree}; mkdir -p ../x/node_modules/y ../x/dist; ${secret}../x/node_modules/y/a`, 'tools make it again'],
    [`${tree}; mkdir ../x/data; mkdir ../x/data/dist; ${secret}../x/data/dist/a`, 'in a directory that is ignored'],
    [`${tree}; mkdir -p ../x/data/lib; touch ../x/data/pyvenv.cfg; ${secret}../x/data/lib/a`, 'a virtual environment'],
    [`${tree}; mkdir ../x/data; ${secret}../x/data/test.log`, 'what a program has said'],
    [`${tree}; cp .env.example ../x/.env; : >../x/data`, 'HEAD has the same, and there is nothing in the other'],
  ])('nor where nobody misses it: %s', async (prepare) => {
    expect((await verdictAndLoss(prepare, 'git worktree remove ../x')).verdict).toBe('allow');
  });
});

describe('an ignored file goes with a directory that leaves a sparse checkout', () => {
  const env = `${secret}docs/.env`;
  it.each([
    [env, 'git sparse-checkout set src'],
    [env, 'git sparse-checkout set --cone'],
    [env, 'git sparse-checkout set docs/deep/../../src --skip-checks'],
    [env, 'git sparse-checkout init'],
    [env, 'echo src | git sparse-checkout set --stdin'],
    [env, 'git -C docs sparse-checkout set ../src'],
    [`${secret}docs/deep/.env`, 'git sparse-checkout set src'],
    [`mkdir docs/data; ${secret}docs/data/a`, 'git sparse-checkout set src'],
    [`git config core.sparseCheckoutCone false; ${env}`, 'git sparse-checkout set src'],
    [`git sparse-checkout set src; mkdir docs; ${env}`, 'git sparse-checkout reapply'],
    [`git sparse-checkout set src; mkdir docs; ${env}`, 'git sparse-checkout add more'],
    [`git sparse-checkout set src; mkdir docs; ${env}`, 'git sparse-checkout set src'],
    [`echo changed >docs/b; git add docs/b; ${env}`, 'git sparse-checkout set src'],
    [`echo changed >docs/b; ${secret}docs/deep/.env`, 'git sparse-checkout set src'],
  ])('%s; %s', async (prepare, command) => {
    expect(await verdictAndLoss(prepare, command)).toEqual({ verdict: 'ask', before: true, isLost: true });
  });

  it.each([
    [env, 'git sparse-checkout set docs'],
    [env, 'git sparse-checkout set docs/deep'],
    [env, 'git sparse-checkout set --no-cone src'],
    [env, 'git sparse-checkout set /src'],
    [env, 'git sparse-checkout add src'],
    [env, 'git sparse-checkout reapply'],
    [env, 'git sparse-checkout list; git sparse-checkout disable'],
    [`${env}; echo new >docs/deep/new`, 'git sparse-checkout set src'],
    [`${env}; echo changed >docs/b`, 'git sparse-checkout set src'],
    [`mkdir more; ${secret}more/.env`, 'git sparse-checkout set src'],
    [`${secret}.env`, 'git sparse-checkout set src'],
    [`git sparse-checkout set --no-cone src; mkdir docs; ${env}`, 'git sparse-checkout set src'],
    [`git sparse-checkout set src; mkdir docs; ${env}`, 'git sparse-checkout add docs'],
    [`git sparse-checkout set docs; ${env}`, 'git sparse-checkout init'],
    [`git sparse-checkout set src; mkdir docs; ${env}`, 'git sparse-checkout disable'],
    [env, 'mv docs/.env ../kept && git sparse-checkout set src'],
    [env, 'git stash push -q --all -- docs/.env && git sparse-checkout set src && git stash pop -q'],
    [`git worktree add -q ../x; ${env}; cp docs/.env ../x/docs`, 'cd ../x && git sparse-checkout set src'],
  ])('not where it stays: %s; %s', async (prepare, command) => {
    expect(await verdictAndLoss(prepare, command)).toEqual({ verdict: 'allow', before: true, isLost: false });
  });
});

describe('an ignored file goes with a submodule', () => {
  const library = `git init -q ../lib; (cd ../lib; printf '.env\\n*.o\\n' >.gitignore; git add .; git commit -q -m 'feat: begin')
git -c protocol.file.allow=always submodule --quiet add ../lib vendor/lib; git commit -q -m 'build: add lib'`;
  const env = `${library}; ${secret}vendor/lib/.env`;
  it.each([
    'git submodule deinit vendor/lib',
    'git submodule deinit --force vendor',
    'git submodule deinit --all',
    'git rm -q vendor/lib',
    'git rm -q -r -f vendor',
    'cd vendor && git rm -r -q .',
  ])('%s', async (command) => {
    expect(await verdictAndLoss(env, command)).toEqual({ verdict: 'ask', before: true, isLost: true });
  });

  it.each([
    [env, 'git rm -q --cached vendor/lib'],
    [env, 'git rm -q docs/b && git submodule status'],
    [`${env}; echo new >vendor/lib/new`, 'git submodule deinit vendor/lib'],
    [`${env}; echo new >vendor/lib/new`, 'git rm -q vendor/lib'],
    [env, 'mv vendor/lib/.env . && git rm -q vendor/lib'],
  ])('not where it stays: %s; %s', async (prepare, command) => {
    expect(await verdictAndLoss(prepare, command)).toEqual({ verdict: 'allow', before: true, isLost: false });
  });

  it('nor where a compiler makes it again', async () => {
    const { verdict } = await verdictAndLoss(`${library}; ${secret}vendor/lib/a.o`, 'git submodule deinit vendor/lib');
    expect(verdict).toBe('allow');
  });
});
