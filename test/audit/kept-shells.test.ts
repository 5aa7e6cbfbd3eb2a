import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { keptShellDirectories, rememberKeptShell } from '../../src/audit/kept-shells.ts';
import { temporaryDirectory } from '../git/fixture.ts';

let state: string;
let places: readonly string[];
beforeEach(() => {
  state = temporaryDirectory();
  places = Array.from({ length: 9 }, (_, index) => join(state, `place-${index}`));
  for (const place of places) {
    mkdirSync(place);
  }
});

const files = () =>
  readdirSync(join(state, 'oxide-guard/kept-shells')).map((name) => join(state, 'oxide-guard/kept-shells', name));

describe('the places of a session’s shell', () => {
  it('are kept, the last first, and few of them', () => {
    for (const place of places) {
      rememberKeptShell(state, 'a', [place]);
    }
    expect(keptShellDirectories(state, 'a')).toEqual([...places].reverse().slice(0, 6));
    expect(keptShellDirectories(state, 'b')).toEqual([]);
  });

  it('are left out where they are gone', () => {
    rememberKeptShell(state, 'a', places.slice(0, 3));
    rmSync(places[1] ?? '', { recursive: true });
    expect(keptShellDirectories(state, 'a')).toEqual([places[0], places[2]]);
  });

  it('are none where the record is broken, and the next one mends it', () => {
    rememberKeptShell(state, 'a', places.slice(0, 1));
    for (const broken of ['', '{', 'null', '{"0":"/"}', '[1,{}]']) {
      writeFileSync(files()[0] ?? '', broken);
      expect(keptShellDirectories(state, 'a')).toEqual([]);
    }
    rememberKeptShell(state, 'a', places.slice(1, 2));
    expect(keptShellDirectories(state, 'a')).toEqual([places[1]]);
  });

  it('go with a session that has ended long ago', () => {
    rememberKeptShell(state, '../../escape', places.slice(0, 1));
    utimesSync(files()[0] ?? '', 0, 0);
    rememberKeptShell(state, 'new', places.slice(0, 1));
    expect(files()).toHaveLength(1);
    expect(keptShellDirectories(state, '../../escape')).toEqual([]);
  });

  it('are nowhere where nothing can be written, and nothing is thrown', () => {
    writeFileSync(join(state, 'file'), '');
    rememberKeptShell(join(state, 'file'), 'a', places);
    expect(keptShellDirectories(join(state, 'file'), 'a')).toEqual([]);
  });
});
