import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Folders of one layer may import each other; a layer imports only layers below it. The last is the lowest. */
const layers = [
  ['cli'],
  ['ui/tui'],
  ['githooks', 'dialects', 'agent', 'control'],
  ['guards', 'commit', 'audit', 'tools', 'ui'],
  ['shell', 'git', 'config'],
] as const;

/** Folders that may not know these folders, though a layer would allow it. */
const strangers: Readonly<Record<string, readonly string[]>> = {
  guards: ['ui', 'audit', 'tools'],
  commit: ['guards', 'audit', 'tools'],
  shell: ['git'],
  config: ['git', 'shell'],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const sourceFiles = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
/** A front inside of `ui` that drives the agent, and so has a layer of its own. */
const fronts = ['ui/tui'];
const folderOf = (file: string) =>
  fronts.find((front) => file.startsWith(`${front}/`)) ?? (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');
const layerOf = (folder: string) => layers.findIndex((layer) => (layer as readonly string[]).includes(folder));

const imports: readonly Import[] = sourceFiles.flatMap((file) => {
  const text = readFileSync(join('src', file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(([, target = '']) => ({
    file,
    from: folderOf(file),
    to: folderOf(normalize(join(dirname(file), target))),
  }));
});

describe('imports go one way', () => {
  it('every folder has its layer', () => {
    const folders = new Set(sourceFiles.map(folderOf).filter((folder) => folder !== ''));
    expect([...folders].filter((folder) => layerOf(folder) === -1)).toEqual([]);
  });

  it('no layer imports one above it', () => {
    const upward = imports.filter(({ from, to }) => to !== '' && from !== '' && layerOf(to) < layerOf(from));
    expect(upward).toEqual([]);
  });

  it('guards know no front, and what reads knows no guard', () => {
    expect(imports.filter(({ from, to }) => strangers[from]?.includes(to))).toEqual([]);
  });

  it('sees the imports it judges', () => {
    expect(imports.length).toBeGreaterThan(50);
  });
});

describe('a name says what a file is about', () => {
  it('no folder or file is a drawer for anything', () => {
    const drawer = /(^|\/)(utils?|common|helpers?|core|misc|shared)(\/|\.tsx?$)/;
    expect(sourceFiles.filter((file) => drawer.test(file))).toEqual([]);
  });
});

describe('only src/git starts git', () => {
  it('no other folder names git as a program to spawn', () => {
    const spawnsGit = sourceFiles.filter((file) => {
      const text = readFileSync(join('src', file), 'utf8');
      const startsPrograms = text.includes('node:child_process');
      return folderOf(file) !== 'git' && startsPrograms && /(spawn|exec)\w*\(\s*['"]git['"]/.test(text);
    });
    expect(spawnsGit).toEqual([]);
  });
});
