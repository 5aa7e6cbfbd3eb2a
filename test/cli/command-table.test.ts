import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cac } from 'cac';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { flagOf } from '../../src/cli/given-words.ts';
import { oxideGuard, runOxideGuard } from '../e2e/guarded-repository.ts';
import { repositoryWithCommit, temporaryDirectory } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';

const oxide = (...words: string[]) => runOxideGuard(words, { cwd: temporaryDirectory() });

describe('every command', () => {
  it.each(Object.keys(commands))('%s --help says what it does, and does nothing', (name) => {
    const { status, stdout, stderr } = oxide(name, '--help');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\S.*\n\nUsage:\n/);
    expect(stdout).toContain(`$ oxide-guard ${name}`);
    expect(stdout).not.toMatch(/ $/m);
    expect(oxide('help', name).stdout).toBe(stdout);
  });

  it.each(Object.keys(commands))('%s --no-such-option is wrong usage, and its own help is the remedy', (name) => {
    const { status, stdout, stderr } = oxide(name, '--no-such-option');
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`oxide-guard: There is no option '--no-such-option'.\n  → oxide-guard ${name} --help\n`);
  });
});

describe('a word that is no command', () => {
  it.each(['constructor', '__proto__', 'toString', 'psuh', '--force'])('%s', (word) => {
    expect(oxide(word)).toMatchObject({ status: 2, stderr: expect.stringContaining(`There is no command '${word}'.`) });
  });
});

it.each([
  [['instal', '--dry-run'], 'oxide-guard install --dry-run'],
  [['chekc', 'git push -f'], "oxide-guard check 'git push -f'"],
  [['ls'], 'oxide-guard --help'],
  [['frobnicate'], 'oxide-guard --help'],
])('%j is answered with the command that was meant, or with all', (words, remedy) => {
  expect(oxide(...words).stderr.split('\n')[1]).toBe(`  → ${remedy}`);
});

describe('words that a command has not declared', () => {
  it.each([
    [['lint', '--dryRunX=1'], "There is no option '--dryRunX'."],
    [['lint', '-x'], "There is no option '-x'."],
    [['lint', 'one', 'two'], "'two' is one word too many."],
    [['install', '--hooks'], "The option '--hooks' needs a value."],
    [['completions'], "'completions' needs one more word."],
    [['undo', '--dry-run=true'], "The option '--dry-run' takes no value."],
    [['undo', '--dry-run='], "The option '--dry-run' takes no value."],
    [['undo', '--dryRun=1'], "There is no option '--dryRun'."],
    [['undo', '--dryRun'], "There is no option '--dryRun'."],
    [['undo', '--no-dry-run'], "There is no option '--no-dry-run'."],
    [['approve', '--json=abc'], "The option '--json' takes no value."],
    [['log', '--follow=0'], "The option '--follow' takes no value."],
    [['checkpoint', 'prune', '--all=no'], "The option '--all' takes no value."],
    [['agent', '--no-tui=0', 'x'], "The option '--no-tui' takes no value."],
    [['check', '--json=1', 'ls'], "The option '--json' takes no value."],
    [['explain', '--json=1', 'ls'], "The option '--json' takes no value."],
    [['undo', '--', 'manual/1', 'foo'], "'foo' is one word too many."],
    [['uninstall', '--', '--dry-run'], "'--dry-run' is one word too many."],
    [['log', '--', 'x'], "'x' is one word too many."],
    [['install', '--', 'x'], "'x' is one word too many."],
  ])('%j: %s', (words, sentence) => {
    const { status, stderr } = oxide(...words);
    expect(status).toBe(2);
    expect(stderr).toBe(`oxide-guard: ${sentence}\n  → oxide-guard ${words[0]} --help\n`);
  });
});

describe('an option that takes no value', () => {
  const flagsOf = (command: Command) => {
    const cli = cac('oxide-guard');
    command.register(cli, { out: () => {}, err: () => {}, colors: picocolors.createColors(false) });
    const options = cli.commands.flatMap((declared) => declared.options);
    return options.filter(({ isBoolean }) => isBoolean).map(flagOf);
  };

  it('is given one: nothing happens, whatever the command', async () => {
    for (const [name, { load }] of Object.entries(commands)) {
      for (const flag of flagsOf(await load())) {
        expect(oxide(name, `${flag}=true`)).toEqual({
          status: 2,
          stdout: '',
          stderr: `oxide-guard: The option '${flag}' takes no value.\n  → oxide-guard ${name} --help\n`,
        });
      }
    }
  });

  it('may be given twice', () => {
    const work = repositoryWithCommit();
    const { stdout } = runOxideGuard(['install', '--dry-run', '--json', '--dry-run'], { cwd: work });
    expect(JSON.parse(stdout)).toMatchObject({ dryRun: true });
    expect(existsSync(join(work, '.git/hooks/commit-msg'))).toBe(false);
  });
});

