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

/** The files that a file imports; with `types`, also for types alone. */
function importsBetweenFiles(types: boolean): ReadonlyMap<string, readonly string[]> {
  const statement = /\b(?:import|export)(\s+type)?\s([^;'"]*?)\bfrom\s+'(\.{1,2}\/[^']+)'/g;
  return new Map(
    sourceFiles.map((file) => {
      const found = [...readFileSync(join('src', file), 'utf8').matchAll(statement)];
      const counted = found.filter(([, type, names = '']) => types || (type === undefined && !isOnlyTypes(names)));
      return [file, counted.map(([, , , target = '']) => normalize(join(dirname(file), target)))];
    }),
  );
}

/** `{ type A, type B }` */
function isOnlyTypes(names: string): boolean {
  const listed = /^\{([^}]*)\}\s*$/.exec(names.trim())?.[1]?.split(',') ?? ['value'];
  return listed.every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

/** Files that import each other in a circle, each with the way back to itself. */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    const start = way.indexOf(file);
    if (start >= 0) {
      found.push([...way.slice(start), file].join(' → '));
    } else if (!done.has(file)) {
      for (const target of graph.get(file) ?? []) {
        visit(target, [...way, file]);
      }
      done.add(file);
    }
  };
  for (const file of graph.keys()) {
    visit(file, []);
  }
  return found;
}

describe('imports make no circle', () => {
  it('between files that load each other', () => {
    expect(circles(importsBetweenFiles(false))).toEqual([]);
  });

  it('nor, in what reads and judges, between their types', () => {
    const graph = importsBetweenFiles(true);
    const own = new Map(
      [...graph].filter(([file]) => /^(?:shell|git|config|guards|commit|audit|githooks|dialects)\//.test(file)),
    );
    expect(circles(own)).toEqual([]);
  });

  it('as it would see', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
    ]);
    expect(circles(graph)).toEqual(['a → b → c → a']);
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
