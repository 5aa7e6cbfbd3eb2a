import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { guard, oxideGuard, runOxideGuard } from '../e2e/guarded-repository.ts';
import { repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';

let work: string;
let commandLine: string;
beforeAll(() => {
  work = repositoryWithRemote().work;
  commandLine = join(temporaryDirectory(), 'command-line.mjs');
  const cli = pathToFileURL(resolve('dist/cli/cli.mjs')).href;
  writeFileSync(commandLine, `await (await import('${cli}')).main(process.argv.slice(2));`);
});

function run(args: readonly string[], input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8', input });
  return { stdout, stderr, status };
}

const short = (...words: string[]) => run([oxideGuard, 'check', ...words]);

/** The command line itself, which answers everything. */
const long = (...words: string[]) => run([commandLine, 'check', ...words]);

const questions: readonly (readonly string[])[] = [
  ['ls'],
  ['git push --force origin main'],
  ['git', 'push', '--force', 'origin', 'main'],
  ['--json', 'git push --force-with-lease origin main'],
  ['--json', '--cwd', '..', 'git status; cd nowhere && git push -f'],
  ['--json', '--', 'git commit -m nonsense'],
  ['git push --force origin main', '--json'],
  ['git push --force origin main', '--frob'],
  ['git push --force', 'origin main'],
  ['--cwd=/nowhere', 'git push -f'],
  [],
  ['--help'],
  ['--frob', 'ls'],
  ['--cwd'],
  ['--stdin'],
];

it('options may follow a whole line, and nothing else may', () => {
  expect(JSON.parse(short('git push --force origin main', '--json').stdout)).toMatchObject({ verdict: 'deny' });
  expect(short('git -C work push --force origin main', '--cwd', '..')).toMatchObject({ status: 1 });
  for (const command of ['check', 'explain']) {
    const { stdout, stderr, status } = run([oxideGuard, command, 'git push', 'origin main']);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain(`→ oxide-guard ${command} -- 'git push' 'origin main'`);
  }
  expect(short('--', 'git push', '--json')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^allow/) });
});

it('check and explain know no directory that is not there', () => {
  for (const directory of ['/nowhere', '/etc/passwd']) {
    for (const command of ['check', 'explain']) {
      const { stdout, stderr, status } = run([oxideGuard, command, '--cwd', directory, 'git push']);
      expect(stdout).toBe('');
      expect(stderr).toContain(`--cwd names ${directory}, and there is no such directory.`);
      expect(status).toBe(2);
    }
  }
});

describe('check --stdin', () => {
  const answers = (input: string, ...words: string[]) => {
    const { stdout, stderr, status } = runOxideGuard(['check', '--stdin', ...words], { cwd: work, input });
    const documents = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { documents, stderr, status };
  };

  it('refuses what may be git’s business in a directory that is gone, and nothing else', () => {
    const lines = ['git push --force', 'ls'].map((command) => JSON.stringify({ command, cwd: '/nowhere' }));
    const { documents, status } = answers(`${lines.join('\n')}\n`);
    expect(documents).toMatchObject([
      { verdict: 'deny', findings: [{ rule: 'guard-failure', message: expect.stringContaining('/nowhere') }] },
      { verdict: 'allow', findings: [] },
    ]);
    expect(status).toBe(0);
  });

  it('reads past a byte order mark', () => {
    expect(answers('\uFEFF{"command":"ls"}\r\n')).toMatchObject({ documents: [{ verdict: 'allow' }], status: 0 });
  });

  it('takes no command besides', () => {
    expect(answers('', 'git push')).toMatchObject({ documents: [], status: 2 });
  });
});

describe('a repository that a command names, and whose configuration is a program', () => {
  const elsewhere = (file: string, text: string) => {
    const { work: other } = repositoryWithRemote();
    const mark = join(temporaryDirectory(), 'it-ran');
    writeFileSync(join(other, file), text.replace('RUN', `(await import('node:fs')).writeFileSync('${mark}', '')`));
    return { other, mark };
  };
  const mine = 'RUN; export default { rules: { "protected-force-push": "off" } };';

  it.each([
    ['oxide-guard.config.mjs', mine],
    ['commitlint.config.mjs', 'RUN; export default { rules: {} };'],
  ])('is judged without running %s', (file, text) => {
    const { other, mark } = elsewhere(file, text);
    const words = ['--json', `git -C ${other} push --force origin main && git -C ${other} commit -m x`];
    for (const answer of [short(...words), long(...words), run([oxideGuard, 'explain', ...words])]) {
      expect(JSON.parse(answer.stdout)).toMatchObject({ verdict: 'deny' });
      expect(answer.stdout).toContain('protected-force-push');
    }
    expect(long(...words).stderr).toContain(`${join(other, file)} was not run`);
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ['.commitlintrc.json', '{ "rules": { "type-enum": [2, "always", ["infra"]] } }'],
    ['.commitlintrc.yaml', 'rules:\n  type-enum: [2, always, [infra]]\n'],
    ['commitlint.config.mjs', 'RUN; export default { rules: {} };'],
  ])('has nothing said of its messages where only commitlint knows what %s asks for', (file, text) => {
    const { other, mark } = elsewhere(file, text);
    const command = `git -C ${other} commit --allow-empty -m "infra: scale up"`;
    const asked = { command: 'git commit --allow-empty -m "infra: scale up"', cwd: other };
    const lines = run([oxideGuard, 'check', '--stdin'], `${JSON.stringify(asked)}\n`);
    expect(JSON.parse(lines.stdout)).toMatchObject({ verdict: 'allow' });
    expect(lines.stderr).toContain(`${join(other, file)} was not run`);
    expect(JSON.parse(short('--json', command).stdout)).toMatchObject({ verdict: 'allow' });
    expect(JSON.parse(long('--json', command).stdout)).toMatchObject({ verdict: 'allow' });
    expect(existsSync(mark)).toBe(false);
  });

  it('is judged by it where somebody has installed the guard, or asks', () => {
    const { other, mark } = elsewhere('oxide-guard.config.mjs', mine);
    const command = `git -C ${other} push --force origin main`;
    expect(short('--cwd', other, command).stdout).not.toContain('protected-force-push');
    expect(existsSync(mark)).toBe(true);
    guard(other, 'install');
    expect(short(command)).toMatchObject({ stdout: expect.not.stringContaining('protected-force-push'), stderr: '' });
  });
});

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
