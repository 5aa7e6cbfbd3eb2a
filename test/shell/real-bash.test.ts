import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/shell/command-line.ts';
import { beginningOf } from '../../src/shell/simple-command.ts';
import { skipUnless } from '../skip.ts';

let root = '';
let env: Record<string, string> = {};

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-bash-')));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'work/sub/deep'), { recursive: true });
  writeFileSync(join(root, 'work/a.txt'), '');
  writeFileSync(join(root, 'work/b.txt'), '');
  writeFileSync(join(root, 'bin/git'), '#!/bin/bash\nprintf \'%s\\0\' "$PWD" "$@" "end of call" >> "$RECORD"\n');
  chmodSync(join(root, 'bin/git'), 0o755);
  env = {
    HOME: join(root, 'work'),
    PATH: `${root}/bin:/usr/bin:/bin`,
    RECORD: join(root, 'record'),
    LC_ALL: 'C.UTF-8',
  };
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** What bash really runs: the directory and the words of every call of git. */
function run(source: string): string[][] {
  writeFileSync(join(root, 'record'), '');
  spawnSync('bash', ['-c', source], { cwd: join(root, 'work'), env, input: '' });
  const calls = readFileSync(join(root, 'record'), 'utf8').split('\0end of call\0');
  return calls.slice(0, -1).map((call) => call.split('\0'));
}

function read(source: string): string[][] {
  const { steps } = readCommandLine(source, { cwd: join(root, 'work'), env });
  return steps.flatMap((step) => {
    const [program, ...words] = step.kind === 'command' ? step.argv : [];
    if (step.kind === 'unreadable') {
      return [[`unreadable: ${step.reason}`]];
    }
    if (program?.kind !== 'known' || program.value !== 'git') {
      return [];
    }
    const cwd = step.cwd.kind === 'known' ? step.cwd.path : '?';
    return [[cwd, ...words.map((word) => (word.kind === 'known' ? word.value : `⟨${word.reason}⟩`))]];
  });
}

const text = fc.string({ unit: fc.constantFrom(...'abgit -=/.,:;*?[]{}()<>|&!#$`\'"\\~^%@+\n\té'), maxLength: 8 });

/** One way to write a text as one word. */
const styles: readonly ((value: string) => string)[] = [
  (value) => `'${value.replaceAll("'", "'\\''")}'`,
  (value) => `"${value.replace(/[\\$`"]/g, '\\$&')}"`,
  (value) => `$'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`,
  (value) => Array.from(value, (character) => (character === '\n' ? "$'\\n'" : `\\${character}`)).join('') || "''",
  (value) =>
    `$'${Array.from(value, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('')}'`,
  (value) => Array.from(value, (character) => (character === "'" ? `"'"` : `'${character}'`)).join('""') || '""',
  (value) =>
    `"$(printf '%b' '${Array.from(Buffer.from(value), (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')}x')"`.replace(
      'x\')"',
      '\')"',
    ),
];

const quotedWord = fc
  .tuple(text, fc.integer({ min: 0, max: styles.length - 2 }))
  .map(([value, style]) => styles[style]?.(value) ?? "''");

const command = fc.array(quotedWord, { maxLength: 4 }).map((words) => ['git', ...words].join(' '));

/** Ways to put a command into a larger script that still runs it. */
const settings: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `cd ~/sub && ${inner}`,
  (inner) => `(cd ~/sub/deep; ${inner}\n)\n${inner}`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `f() { ${inner}\n}; f; f`,
  (inner) => `for i in 1 2; do ${inner}\ndone`,
  (inner) => `if true; then ${inner}\nelse git no; fi`,
  (inner) => `false || ${inner}`,
  (inner) => `case x in y) git no;; *) ${inner}\n;; esac`,
  (inner) => `eval ${styles[0]?.(inner)}`,
  (inner) => `bash -c ${styles[1]?.(inner)}`,
  (inner) => `x=${styles[0]?.(inner)}; eval "$x"; sh -c ':'; bash -c "$x"`,
  (inner) => `bash <<'END ${inner.length}'\n${inner}\nEND ${inner.length}`,
  (inner) =>
    `cat > s${inner.length}.sh <<'END ${inner.length}'\n${inner}\nEND ${inner.length}\nbash s${inner.length}.sh; . ./s${inner.length}.sh`,
  (inner) => `bash <<< ${styles[0]?.(inner)}`,
  (inner) => `printf %s ${styles[0]?.(inner)} | bash`,
  (inner) => `env A=1 bash -c ${styles[2]?.(inner)}`,
  (inner) => `echo ${styles[1]?.(inner)} > /dev/null; : ${styles[0]?.(inner)}`,
];

