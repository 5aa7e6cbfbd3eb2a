import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownCommand, withCommand } from '../src/own-command.ts';
import { temporaryDirectory } from './git/fixture.ts';

const home = temporaryDirectory();
const dependency = pathToFileURL(join(home, 'my project/node_modules/oxide-guard/dist/cli/cli.mjs')).href;

function directoryWithProgram(path: string): string {
  const directory = join(home, path);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'oxide-guard'), '#!/bin/sh\n');
  chmodSync(join(directory, 'oxide-guard'), 0o755);
  return directory;
}

describe('the command that a remedy names', () => {
  it('is started by npx where the package is a dependency', () => {
    expect(ownCommand(dependency, '/usr/bin:/bin')).toBe('npx oxide-guard');
  });

  it('is started by npx also where npm itself has put it on PATH', () => {
    const bin = directoryWithProgram('my project/node_modules/.bin');
    expect(ownCommand(dependency, [bin, '/usr/bin'].join(delimiter))).toBe('npx oxide-guard');
  });

  it('is the program itself where a person has installed it', () => {
    const bin = directoryWithProgram('bin');
    expect(ownCommand(dependency, ['/usr/bin', bin].join(delimiter))).toBe('oxide-guard');
    expect(ownCommand(pathToFileURL(join(home, 'checkout/dist/cli/cli.mjs')).href, '')).toBe('oxide-guard');
  });

  it.each([
    ['oxide-guard doctor', 'npx oxide-guard doctor'],
    ['cd /a && oxide-guard undo 1\n  → oxide-guard demo', 'cd /a && npx oxide-guard undo 1\n  → npx oxide-guard demo'],
    ['npx oxide-guard install', 'npx oxide-guard install'],
    ['npm install --save-dev oxide-guard', 'npm install --save-dev oxide-guard'],
    ['git push --force-with-lease oxide-guard main', 'git push --force-with-lease oxide-guard main'],
    ['git add FILE   or   oxide-guard commit', 'git add FILE   or   npx oxide-guard commit'],
    ['rm -r .git/oxide-guard && git status', 'rm -r .git/oxide-guard && git status'],
  ])('is put into %j', (text, expected) => {
    expect(withCommand(text, 'npx oxide-guard')).toBe(expected);
  });
});
