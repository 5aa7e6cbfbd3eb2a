import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';

let work: string;
let commandLine: string;
beforeAll(() => {
  work = repositoryWithRemote().work;
  commandLine = join(temporaryDirectory(), 'command-line.mjs');
  const cli = pathToFileURL(resolve('dist/cli/cli.mjs')).href;
  writeFileSync(commandLine, `await (await import('${cli}')).main(process.argv.slice(2));`);
});

const program = resolve('bin/oxide-guard.js');

function run(args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8', input: '' });
  return { stdout, stderr, status };
}

const short = (...words: string[]) => run([program, 'check', ...words]);

/** The command line itself, which answers everything. */
const long = (...words: string[]) => run([commandLine, 'check', ...words]);

const questions: readonly (readonly string[])[] = [
  ['ls'],
  ['git push --force origin main'],
  ['git', 'push', '--force', 'origin', 'main'],
  ['--json', 'git push --force-with-lease origin main'],
  ['--json', '--cwd', '..', 'git status; cd nowhere && git push -f'],
  ['--json', '--', 'git commit -m nonsense'],
  ['--cwd=/nowhere', 'git push -f'],
  [],
  ['--help'],
  ['--frob', 'ls'],
  ['--cwd'],
  ['--stdin'],
];

describe('check in the agents’ bundle answers as the command line does', () => {
  it.each(questions.map((words) => [words.join(' '), words] as const))('check %s', (_, words) => {
    expect(short(...words)).toEqual(long(...words));
  });

  it('by the verdict’s exit code', () => {
    expect(short('git push --force origin main').status).toBe(1);
    expect(short('git push --force-with-lease origin main').status).toBe(3);
    expect(short('git fetch').status).toBe(0);
  });

  it.each([
    ['oxide-guard.config.json', '{ "protectedBranches": ["release"] }'],
    ['oxide-guard.config.json', '{ "protected": true }'],
    ['oxide-guard.config.mjs', 'export default { protectedBranches: ["release"] };'],
    ['oxide-guard.config.mjs', 'throw new Error("broken");'],
    ['.commitlintrc.json', '{ "rules": { "type-enum": [2, "always", ["only"]] } }'],
  ])('where %s is %s', (file, text) => {
    writeFileSync(join(work, file), text);
    try {
      for (const command of ['git push --force origin HEAD:release', 'git commit --allow-empty -m "feat: a thing"']) {
        expect(short(command)).toEqual(long(command));
      }
    } finally {
      rmSync(join(work, file));
    }
  });

  it('fails when a configuration ends the process', () => {
    const file = join(work, 'oxide-guard.config.mjs');
    writeFileSync(file, 'process.exit(0);');
    try {
      expect(short('git push --force origin main').status).not.toBe(0);
    } finally {
      rmSync(file);
    }
  });
});