/** Ways to give a command more words. */
const continued: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `set -- 'a b' c; ${inner} "$@" $1 "$*"`,
  (inner) => `x='a  b'; ${inner} $x "$x" "\${x#a}" \${x/a/c} *.txt`,
  (inner) => `a=(1 '2 3'); ${inner} "\${a[@]}" {x,y}$((1 + 2)) ~/z`,
];

const whole = fc
  .tuple(command, fc.integer({ min: 0, max: continued.length - 1 }))
  .map(([inner, more]) => continued[more]?.(inner) ?? inner);

const script = fc
  .tuple(whole, fc.array(fc.integer({ min: 0, max: settings.length - 1 }), { minLength: 1, maxLength: 2 }))
  .map(([inner, nesting]) => nesting.reduce((source, setting) => settings[setting]?.(source) ?? source, inner));

/** Where `return` may stand. */
const inFunction = (list: string) => `main() { ${list}\n}; main`;

/**
 * A list that is sourced. bash 5.2 forgets that it is in a subshell, where the last command of such a list is a program:
 * that takes the subshell's place, and nothing behind it runs.
 */
const sourced = (list: string) => `{ ${list}\n} || false`;

/** Lists of commands with known and unknown ends, and with all that leads around a command. */
const { list: lists } = fc.letrec<{ command: string; list: string }>((tie) => {
  const list = tie('list');
  const status = fc.constantFrom('true', 'false', ':', '[ 1 -lt 2 ]', '[[ a == b ]]', '(( 0 ))', '(( n + 1 ))');
  const leaf = fc.constantFrom('git', '! git', 'n=$((n + 1)); git $n', 'git | cat', 'test -e nothing');
  // Files that the line makes and removes, and asks for.
  const file = fc.constantFrom(
    '[ -f a.txt ]',
    '[[ -e made ]]',
    'touch made',
    'rm -f made',
    '[ ! -d sub ]',
    '[ -d made ]',
  );
  const leave = fc.constantFrom(
    ...['return', 'return 0', 'return 1', 'return 3', 'exit 0', 'exit 1'],
    ...['break', 'continue', 'break 2', 'continue 2'],
  );
  const inside = (form: (...parts: string[]) => string, count: number) =>
    fc.array(list, { minLength: count, maxLength: count }).map((parts) => form(...parts));
  return {
    command: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.oneof(leaf, leaf, status, leave, file),
      inside((a) => `{ ${a}\n}`, 1),
      inside((a) => `( ${a}\n)`, 1),
      inside((a, b) => `if ${a}\nthen ${b}\nfi`, 2),
      inside((a, b, c) => `if ${a}\nthen ${b}\nelse ${c}\nfi`, 3),
      inside((a) => `for i in 1 2; do ${a}\ndone`, 1),
      inside((a, b) => `for i in 1 2; do for j in 1 2; do ${a}\ndone; ${b}\ndone`, 2),
      inside((a) => `{ f() { ${a}\n}; f\n}`, 1),
      inside((a, b) => `{ f() { ${a}\n}; f && { ${b}\n}\n}`, 2),
      inside((a, b) => `{ f() { ${a}\n}; f || { ${b}\n}\n}`, 2),
      inside((a, b) => `{ ${a}\n} | { ${b}\n}`, 2),
      inside((a) => `{ ${a}\n} & wait`, 1),
      inside((a, b) => `x=$( ${a}\n) || { ${b}\n}`, 2),
      inside((a, b) => `export x="$( ${a}\n)" && { ${b}\n}`, 2),
      inside((a, b) => `{ ${a}\n} > /dev/null && { ${b}\n}`, 2),
      inside((a, b) => `eval ${styles[0]?.(a)} || { ${b}\n}`, 2),
      inside((a, b) => `case x in y) ${a}\n;; *) ${b}\n;; esac`, 2),
      inside((a) => `bash -c ${styles[0]?.(inFunction(a))}`, 1),
      inside((a, b) => `timeout 5 bash -c ${styles[0]?.(inFunction(a))} && { ${b}\n}`, 2),
      inside((a, b) => `case x in x) ${a}\n;;& [a-z]) ${b}\n;; esac`, 2),
      inside((a, b) => `bash -ec ${styles[0]?.(inFunction(a))} || { ${b}\n}`, 2),
      inside((a, b) => `source /dev/stdin <<< ${styles[0]?.(sourced(a))} || { ${b}\n}`, 2),
      // Each in a file of its own: two sides of a pipeline run at the same time.
      fc
        .tuple(list, list, fc.nat())
        .map(([a, b, n]) => `{ echo ${styles[0]?.(sourced(a))} > t${n}.sh; . ./t${n}.sh || { ${b}\n}\n}`),
    ),
    list: fc
      .tuple(
        tie('command'),
        fc.array(fc.tuple(fc.constantFrom(' && ', ' || ', '\n', '; '), tie('command')), { maxLength: 2 }),
      )
      .map(([first, more]) => first + more.map(([operator, next]) => operator + next).join('')),
  };
});

