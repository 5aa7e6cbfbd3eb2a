import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hookEvents } from '../src/config/agent-settings.ts';
import { rules } from '../src/config/rules.ts';
import { configurationFile } from '../src/config/schema.ts';
import { authorizedActions, type Reach, reachOf, scopeKinds } from '../src/control/server/authorization.ts';
import { permissionModes } from '../src/ui/permission.ts';

/*
 * The documentation of the rules is the catalogue itself. `UPDATE_DOCS=1 npx vitest run test/docs.test.ts` writes the
 * table into the documents.
 */
const table = [
  '| rule | default | what it objects to |',
  '| --- | --- | --- |',
  ...Object.entries(rules).map(([id, rule]) => `| \`${id}\` | ${rule.default} | ${rule.summary} |`),
].join('\n');

const marked = /(<!-- rules -->\n)[\s\S]*?(<!-- \/rules -->)/;

describe('the table of rules is the catalogue', () => {
  it.each(['README.md', 'docs/policy.md'])('%s', (path) => {
    const text = readFileSync(path, 'utf8');
    const expected = text.replace(marked, `$1\n${table}\n\n$2`);
    if (process.env.UPDATE_DOCS === '1') {
      writeFileSync(path, expected);
    }
    expect(text).toMatch(marked);
    expect(readFileSync(path, 'utf8')).toBe(expected);
  });
});

const marks: Readonly<Record<Reach, string>> = { all: 'all', own: 'own', shown: 'shown', none: '–' };
const scopeTable = [
  `| | ${scopeKinds.map((kind) => `\`${kind.replace('project', 'project:ID')}\``).join(' | ')} |`,
  `| --- ${scopeKinds.map(() => '| ---').join(' ')} |`,
  ...authorizedActions.map(([tool, action]) => {
    const cells = scopeKinds.map((kind) => marks[reachOf(kind, tool, action)]);
    return `| \`${tool}\`${action === null ? '' : ` ${action}`} | ${cells.join(' | ')} |`;
  }),
].join('\n');

it('the table of scopes is the one that is applied', () => {
  const path = 'docs/control-plane.md';
  const text = readFileSync(path, 'utf8');
  const expected = text.replace(/(<!-- scopes -->\n)[\s\S]*?(<!-- \/scopes -->)/, `$1\n${scopeTable}\n\n$2`);
  if (process.env.UPDATE_DOCS === '1') {
    writeFileSync(path, expected);
  }
  expect(readFileSync(path, 'utf8')).toBe(expected);
  expect(text).toContain('| `token` revoke |');
});

describe('documents hold together', () => {
  const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));
  it.each(['README.md', 'CHANGELOG.md', ...documents.map((name) => `docs/${name}`)])(
    '%s links to files that exist',
    (path) => {
      const text = readFileSync(path, 'utf8');
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) => target);
      const folder = path.includes('/') ? 'docs/' : '';
      const missing = links.filter((link) => !existsSync(folder + link));
      expect(missing).toEqual([]);
    },
  );
});

describe('docs/agent.md', () => {
  const text = readFileSync('docs/agent.md', 'utf8');

  it('has an example that is a valid configuration', () => {
    const example = /```json\n(\{\n {2}"agent"[\s\S]*?)```/.exec(text)?.[1] ?? '';
    expect(configurationFile.safeParse(JSON.parse(example)).error).toBeUndefined();
  });

  it('names every event of a hook, and every permission mode', () => {
    const named = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining([...hookEvents, ...permissionModes]));
  });
});
