import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repositoryConvention } from '../../src/cli/repository-convention.ts';
import { judgeCommandLine } from '../../src/guards/evaluate.ts';
import { Repositories } from '../../src/guards/simulation/repositories.ts';
import { ofThisPart, readRows } from './rows.ts';
import { cleanEnvironment } from './states/build.ts';

const sandbox = realpathSync(mkdtempSync(join(tmpdir(), 'corpus-anywhere-')));
afterAll(() => rmSync(sandbox, { recursive: true, force: true }));
const environment = cleanEnvironment(sandbox);

/** Runs in `work`, a repository with a remote beside it. @returns the directory that the script names */
function prepared(name: string, script: string): string {
  const work = join(sandbox, name, 'work');
  for (const directory of [work, join(sandbox, 'home'), join(sandbox, 'tmp')]) {
    mkdirSync(directory, { recursive: true });
  }
  const settings = '[user]\n\tname = A\n\temail = a@example.com\n[protocol "file"]\n\tallow = always\n';
  writeFileSync(join(sandbox, 'home', '.gitconfig'), settings);
  const begin = `set -e; git init -q -b main .; mkdir -p src .husky; echo a > src/app.ts; echo b > README.md
    echo x > .husky/pre-commit; git add -A; git commit -qm 'feat: begin'; git clone -q --bare . ../origin.git
    git remote add origin ../origin.git; git push -q -u origin main`;
  const output = execFileSync('bash', ['-c', `${begin}\n${script}`], { cwd: work, env: environment, encoding: 'utf8' });
  return output.trim();
}

/** Where the corpus's lines were not written for. */
const places: Record<string, () => string> = {
  'a linked work tree, with files in the place of directories and the other way round': () =>
    prepared(
      'linked',
      `git worktree add -q -b linked ../linked; cd ../linked; rm -rf src .husky README.md
       echo f > src; echo f > .husky; mkdir README.md; echo f > README.md/inner; ln -s nowhere package.json; pwd`,
    ),
  'a submodule': () =>
    prepared('outer', `git submodule --quiet add ../origin.git sub; git commit -qm 'feat: sub'; cd sub; pwd`),
  'a bare repository without remote-tracking branches': () => prepared('bare', 'cd ../origin.git; pwd'),
  'a repository whose state git itself would not have written': () =>
    prepared('broken', `echo garbage > .git/MERGE_HEAD; mkdir .git/rebase-merge; echo x > .git/FETCH_HEAD; pwd`),
  'no repository': () => prepared('none', 'mkdir ../empty; cd ../empty; pwd'),
};

const lines = [...new Set(ofThisPart(readRows()).map(({ command }) => command))];
const names = Object.keys(places);

/** Each line in two of the places: in all of them they would take as long as the rest of the corpus. */
function linesFor(place: string): readonly string[] {
  const at = names.indexOf(place);
  return lines.filter((_, index) => index % names.length === at || (index + 1) % names.length === at);
}

describe('a line of the corpus gets a verdict in', () => {
  it.each(names)(
    '%s',
    async (name) => {
      const cwd = places[name]?.() ?? '';
      const repositories = new Repositories();
      const failures: string[] = [];
      for (const line of linesFor(name)) {
        const options = { cwd, env: environment, convention: repositoryConvention, repositories };
        const { findings } = await judgeCommandLine(line, options);
        failures.push(
          ...findings.filter(({ rule }) => rule === 'guard-failure').map(({ message }) => `${line} → ${message}`),
        );
      }
      expect(failures).toEqual([]);
    },
    900_000,
  );
});
