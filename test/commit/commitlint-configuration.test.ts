import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitlintLinter, lintWithCommitlint } from '../../src/commit/commitlint.ts';
import { findCommitlintConfiguration } from '../../src/commit/commitlint-configuration.ts';
import { readCommitlintData } from '../../src/commit/commitlint-data.ts';
import { runOxideGuard } from '../e2e/guarded-repository.ts';

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-commitlint-')));
  execFileSync('git', ['init', '-q', directory]);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  return directory;
}

function lint(directory: string, message: string): { status: number | null; rules: string[]; stderr: string } {
  const { status, stdout, stderr } = runOxideGuard(['lint', '--json', '--message', message], { cwd: directory });
  const problems = stdout === '' ? [] : (JSON.parse(stdout) as { problems: { rule: string }[] }).problems;
  return { status, rules: problems.map(({ rule }) => rule).sort(), stderr };
}

const json = '{ "extends": ["@commitlint/config-conventional"], "rules": { "scope-empty": [2, "never"] } }';
const commonJs = `module.exports = ${json};`;
const module = `export default ${json};`;
const typed = `const configuration: { extends: string[]; rules: object } = ${json};\nexport default configuration;`;
const yaml = 'extends:\n  - "@commitlint/config-conventional"\nrules:\n  scope-empty: [2, never]\n';

const kinds: Readonly<Record<string, string>> = {
  '.commitlintrc': json,
  '.commitlintrc.json': json,
  '.commitlintrc.yaml': yaml,
  '.commitlintrc.yml': yaml.replace('\n  - "@commitlint/config-conventional"', " ['@commitlint/config-conventional']"),
  '.commitlintrc.js': commonJs,
  '.commitlintrc.cjs': commonJs,
  '.commitlintrc.mjs': module,
  'commitlint.config.js': commonJs,
  'commitlint.config.cjs': commonJs,
  'commitlint.config.mjs': module,
  '.commitlintrc.ts': typed,
  'commitlint.config.ts': typed,
  'commitlint.config.cts': typed,
  'commitlint.config.mts': typed,
  'package.json': `{ "name": "x", "commitlint": ${json} }`,
};

describe('a repository with a commitlint configuration and nothing installed', () => {
  for (const [name, content] of Object.entries(kinds)) {
    it(`in ${name} is judged by it`, () => {
      const directory = repositoryWith({ [name]: content });
      expect(findCommitlintConfiguration(directory, directory)).toBe(join(directory, name));
      expect(lint(directory, 'foo: x')).toMatchObject({ status: 1, rules: ['scope-empty', 'type-enum'] });
    });
  }

  it('is found from a directory below, from a link to one, and from outside of the work tree', () => {
    const outside = repositoryWith({ '.commitlintrc': json });
    const directory = join(outside, 'repository');
    mkdirSync(join(directory, 'packages', 'a'), { recursive: true });
    writeFileSync(join(directory, '.commitlintrc.json'), json);
    writeFileSync(join(directory, 'packages', '.commitlintrc.yml'), yaml);
    symlinkSync(join(directory, 'packages', 'a'), join(outside, 'link'));
    const nearest = join(directory, 'packages', '.commitlintrc.yml');
    expect(findCommitlintConfiguration(join(directory, 'packages', 'a'), directory)).toBe(nearest);
    expect(findCommitlintConfiguration(join(outside, 'link'), directory)).toBe(nearest);
    expect(findCommitlintConfiguration(outside, directory)).toBe(join(directory, '.commitlintrc.json'));
  });

  it('nothing above the work tree counts, wherever the command stands', () => {
    const outside = repositoryWith({ '.commitlintrc': json });
    const directory = join(outside, 'repository');
    mkdirSync(directory);
    expect(findCommitlintConfiguration(directory, directory)).toBeNull();
    expect(findCommitlintConfiguration(outside, directory)).toBeNull();
  });

  it('accepts what satisfies it', () => {
    const directory = repositoryWith({ '.commitlintrc': json });
    expect(lint(directory, 'feat(ui): x')).toMatchObject({ status: 0, rules: [] });
  });
});

describe('the search for a commitlint configuration', () => {
  it('goes from the directory up to the root of the work tree and no further', () => {
    const root = repositoryWith({
      'packages/a/b/file': '',
      '.commitlintrc.json': '{}',
      'packages/a/package.json': '{}',
    });
    const inner = join(root, 'packages/a');
    expect(findCommitlintConfiguration(join(inner, 'b'), root)).toBe(join(root, '.commitlintrc.json'));
    expect(findCommitlintConfiguration(join(inner, 'b'), inner)).toBeNull();
  });

  it('does not take a manifest for one that has no commitlint key, or is broken', () => {
    for (const manifest of ['{"name": "commitlint"}', '{"scripts": {"commitlint": "x"}}', '{"commitlint"']) {
      const root = repositoryWith({ 'package.json': manifest });
      expect(findCommitlintConfiguration(root, root)).toBeNull();
    }
  });
});