const flow = fc
  .tuple(fc.constantFrom('', 'set -e\n', 'set -o pipefail\n', 'set -eo pipefail\n'), lists)
  .map(([option, list]) => option + inFunction(list));

/** How often git runs, as bash does it and as it is read: for sure, and at most. */
function counts(source: string): { readonly sure: number; readonly run: number; readonly possible: number } {
  const { steps } = readCommandLine(source, { cwd: join(root, 'work'), env, runsNow: true });
  const calls = steps.filter((step) => step.kind === 'command' && beginningOf(step.argv[0]) === 'git');
  const sure = calls.filter(({ origin }) => origin.path === null).length;
  return { sure, run: run(source).length, possible: calls.length };
}

/** Commands that give the variables x, y and n, the list a and the table m other values. */
const changes = [
  ...[
    'x=ab',
    'x+=1',
    "x='3 + 4'",
    'y=$x',
    'y=AbC',
    'x=$n$y',
    'n=010',
    'n=2',
    'n+=1',
    'unset x',
    'unset y',
    'x=${y:-d}',
  ],
  ...[
    'declare -i x',
    'declare +i x',
    'declare -i n=3+4',
    'declare -i n+=2',
    'declare -u y',
    'declare -l x=AB',
    'declare +u y',
  ],
  ...[
    'declare -c y=abc',
    'declare -u a',
    'export x',
    'declare -x n=5',
    'x=${y/b/q}',
    'y=${#x}',
    'x=${y^^}',
    'x=${a[1]}',
  ],
  ...['declare -A m=(a x b y)', 'declare -A m; m+=(c d a)', 'declare -A m=([a]=1 [b]="2 3")', 'declare -A m; m[a]+=z'],
  ...[
    'declare -A m=([$x]=1 [b]=2)',
    'a=(1 2 3)',
    'a+=(4)',
    'a[1]+=q',
    'declare -a a',
    'a=([1]=x y)',
    'declare -ia a=(1 2)',
  ],
  ...["read x <<< ' r '", "read <<< ' r '; x=$REPLY", "read x y <<< 'a\\ b c'", "read -r x y <<< 'a\\ b c'"],
  ...[
    "IFS=: read x y <<< 'a : b:c'",
    "read -a a <<< '1 2  3'",
    "mapfile -t a <<< $'p\\nq'",
    'readarray -t -O 1 a <<< z',
  ],
  ...[
    "printf -v x %q 'a b'",
    "printf -v x '%+d' 5",
    "printf -v y '%03d|% d|%-3s|' 7 8 z",
    "x=$(printf '%q ' a 'b;c' '')",
  ],
  ...['f() { local x; y=$x.; x=1; local -i n; n+=2; y+=$x$n; }; f', 'f() { local x=5 y; x+=1; n=$x$y; }; f'],
  ...[
    'f() { local -u y=ab; x=$y; }; f',
    'f() { local a=(7 8); x=${a[1]}; }; f',
    'f() { declare x=3; declare -g y=4; }; f',
  ],
  ...[
    'for x in 1 2; do for y in a b; do [ $x$y = 1b ] && break 2; done; done',
    '(( n++ ))',
    'let n=2+3',
    'n=$((n + 1))',
  ],
  ...[
    'for x in 1 2; do for n in 3 4; do continue 2; done; y=no; done',
    'set -- p q r; shift; x=$1',
    'for x; do y=$x; done',
  ],
  ...[
    '[[ $x -eq 8 ]] && y=eq',
    '[[ 010 -eq 8 ]] && y=oct',
    'shopt -s nocasematch',
    'shopt -u nocasematch',
    '[[ ABC == a* ]] && x=any',
  ],
  ...['case Main in main) x=m ;; *) x=o ;; esac', '[[ $y =~ ^ab ]] && n=1', 'x=$(trap "echo bye" EXIT; :)', 'x=${x,,}'],
  ...[
    'pushd sub >/dev/null',
    'popd >/dev/null',
    'pushd +1 >/dev/null',
    'x=~1',
    'cd ~1',
    'popd -n >/dev/null',
    'x=${DIRSTACK[1]}',
  ],
  ...[
    'cd sub/deep',
    'cd -  >/dev/null',
    'y=${PWD##*/}',
    'shopt -s globstar',
    'a=(**/*.txt)',
    'a=(*)',
    'x=$(shopt globstar | wc -l)',
  ],
  ...[
    'shopt -s cdable_vars',
    'where=sub; cd where',
    'alias foo=bar',
    'x=$(alias foo | wc -l)',
    'shopt -s xpg_echo',
    "x=$(echo 'a\\tb')",
  ],
  ...[
    "trap 'n=9' DEBUG",
    'x=$(set -o | wc -l)',
    'n=$((16#ff + 2#101))',
    'n=$((7 / 2 * -1 % 3))',
    'n=$((1 ? 2 : 3))',
    'n=$(( x = 4 ))',
  ],
  ...[
    "IFS=: read x y <<< 'a:b:'",
    "IFS=: read x y <<< 'a:b:c:'",
    "IFS=': ' read x y <<< ' a : b : '",
    'x=$(printf %05d -7)',
  ],
  ...[
    "while read x; do y+=$x; done < <(printf 'a\\nb')",
    'printf ab | read x || y=no',
    'read -n 1 x <<< abc',
    "read -d '' x <<< ab",
  ],
  ...[
    'shopt -s lastpipe; echo q | read x',
    'printf -v x %q "~a#b $y"',
    "printf -v x '%x %X %o|%5s|%-4d|' 255 255 8 a 3",
    'dirs -c',
  ],
  ...[
    "printf -v y '%05s|%.2s|%c%%' ab cde fg",
    'pushd sub/deep >/dev/null; popd +1 >/dev/null',
    "readarray -t -s 1 -n 1 a <<< $'1\\n2\\n3'",
  ],
];