describe('words behind --', () => {
  it('are operands', () => {
    expect(oxide('completions', '--', 'bash').stdout).toBe(oxide('completions', 'bash').stdout);
    expect(oxide('lint', '--', '--absent')).toMatchObject({ status: 2, stderr: expect.stringContaining("'--absent'") });
  });

  it('name the checkpoint to go back to', () => {
    const work = repositoryWithCommit();
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(join(work, 'file'), text);
      runOxideGuard(['checkpoint', '--', 'create'], { cwd: work });
    }
    expect(runOxideGuard(['undo', '--', 'manual/1'], { cwd: work })).toMatchObject({ status: 0 });
    expect(readFileSync(join(work, 'file'), 'utf8')).toBe('one');
  });
});

describe('values that look like numbers, or are empty', () => {
  it.each([
    ['--hooks', '007'],
    ['--hooks', ''],
    ['--agent', '1e3'],
    ['--agent', ''],
  ])('install %s %j: as they were typed', (flag, value) => {
    for (const words of [[flag, value], [`${flag}=${value}`]]) {
      const { status, stderr } = oxide('install', ...words);
      expect(status).toBe(2);
      expect(stderr).toContain(`named '${value}'.`);
    }
  });
});

describe('outside of a repository', () => {
  it.each([
    [['install'], 'it has no hooks'],
    [['uninstall'], 'it has no hooks'],
    [['doctor'], 'it has no hooks'],
    [['checkpoint'], 'it has no checkpoints'],
    [['undo'], 'there is nothing to undo'],
    [['lint', '--from', 'HEAD'], 'there are no commits to check'],
  ])('%j is wrong usage', (words, lack) => {
    const cwd = realpathSync(temporaryDirectory());
    const { status, stdout, stderr } = runOxideGuard(words, { cwd });
    expect(stderr).toBe(
      `oxide-guard: ${cwd} is not in a git repository, so ${lack}.\n  → Go to a repository, or make one: git init\n`,
    );
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});

describe('hook, called wrongly', () => {
  it('without a name, or with one that is no hook: the names to choose from', () => {
    for (const words of [['hook'], ['hook', 'post-merge'], ['hook', 'constructor']]) {
      const { status, stderr } = oxide(...words);
      expect(status).toBe(2);
      expect(stderr).toContain('commit-msg, pre-push, pre-receive, update');
    }
  });

  it('commit-msg without its file refuses', () => {
    expect(oxide('hook', 'commit-msg')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('so it refuses: git gave it no message file'),
    });
  });

  it.each([
    ['hook', '--agent', 'nobody'],
    ['hook', '--agent=nobody'],
  ])('%s %s: the agents to choose from', (...words) => {
    const { status, stderr } = oxide(...words);
    expect(status).toBe(2);
    expect(stderr).toContain("'nobody' is no agent this guard knows. Choose from: claude");
  });
});

describe('completions', () => {
  const completed = (line: readonly string[], position: number) => {
    const script = oxide('completions', 'bash').stdout;
    const words = line.map((word) => `'${word}'`).join(' ');
    const asked = `COMP_WORDS=(${words}); COMP_CWORD=${position}; _oxide_guard; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${asked}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  };

  it('bash completes commands, their actions and their options', () => {
    expect(completed(['oxide-guard', 'un'], 1)).toEqual(['uninstall', 'undo']);
    expect(completed(['oxide-guard', 'config', ''], 2)).toEqual(['init', 'print', 'schema', '--json', '--help']);
    expect(completed(['oxide-guard', 'lint', '--f'], 2)).toEqual(['--from', '--format']);
    expect(completed(['oxide-guard', 'nothing', ''], 2)).toEqual([]);
  });

  it.each(['bash', 'zsh', 'fish'])('%s: every command of the table is there', (shell) => {
    const { status, stdout } = oxide('completions', shell);
    expect(status).toBe(0);
    for (const name of Object.keys(commands)) {
      expect(stdout).toContain(name);
    }
  });

  it('are one document for a program', () => {
    const { stdout } = oxide('completions', 'fish', '--json');
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script: oxide('completions', 'fish').stdout.trimEnd() });
  });

  it('an unknown shell is wrong usage', () => {
    expect(oxide('completions', 'tcsh')).toMatchObject({ status: 2 });
  });
});

describe('a reader that stops reading, or a disk that is full', () => {
  const shell = (line: string) => {
    const command = line.replaceAll('oxide-guard', `'${process.execPath}' '${oxideGuard}'`);
    return spawnSync('bash', ['-o', 'pipefail', '-c', command], { cwd: temporaryDirectory(), encoding: 'utf8' });
  };

  it('oxide-guard config schema | true: no stack trace', () => {
    const { stderr } = shell('oxide-guard config schema | true');
    expect(stderr).toBe('');
  });

  it('oxide-guard check, with nobody to read it: fails, for what was not read may be an objection', () => {
    expect(shell('exec 3> >(true); wait $!; oxide-guard check --json ls >&3')).toMatchObject({ status: 1, stderr: '' });
  });

  it
    .skipIf(skipUnless(existsSync('/dev/full'), 'a full disk: there is no /dev/full'))
    .each(['config print', 'check ls', 'check --json ls'])('oxide-guard %s > /dev/full: says so and fails', (words) => {
    const { status, stderr } = shell(`oxide-guard ${words} > /dev/full`);
    expect(status).toBe(1);
    expect(stderr).toContain('There is no space left');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
