import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCommitlintData } from '../../src/commit/commitlint-data.ts';
import { lintWith } from '../../src/commit/linted-message.ts';
import { conventionLinter } from '../../src/commit/linter.ts';
import { commitlint, verdictOf } from './commitlint-oracle.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-commitlint-data-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function fileWith(name: string, text: string): string {
  count += 1;
  const directory = join(root, String(count));
  mkdirSync(directory);
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const configuration = (rules: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ extends: ['@commitlint/config-conventional'], rules });

const messages = [
  'feat: add a cart',
  'wip: try things',
  'FEAT: shout',
  'feat(api): add a route',
  'feat(web): add a page',
  'feat: Add A Cart.',
  `fix: ${'a'.repeat(90)}`,
  `fix: short\n\n${'long body '.repeat(15)}`,
  'feat: add a cart\nwithout a blank line',
  'Merge branch main into topic',
  'fixup! feat: add a cart',
  'no type at all',
];

describe('a commitlint configuration that is data', () => {
  it.each([
    ['types', { 'type-enum': [2, 'always', ['feat', 'fix', 'wip']] }],
    ['scopes', { 'scope-enum': [2, 'always', ['api']] }],
    ['a shorter header', { 'header-max-length': [2, 'always', 50] }],
    ['longer lines', { 'body-max-line-length': [2, 'always', 200], 'footer-max-line-length': [0] }],
    ['rules that are off', { 'subject-case': [0], 'type-case': [0], 'subject-full-stop': [0], 'scope-empty': [0] }],
    ['warnings', { 'type-enum': [1, 'always', ['feat']], 'body-leading-blank': [2, 'always'] }],
    ['nothing but what it extends', {}],
  ])(
    '%s: the verdict is that of commitlint',
    async (_, rules) => {
      const path = fileWith('.commitlintrc.json', configuration(rules));
      const own = readCommitlintData(path);
      if (own === null) {
        expect.fail('it is not read');
      }
      for (const message of messages) {
        const { report } = await lintWith(conventionLinter(own), message, { oid: null, file: null });
        const theirs = await commitlint(message, rules);
        expect([message, verdictOf(report)]).toEqual([message, theirs]);
      }
    },
    60_000,
  );

  it.each([
    ['package.json', '{"name":"shop","commitlint":{"extends":"@commitlint/config-conventional"}}'],
    ['.commitlintrc', '{"extends":["@commitlint/config-conventional"]}'],
    ['commitlint.config.js', "export default { extends: ['@commitlint/config-conventional'] };\n"],
    ['commitlint.config.cjs', "// ours\nmodule.exports = {\n  extends: ['@commitlint/config-conventional'],\n};\n"],
    ['commitlint.config.ts', 'export default { extends: "@commitlint/config-conventional" }'],
  ])('is read from %s', (name, text) => {
    expect(readCommitlintData(fileWith(name, text))).not.toBeNull();
  });
});

describe('a commitlint configuration that only commitlint understands', () => {
  it.each([
    ['another parent', '.commitlintrc.json', '{"extends":["@commitlint/config-angular"]}'],
    ['no parent', '.commitlintrc.json', '{"rules":{"type-enum":[2,"always",["a"]]}}'],
    ['a rule of its own', '.commitlintrc.json', configuration({ 'references-empty': [2, 'never'] })],
    ['a rule turned round', '.commitlintrc.json', configuration({ 'type-enum': [2, 'never', ['feat']] })],
    ['another parser', '.commitlintrc.json', '{"extends":["@commitlint/config-conventional"],"parserPreset":"x"}'],
    ['YAML', '.commitlintrc', 'extends:\n  - "@commitlint/config-conventional"\n'],
    ['a program', 'commitlint.config.js', 'export default { extends: [name()] };'],
    ['a broken file', '.commitlintrc.json', '{'],
  ])('%s is left to it', (_, name, text) => {
    expect(readCommitlintData(fileWith(name, text))).toBeNull();
  });
});
