import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import { evaluateModule } from '../../src/config/evaluate-module.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { jsonSchema } from '../../src/config/schema.ts';
import { validateConfiguration } from '../../src/config/validate.ts';

let root: string;
const state = () => join(root, '.git-state');
const load = () => loadConfiguration(root, state(), validateConfiguration);
const write = (name: string, text: string) => writeFileSync(join(root, name), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'oxide-guard-config-'));
});

describe('a repository without a configuration', () => {
  it('has the defaults', async () => {
    expect(await load()).toEqual(defaultConfiguration);
  });

  it('has the defaults beside a package.json of its own', async () => {
    write('package.json', '{"name":"x","keywords":["oxide-guard"]}');
    expect(await load()).toEqual(defaultConfiguration);
  });
});

describe('a configuration', () => {
  it.each([
    ['oxide-guard.config.json', '\uFEFF{\n // why\n "protectedBranches": ["release/*"],\n}'],
    ['oxide-guard.config.js', 'module.exports = { protectedBranches: ["release/*"], rules: undefined }'],
    ['oxide-guard.config.mjs', 'export default { protectedBranches: ["release/*"] }'],
    [
      'oxide-guard.config.ts',
      'const branches: string[] = ["release/*"];\nexport default { protectedBranches: branches }',
    ],
    ['package.json', '{"oxide-guard": {"protectedBranches": ["release/*"]}}'],
  ])('is read from %s', async (name, text) => {
    write(name, text);
    expect((await load()).protectedBranches).toEqual(['main', 'master', 'release/*']);
  });

  it('keeps every rule that it does not name', async () => {
    write('oxide-guard.config.json', '{"rules": {"force-push": "deny"}, "commit": {"headerMaxLength": 72}}');
    const configuration = await load();
    expect(configuration.rules).toEqual({ ...defaultConfiguration.rules, 'force-push': 'deny' });
    expect(configuration.commit).toEqual({ ...defaultConfiguration.commit, headerMaxLength: 72 });
  });

  it('is not validated again while its text stays the same', async () => {
    write('oxide-guard.config.json', '{"rules": {"force-push": "deny"}}');
    const first = await load();
    const unneeded = () => Promise.reject(new Error('validated again'));
    expect(await loadConfiguration(root, state(), unneeded)).toEqual(first);
    write('oxide-guard.config.json', '{"rules": {"force-push": "off"}}');
    await expect(loadConfiguration(root, state(), unneeded)).rejects.toThrow('validated again');
    expect((await load()).rules['force-push']).toBe('off');
  });

  it('outlives a damaged stamp', async () => {
    write('oxide-guard.config.json', '{"rules": {"force-push": "deny"}}');
    await load();
    writeFileSync(
      join(state(), 'configuration.json'),
      readFileSync(join(state(), 'configuration.json')).subarray(0, 40),
    );
    expect((await load()).rules['force-push']).toBe('deny');
  });
});

describe('a broken configuration names the file and the key', () => {
  it.each([
    ['{"rules": {\n "force-pushh": "deny"}}', "rules.force-pushh (line 2): no such key; did you mean 'force-push'?"],
    ['{"protectedBranch": []}', "protectedBranch (line 1): no such key; did you mean 'protectedBranches'?"],
    ['{"rules": {\n\n "force-push":\n "no"}}', 'rules.force-push (line 3): invalid option'],
    ['{"commit": {"headerMaxLength": "long"}}', 'commit.headerMaxLength (line 1): invalid input: expected'],
    [
      '// ours\n{"protectedBranches": ["a",\n "a b"]}',
      'protectedBranches.1 (line 3): a branch name or glob holds no white space',
    ],
    ['{"rules": {\n  "force-push" "deny"}}', 'a colon is missing at line 2, column 16'],
    ['{"rules": {}', "a '}' is missing at line 1, column 13"],
    ['[]', 'the configuration: invalid input: expected object'],
    ['', 'the file is empty'],
  ])('%s', async (text, problem) => {
    write('oxide-guard.config.json', text);
    await expect(load()).rejects.toThrow(problem);
    await expect(load()).rejects.toThrow('oxide-guard.config.json');
  });

  it('in package.json by its line there', async () => {
    write('package.json', '{\n "name": "x",\n "oxide-guard": {\n  "rules": {"x": 1}}\n}');
    await expect(load()).rejects.toThrow('package.json: rules.x (line 4): no such key');
  });

  it('that is nested too deeply, in package.json by the key alone', async () => {
    write('oxide-guard.config.json', '['.repeat(100_000));
    await expect(load()).rejects.toThrow('oxide-guard.config.json: it is nested too deeply.');
    rmSync(join(root, 'oxide-guard.config.json'));
    write('package.json', `{"oxide-guard": {"x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`);
    await expect(load()).rejects.toThrow('package.json: x: no such key');
  });

  it('in a module by the line that throws, or by what tells', async () => {
    write('oxide-guard.config.mjs', '\nfunction fail() { throw new Error("boom"); }\nfail();');
    await expect(load()).rejects.toThrow('oxide-guard.config.mjs: boom (line 2).');
    write('oxide-guard.config.mjs', 'export default {\n  rules: }');
    const remedy = `node --check ${join(root, 'oxide-guard.config.mjs')}`;
    await expect(load()).rejects.toMatchObject({ remedy });
  });

  it.each([
    ['has a comma too many', '{"oxide-guard": {"protectedBranches": ["release/*"]},}'],
    ['is cut off', '{"name": "x", "oxide-guard": {'],
    ['holds the marks of a merge conflict', '{\n<<<<<<< HEAD\n"oxide-guard": {}\n=======\n>>>>>>> x\n}'],
  ])('a package.json with our key that %s is named', async (_, text) => {
    write('package.json', text);
    await expect(load()).rejects.toMatchObject({ code: 'configuration-invalid', exitCode: 2 });
    await expect(load()).rejects.toThrow('package.json is no valid JSON');
  });

  it.each(['{"devDependencies": {"oxide-guard": "^1.0.0",}}', '{"name": "x",}', ''])(
    "a broken package.json that holds no orders for us is npm's business: %j",
    async (text) => {
      write('package.json', text);
      expect(await load()).toEqual(defaultConfiguration);
    },
  );

  it.each([
    ['loops for ever', 'oxide-guard.config.js', 'for (;;);', 'it was not done within 0.5 s'],
    ['waits for ever', 'oxide-guard.config.mjs', 'await new Promise(() => {});', 'it ended before it had exported'],
    ['ends the process', 'oxide-guard.config.ts', 'process.exit(0);', 'it ended before it had exported'],
    ['exports a function', 'oxide-guard.config.mjs', 'export default { rules: () => 1 }', 'it must be plain data'],
  ])('a module that %s is an error that says so', async (_, name, text, problem) => {
    write(name, text);
    await expect(evaluateModule(join(root, name), name.endsWith('.js') ? 500 : 30_000)).rejects.toThrow(problem);
  });

  it.each([
    ['oxide-guard.config.mjs', 'export default {'],
    ['oxide-guard.config.js', 'throw new Error("boom")'],
    ['oxide-guard.config.ts', 'export const nothing: number = 1'],
  ])('%s', async (name, text) => {
    write(name, text);
    await expect(load()).rejects.toMatchObject({ code: 'configuration-invalid', exitCode: 2 });
  });
});

it('the published JSON Schema is the one the validator uses', () => {
  const published: unknown = JSON.parse(readFileSync('schema/oxide-guard.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(jsonSchema())));
});
