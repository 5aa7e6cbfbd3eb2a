import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OptionTable } from '../../../src/guards/git-command/option-table.ts';
import { judgedSubcommands } from '../../../src/guards/git-command/subcommands.ts';

/** Asked in a repository of its own: some commands of some versions do something all the same. */
const cwd = mkdtempSync(join(tmpdir(), 'option-tables-'));
execFileSync('git', ['init', '-q', cwd]);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Scripts and externals, whose options git can't list. */
const withoutList = new Set([
  'http-push',
  'subtree',
  'submodule',
  'filter-branch',
  'filter-repo',
  'bisect',
  'fetch-pack',
  'reflog',
]);

/** `--repo=`, `--signed`, `--no-verify`: as git itself lists the options of a command, for completion. */
function listedByGit(command: readonly string[]): readonly string[] {
  try {
    const list = execFileSync('git', [...command, '--git-completion-helper-all'], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return list.split(/\s+/).filter((word) => word.startsWith('--') && word !== '--');
  } catch {
    return [];
  }
}

interface Letter {
  readonly letter: string;
  readonly value: 'none' | 'required' | 'optional';
}

/** `-q, --[no-]quiet`, `-U, --unified <n>`, `-S, --gpg-sign[=<key>]`, `-d`: as git itself tells how a command is used. */
function lettersToldByGit(command: readonly string[]): readonly Letter[] {
  const { stdout, stderr } = spawnSync('git', [...command, '--help-all'], { cwd, encoding: 'utf8' });
  const usage = `${stdout}${stderr}`;
  const isItsOwn = usage.split('\n', 1)[0]?.includes(command.at(-1) ?? '');
  const told = usage.matchAll(/^ {4}-([^\s\-<\d])(?:, --[^\s=]*?)?(\[=?<|\[=| [<(]| \.\.\.|(?=,|\s|$))/gm);
  return [...(isItsOwn ? told : [])].map(([, letter = '', value = '']) => ({
    letter,
    value: value.startsWith('[') ? 'optional' : value === '' ? 'none' : 'required',
  }));
}

function spellings(table: OptionTable): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  for (const { long, name, value } of table.options) {
    if (long !== null) {
      known.set(`--${name}`, value !== 'none');
      known.set(`--no-${name}`, false);
    }
  }
  return known;
}

const tables = [...judgedSubcommands].flatMap(([name, subcommand]) => {
  const entry = subcommand();
  if (withoutList.has(name)) {
    return [];
  }
  return 'members' in entry
    ? Object.entries(entry.members).map(([member, { options }]) => ({ command: [name, member], options }))
    : [{ command: [name], options: entry.options }];
});

describe('the option tables hold every option of the git that is here, so that prefixes are unique when they are for git', () => {
  it.each(tables.map(({ command, options }) => [command.join(' '), command, options] as const))(
    'git %s',
    (_, command, options) => {
      const known = spellings(options);
      const listed = listedByGit(command).filter((option) => option !== '--git-completion-helper-all');
      expect(listed.map((option) => option.replace(/=$/, '')).filter((option) => !known.has(option))).toEqual([]);
      const required = listed.filter((option) => option.endsWith('=')).map((option) => option.slice(0, -1));
      expect(required.filter((option) => known.get(option) !== true)).toEqual([]);
    },
  );
});

describe('the option tables hold every letter, and whether it takes a value, so that bundles are read as git reads them', () => {
  it.each(tables.map(({ command, options }) => [command.join(' '), command, options] as const))(
    'git %s',
    (_, command, { options }) => {
      const known = new Map(
        options.flatMap(({ letter, value }) => (letter === null ? [] : [[letter, value] as const])),
      );
      const told = lettersToldByGit(command);
      // A newer git may take a value where this one takes none.
      const isRight = ({ letter, value }: Letter) =>
        known.get(letter) === value || (value === 'none' && known.get(letter) === 'optional');
      expect(told.filter((letter) => !isRight(letter))).toEqual([]);
    },
  );
});
