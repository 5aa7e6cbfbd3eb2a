import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../src/config/rules.ts';

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

describe('documents hold together', () => {
  it.each(['README.md', 'docs/policy.md', 'docs/architecture.md', 'docs/decisions.md', 'CHANGELOG.md'])(
    '%s links to files that exist',
    (path) => {
      const text = readFileSync(path, 'utf8');
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) => target);
      const folder = path.includes('/') ? 'docs/' : '';
      const missing = links.filter((link) => {
        try {
          readFileSync(folder + link);
          return false;
        } catch {
          return true;
        }
      });
      expect(missing).toEqual([]);
    },
  );
});