const begun = 'n=1; x=; y=; declare -A m';
const shown = ['"$x"', '"$y"', '"$n"', '"${a[*]}"', '"${a[1]}"', '"${#a[@]}"', '"${m[a]}"', '"${m[b]}"', '"$1"'];
const values = fc
  .array(fc.constantFrom(...changes), { minLength: 1, maxLength: 6 })
  .map((lines) => [begun, ...lines, ...shown.map((word, place) => `git ${place} ${word}`)].join('\n'));

/** The calls that show the same, apart from where they stand. */
const callsOf = (calls: readonly string[][], [, place]: readonly string[]) => calls.filter((call) => call[1] === place);
const isOpen = (word: string | undefined) => word === undefined || /^(?:⟨|\?$)/.test(word);

const isNew = spawnSync('bash', ['-c', '((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501))']).status === 0;

describe('reading equals running', () => {
  it.skipIf(skipUnless(isNew, 'values are those of bash 5.1'))(
    'a value that is known is the one that bash gives',
    () => {
      fc.assert(
        fc.property(values, (source) => {
          const seen = read(source);
          for (const call of run(source)) {
            const fits = callsOf(seen, call).some((known) =>
              call.every((word, place) => known[place] === word || isOpen(known[place])),
            );
            expect(fits ? call : callsOf(seen, call), source).toEqual(call);
          }
        }),
        { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
      );
    },
  );

  it('bash runs git with the words, and in the directory, that were read', () => {
    fc.assert(
      fc.property(script, (source) => {
        expect(read(source), source).toEqual(run(source));
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
    );
  });

  it('whatever ends, leaves or leads around a command: none runs that was not read, and those that surely run do', () => {
    fc.assert(
      fc.property(flow, (source) => {
        const { sure, run: ran, possible } = counts(source);
        expect(sure, source).toBeLessThanOrEqual(ran);
        expect(possible, source).toBeGreaterThanOrEqual(ran);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
    );
  });

  it('a substitution with every byte written as an escape gives the words it spells', () => {
    fc.assert(
      fc.property(
        text.filter((value) => !value.includes('\n')),
        (value) => {
          const source = `git ${styles.at(-1)?.(value)}`;
          expect(read(source), source).toEqual(run(source));
        },
      ),
      { numRuns: 40 },
    );
  });
});
