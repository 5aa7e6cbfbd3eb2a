import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import {
  configurationOf,
  normalizeKey,
  parseList,
  parseScopedList,
  withParameters,
} from '../../src/git/settings/configuration.ts';
import { parseBoolean } from '../../src/git/settings/configuration-entry.ts';
import { git, gitOlderThan, repositoryWithCommit, temporaryDirectory, write } from './fixture.ts';

async function configOf(cwd: string, options: Parameters<typeof openRepository>[0] = {}) {
  const repository = await openRepository({ cwd, ...options });
  return repository?.config();
}

describe('the effective configuration', () => {
  it.skipIf(gitOlderThan(2, 31, 'GIT_CONFIG_COUNT'))(
    'honours includes, worktrees, the environment and -c, the last one winning',
    async () => {
      const work = repositoryWithCommit();
      git(work, 'config', 'include.path', 'more');
      write(work, '.git/more', '[probe]\n\tincluded = yes\n\tkey = from include\n');
      git(work, 'config', 'probe.key', 'local');
      const env = {
        ...process.env,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'probe.fromenv',
        GIT_CONFIG_VALUE_0: 'x',
        GIT_CONFIG_PARAMETERS: "'probe.parameter'='y'",
      };
      const config = await configOf(work, { env, parameters: ['probe.key=command'] });
      expect(
        ['probe.included', 'probe.key', 'probe.fromenv', 'probe.parameter'].map((key) => config?.get(key)),
      ).toEqual(['yes', 'command', 'x', 'y']);
      expect(
        config?.entries.filter(({ key }) => key === 'probe.key').map(({ value, scope }) => [value, scope]),
      ).toEqual([
        ['from include', 'local'],
        ['local', 'local'],
        ['command', 'command'],
      ]);
    },
  );

  it('holds nothing that the guard itself pins', async () => {
    const config = await configOf(repositoryWithCommit());
    expect(config?.entries.filter(({ scope }) => scope === 'command')).toEqual([]);
  });

  it.each([
    ['plain', ['push.default=nothing']],
    ['twice', ['push.default=nothing', 'Push.Default=current']],
    ['without a value, and with an empty one', ['clean.requireForce', 'core.editor=']],
    ['with a subsection', ['remote.O.x y.Push=+HEAD:main=2']],
    ['with spaces and line ends in its value', ['alias.x= log\n -1 ']],
    ['that includes', ['include.path=more']],
    ['without a section', ['.key=1']],
    ['with a name that is none', ['a.1b=2']],
    ['with a section that is none', ['a_b.c=1']],
    ['without a name', ['a.b.=1']],
    ['with a line end in its name', ['a.b\nc.d=1']],
  ])('has a setting of -c as git has it: %s', async (_, parameters) => {
    const work = repositoryWithCommit();
    write(work, 'more', '[probe]\n\tincluded = yes\n');
    const asked = ['-c', 'probe.first=1', ...parameters.flatMap((parameter) => ['-c', parameter])];
    const listed = spawnSync('git', [...asked, 'config', '--list', '-z', '--show-scope', '--show-origin'], {
      cwd: work,
    });
    const expected = listed.status === 0 ? parseScopedList(listed.stdout.toString()).entries : 'an error';
    const read = await configOf(work, { parameters: ['probe.first=1', ...parameters] }).then(
      (config) => config?.entries,
      () => 'an error',
    );
    expect(read).toEqual(expected);
  });

  it('is left to git where other files could be read because of -c', () => {
    const conditional = parseList('includeif.hasconfig:remote.*.url:x.path\nmore\0');
    expect(withParameters(configurationOf(conditional), ['remote.o.url=x'])).toBeNull();
    expect(withParameters(configurationOf([]), ['remote.o.url=x'])).not.toBeNull();
  });

  it('is an error with a way out when a file is broken', async () => {
    const work = repositoryWithCommit();
    write(work, '.git/config', '[core\n');
    await expect(configOf(work)).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining('config'),
    });
  });
});

const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

describe('the list that git prints', () => {
  it('is read as it was written, whatever values hold', () => {
    const entry = fc.record({
      key: fc
        .tuple(anyText, fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/))
        .map(([sub, name]) => `section.${sub.replaceAll('\n', '')}.${name}`),
      value: fc.option(anyText),
      scope: fc.constantFrom(
        'system' as const,
        'global' as const,
        'local' as const,
        'worktree' as const,
        'command' as const,
      ),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const lines = entries.map(({ key, value }) => (value === null ? `${key}\0` : `${key}\n${value}\0`));
        expect(parseList(lines.join(''))).toEqual(entries.map((one) => ({ ...one, scope: 'unknown' })));
        const scoped = entries.map(({ scope }, index) => `${scope}\0file:config\0${lines[index]}`);
        expect(parseScopedList(scoped.join('')).entries).toEqual(entries);
      }),
    );
  });

  it('gives the values that git config --get gives', async () => {
    const work = repositoryWithCommit();
    const file = join(work, '.git', 'config');
    const values = fc.sample(
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
      { numRuns: 15, seed: 1 },
    );
    values.forEach((value, index) => {
      git(work, 'config', '--file', file, `probe.Sub Section.${index}.key${index}`, value);
    });
    const config = await configOf(work);
    values.forEach((value, index) => {
      expect(config?.get(`PROBE.Sub Section.${index}.KEY${index}`)).toBe(value);
    });
    expect(config?.subsections('probe')).toEqual(values.map((_, index) => `Sub Section.${index}`));
  });
});

describe('booleans', () => {
  const spellings = [
    'true',
    'YES',
    'on',
    '1',
    '2',
    '-1',
    '0',
    '00',
    'false',
    'No',
    'off',
    '',
    '1k',
    '0k',
    'maybe',
    ' 1',
    '0x10',
    '0x0',
    'truee',
  ];

  it.each(spellings)('are what git takes them for: %j', (value) => {
    const words = ['-c', `probe.key=${value}`, 'config', '--type=bool', '--get', 'probe.key'];
    const { stdout, status } = spawnSync('git', words, { cwd: temporaryDirectory(), encoding: 'utf8' });
    expect(parseBoolean(value)).toBe(status === 0 ? stdout.trim() === 'true' : null);
  });

  it('are true without a value, and the fallback when unset or no boolean', () => {
    const config = configurationOf([
      { key: 'a.b', value: null, scope: 'local' },
      { key: 'a.c', value: 'maybe', scope: 'local' },
    ]);
    expect([config.getBoolean('a.b', false), config.getBoolean('a.c', true), config.getBoolean('a.d', true)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

it('keys have section and variable in lower case, the subsection as written', () => {
  expect(['Core.Bare', 'Remote.My.Origin.PushURL', 'single'].map(normalizeKey)).toEqual([
    'core.bare',
    'remote.My.Origin.pushurl',
    'single',
  ]);
});
