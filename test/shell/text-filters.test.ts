import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { awkFields, cutParts } from '../../src/shell/outputs/field-filters.ts';
import { edited, readSed } from '../../src/shell/outputs/sed.ts';
import { grepped } from '../../src/shell/outputs/text-filters.ts';

const text = `# settings
HUSKY=0
  export NODE_ENV=test # why
{"name":"shop", "version": "1.0.0"},
a+b(c)|d{2}

git push -f
last`;

const ours = {
  grep: (args: readonly string[]) => grepped(args, text, false),
  sed: (args: readonly string[]) => {
    const call = readSed(args);
    return call === null ? null : edited(call, text);
  },
  cut: (args: readonly string[]) => cutParts(args, text),
  awk: (args: readonly string[]) => awkFields(args, text),
};

/** The program itself, in the language of the tests' machine. */
function theirs(program: string, args: readonly string[]): string {
  return spawnSync(program, args, { input: text, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout;
}

const known: readonly (readonly [program: keyof typeof ours, ...args: string[]])[] = [
  ...[
    '2a\\\\tgit x',
    '2a \\\\tgit x',
    '2a\\tgit x',
    '2a   git x',
    '2a\\  git x',
    '2a x\\ty\\\\z\\qw',
    '2i\\\\\\tgit',
    '2c\\\ngit',
  ].map((script) => ['sed', script] as const),
  ['grep', '-v', '^#'],
  ['grep', '-v', '^\\s*#'],
  ['grep', '^[[:space:]]*export'],
  ['grep', '-E', '^(HUSKY|SKIP)='],
  ['grep', '^\\(HUSKY\\|SKIP\\)='],
  ['grep', '-F', 'a+b(c)|d{2}'],
  ['grep', 'a+b(c)|d{2}'],
  ['grep', '-vE', '^$|#'],
  ['grep', '-i', 'husky'],
  ['grep', '[^a-z]=[0-9]'],
  ['grep', '[]}]'],
  ['grep', '[[:punct:]]'],
  ['grep', '[^[:alnum:][:space:]_-]'],
  ['grep', '-E', 'no such line'],
  ['grep', '-x', 'last'],
  ['grep', '-vxE', 'last|HUSKY'],
  ['grep', '-vx', 'las'],
  ['grep', '-w', 'git'],
  ['grep', '-wi', 'husk'],
  ['grep', '-w', 'g.*t'],
  ['sed', 's/#.*//'],
  ['sed', '/^#/d'],
  ['sed', '-e', '/^#/d', '-e', 's/^ *export //'],
  ['sed', 's/"version": "[^"]*"/"version": "2.0.0"/'],
  ['sed', 's|git|not git|g; $d'],
  ['sed', '2d;3d'],
  ['sed', '-E', 's/a\\+b\\(c\\)/x/'],
  ['sed', 's/a+b(c)/x/I'],
  ['sed', 's/s/S/g'],
  ['sed', 's,\\,,;,'],
  ['sed', 's/\\(a\\)+b/[\\1&]/'],
  ['sed', '-E', 's/^([A-Z]+)=(.)/\\2=\\1/'],
  ['sed', 's/a/&b/g'],
  ['sed', 's/git/\\&/'],
  ['sed', 's/:/\\n/'],
  ['sed', 's/=/\\t/;s/\\t/ is /'],
  ['sed', 's/\\r$//'],
  ['sed', 's/\\<a/A/g'],
  ['sed', 's/t\\>/T/g'],
  ['sed', '-n', '/a/p'],
  ['sed', '-n', '2,4p'],
  ['sed', '-n', '$p'],
  ['sed', '-nE', '/HUSKY|last/p'],
  ['sed', 'p'],
  ['sed', '2,3d'],
  ['sed', '3,2d'],
  ['sed', '3d;2,3s/^/x/'],
  ['sed', '/HUSKY/,/name/d'],
  ['sed', '/name/,$d'],
  ['sed', '/last/,/HUSKY/d'],
  ['sed', '2,/^$/s/o/0/g'],
  ['sed', '/git/a and more'],
  ['sed', '/git/i\\  before'],
  ['sed', '/git/c instead'],
  ['sed', '$a at the end'],
  ['sed', '1i first\n2d'],
  ['sed', '-n', '-e', '1p', '-e', '/git/p'],
  ['sed', '--expression=s/a/b/'],
  ['sed', '-n', 's/^# //p'],
  ['sed', 's/git/hub/p'],
  ['grep', '*'],
  ['grep', '-v', '^*'],
  ['cut', '-d=', '-f2'],
  ['cut', '-d', ' ', '-f', '2-'],
  ['cut', '-d:', '-f1,3'],
  ['cut', '-f1', '-d '],
  ['cut', '-c3-'],
  ['cut', '-c', '-2,4-5'],
  ['cut', '--delimiter=s', '--fields=2'],
  ['awk', '{print $1}'],
  ['awk', '{ print $NF }'],
  ['awk', '-F=', '{print $2}'],
  ['awk', '-F', ': ', '{print $2}'],
  ['awk', 'NR==2 {print $1}'],
  ['awk', '/git|HUSKY/ {print; exit}'],
  ['awk', '/^git/{print $9}'],
];

/** What has captures, other commands, or may take long on a hostile text. */
const unknown: typeof known = [
  ['sed', 's/a/\\U&/'],
  ['sed', 's/a/b/2'],
  ['sed', 's/a/b/w out'],
  ['sed', '/a/s//b/'],
  ['sed', '2!d'],
  ['cut', '-b2-'],
  ['cut', '-s', '-d=', '-f2'],
  ['cut', '-f2', 'file'],
  ['awk', '{print $1, $2}'],
  ['awk', '-F', '[=:]', '{print $1}'],
  ['awk', '{print $1}', 'file'],
  ['sed', '1~2d'],
  ['sed', '0,/a/d'],
  ['sed', '1,3c whole'],
  ['sed', '/a/{d}'],
  ['sed', 'N;s/\\n/ /'],
  ['sed', '-z', 's/a/b/'],
  ['sed', '-s', '1d'],
  ['sed', '-f', 'script'],
  ['sed', '1e date'],
  ['sed', 's/a/date/e'],
  ['sed', 'y/a/b/'],
  ['grep', '-o', 'a'],
  ['grep', '[[:nosuch:]]'],
  ['grep', '-E', '(a+)+$'],
  ['grep', '-E', 'a*a*a*a*b'],
  ['grep', '-E', 'a{1,30}'],
  ['grep', '\\(a\\)\\1'],
];

const titled = (rows: typeof known) =>
  rows.map(([program, ...args]) => [`${program} ${args.join(' ')}`, program, args] as const);

describe('lines that grep, sed, cut and awk choose and change', () => {
  it.each(titled(known))('%s', (_, program, args) => {
    const printed = ours[program](args);
    expect(printed).not.toBeNull();
    expect(printed).toBe(theirs(program, args));
  });

  it.each(titled(unknown))('is not told for %s', (_, program, args) => {
    expect(ours[program](args)).toBeNull();
  });

  it('is not told of texts that are too large to try every expression on', () => {
    expect(grepped(['a'], 'a'.repeat(5000), false)).toBeNull();
    expect(grepped(['a'], 'a\n'.repeat(20_000), false)).toBeNull();
  });
});