describe('a commitlint configuration', () => {
  it('may have rules, ignores and plugins as functions', async () => {
    const root = repositoryWith({
      'commitlint.config.mjs': `export default {
        plugins: [{ rules: { 'no-x': ({ header }) => [!header.includes('x'), 'there is an x'] } }],
        rules: { 'no-x': [1, 'always'], 'type-enum': [2, 'always', ['a']] },
        ignores: [(message) => message.startsWith('skip')],
        parserPreset: { parserOpts: { headerPattern: /^(\\w+) -> (.*)$/, headerCorrespondence: ['type', 'subject'] } },
      };`,
    });
    const rulesOf = async (message: string) =>
      (await lintWithCommitlint(message, { cwd: root })).problems.map(({ rule, level }) => `${level} ${rule}`);
    expect(await rulesOf('b -> x')).toEqual(['error type-enum', 'warning no-x']);
    expect(await rulesOf('a -> y')).toEqual([]);
    expect(await rulesOf('skip x')).toEqual([]);
  });

  it('that is broken is an error that names the file, not a verdict', () => {
    for (const [name, content] of Object.entries({
      'commitlint.config.mjs': 'export default {',
      '.commitlintrc.json': '{ "rules": { "type-enum": "always" } }',
      '.commitlintrc.yml': 'extends: commitlint-config-that-nobody-wrote\n',
      '.commitlintrc': '{ "rules": {} }',
    })) {
      const refused = lint(repositoryWith({ [name]: content }), 'feat: x');
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(name);
      expect(refused.stderr).not.toMatch(/^\s+at /m);
    }
  });

  it('is judged by the copy of commitlint that the repository has installed', async () => {
    const fake = (body: string) => ({ 'package.json': '{"type": "module", "main": "main.js"}', 'main.js': body });
    const under = (name: string, body: string) =>
      Object.fromEntries(
        Object.entries(fake(body)).map(([file, text]) => [`node_modules/@commitlint/${name}/${file}`, text]),
      );
    const root = repositoryWith({
      '.commitlintrc.json': '{}',
      ...under('load', 'export default async () => ({ rules: { own: [2, "always"] } });'),
      ...under(
        'lint',
        'export default async () => ({ valid: false, errors: [{ name: "own", message: "m" }], warnings: [] });',
      ),
    });
    expect((await lintWithCommitlint('feat: x', { cwd: root })).problems).toEqual([
      { level: 'error', rule: 'own', message: 'm' },
    ]);
  });
});

describe('what a commitlint configuration prints', () => {
  const chatter = `
    console.log('loading');
    process.stdout.write('written\\n');
    setTimeout(() => console.log('late'));
    export default {
      rules: { 'type-enum': [2, 'always', ['feat']], 'no-x': [1, 'always'] },
      plugins: [{ rules: { 'no-x': () => { console.log('judging'); return [true]; } } }],
    };`;
  const directory = repositoryWith({ 'commitlint.config.mjs': chatter });
  const commit = 'git commit --allow-empty -m "feat: x"';
  const run = (input: string, ...words: string[]) => runOxideGuard(words, { cwd: directory, input });

  it.each([
    ['', 'lint', '--json', '--message', 'feat: x'],
    ['', 'lint', '--format', 'sarif', '--message', 'feat: x'],
    ['', 'check', '--json', commit],
    ['', 'explain', '--json', commit],
    [JSON.stringify({ command: commit }), 'check', '--stdin'],
  ])('stands beside the answer: %s %s %s', (input, ...words) => {
    const { stdout, stderr } = run(input, ...words);
    expect(() => JSON.parse(stdout)).not.toThrow();
    for (const line of ['loading', 'written', 'judging']) {
      expect(stderr).toContain(`${line}\n`);
    }
  });

  it('stands beside what the hook of a typed configuration says, too', () => {
    const typedChatter = repositoryWith({ 'commitlint.config.ts': chatter });
    const file = join(typedChatter, 'MESSAGE');
    for (const [message, status] of [
      ['feat: x', 0],
      ['foo: x', 1],
    ] as const) {
      writeFileSync(file, message);
      const answer = runOxideGuard(['hook', 'commit-msg', file], { cwd: typedChatter });
      expect(answer).toMatchObject({ status, stdout: '', stderr: expect.stringContaining('loading\nwritten\n') });
    }
  });
});

describe('what has a configuration’s name and is no file', () => {
  it.each(['.commitlintrc.json', 'commitlint.config.js'])(
    'is not opened, and refused when it is loaded: %s',
    async (name) => {
      const root = repositoryWith({});
      const path = join(root, name);
      execFileSync('mkfifo', [path]);
      expect(findCommitlintConfiguration(root, root)).toBe(path);
      expect(readCommitlintData(path)).toBeNull();
      await expect(commitlintLinter(path)).rejects.toMatchObject({
        message: expect.stringContaining('no regular file'),
      });
    },
  );

  it('is passed over as a manifest', () => {
    const root = repositoryWith({});
    execFileSync('mkfifo', [join(root, 'package.json')]);
    expect(findCommitlintConfiguration(root, root)).toBeNull();
  });
});
