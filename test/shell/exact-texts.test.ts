import { spawnSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactTexts } from '../../src/shell/inline/source/exact-texts.ts';
import { skipUnless } from '../skip.ts';

/** Statements of JavaScript in which the next thing that looks like a text may be none. */
const scripts = [
  "x = 'a';",
  'x = "b\\"c";',
  "x = 'd\\'hit()';",
  'x = "hit()";',
  'x = `e${1}hit()`;',
  'x = `f${`g${hit()}`}"`;',
  'x = `${hit()}${"}"}`;',
  'x = /[\'"]/;',
  'x = /"/.test("hit()");',
  'x = [/`/, /\\//];',
  'x = 4 / 2;',
  'x = (1) / 2 / 3;',
  'if (1) /"/.test(y);',
  'x = y++ / 2;',
  "x = y++ / 1 + '/' / 1;",
  'x = {} / 1;',
  '{ } /"/.test(y);',
  'x = [1] / 1 / 1;',
  "x = typeof /'/;",
  "x = '//';",
  'x = "/*";',
  "// it's hit()\n",
  '/* " hit() */',
  '/* `\n */',
  "/*/ ' hit() */",
  '/**/',
  'x = () => /"/;',
  "x = s => /'/.test(s);",
  "x = { in: 4, of: 2 }.in / 2; x = '/';",
  "x = { of: 2 }?.of / 2; x = '/';",
  'of = 2; x = of / 2; x = "/";',
  "x = [.../'/.source];",
  "x = 1. / 2; x = '/';",
  "x = 2 - /'/.lastIndex;",
  'x = y\n/1/ 1;',
  'x = y > /"/;',
  'x = "a\\\nhit()";',
  'x = `\n"`;',
  "x = 1 //'\n;",
  'hit();',
  'hit(), hit();',
  'x = { a: hit(), "b": 1 };',
];

const programs = [
  "x = 'a'",
  'x = "b\\"hit()"',
  "x = r'\\'; x = 'hit()'",
  "x = '''c'hit()\n\"'''",
  'x = """d"hit()"""',
  "x = f'{hit()}'",
  'x = f"{1:\'>3}"',
  'x = f"{1:\'>3}"; hit(); x = f"{1:\'>3}"',
  "x = f'{{hit()}}'",
  'x = f\'{hit() or "a"}\'',
  "x = f'{1!r:{2}}'",
  "x = f'''{hit()}\n'''",
  'x = rb"\\""',
  'x = f"\\{hit()}"',
  'x = Rf"\\{hit()}\\""',
  "x = f'\\N{BULLET}{hit()}'",
  "x = 1 # \u2028'''",
  "x = f'{1:{hit() or 2}}'",
  "x = 1 # it's hit()",
  'x = "#"; hit()',
  "x = 'a' 'hit()'",
  'x = 1 \\\n  + 1',
  'x = {"a": hit()}',
  "x = 'a' if hit() else'b'",
  'hit()',
  'hit(); hit()',
];

/** Each call in the source with a number of its own. */
function numbered(source: string): { readonly source: string; readonly at: ReadonlyMap<number, number> } {
  const at = new Map<number, number>();
  let text = '';
  for (const [index, part] of source.split('hit()').entries()) {
    if (index > 0) {
      at.set(index, text.length);
      text += `hit(${index})`;
    }
    text += part;
  }
  return { source: text, at };
}

const callsOfScript = (source: string): readonly number[] => {
  const calls: number[] = [];
  const hit = (number: number) => calls.push(number);
  runInContext(source, createContext({ x: 0, y: 1, hit }));
  return calls;
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

const runner = `
import json, sys
answers = []
for source in json.load(sys.stdin):
    calls = []
    try:
        exec(source, {'hit': calls.append})
    except SyntaxError:
        calls = None
    answers.append(calls)
print(json.dumps(answers))`;

describe('the texts of a program', () => {
  it('are what JavaScript takes for texts: no call that runs stands in one', () => {
    const source = fc
      .array(fc.tuple(fc.constantFrom(...scripts), fc.constantFrom(' ', '\n')), { minLength: 1, maxLength: 8 })
      .map((parts) => numbered(parts.map(([statement, blank]) => statement + blank).join('')));
    let read = 0;
    fc.assert(
      fc.property(source, (program) => {
        const exact = exactTexts(program.source, false);
        const calls = callsOfScript(program.source);
        if (exact !== null) {
          read += 1;
          const inTexts = [...program.at].filter(([, position]) => exact.marks[position]).map(([number]) => number);
          expect(inTexts, program.source).toEqual([...program.at.keys()].filter((number) => !calls.includes(number)));
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 2000) },
    );
    expect(read).toBeGreaterThan(500);
  });

  it.skipIf(skipUnless(hasPython, 'python3 tells which calls run'))(
    'are what Python takes for texts: no call that runs stands in one',
    () => {
      const source = fc
        .array(fc.constantFrom(...programs), { minLength: 1, maxLength: 6 })
        .map((lines) => numbered(`${lines.join('\n')}\n`));
      const sources = fc.sample(source, Number(process.env.FUZZ_RUNS ?? 2000));
      const { stdout } = spawnSync('python3', ['-c', runner], {
        input: JSON.stringify(sources.map((program) => program.source)),
        encoding: 'utf8',
      });
      const answers = JSON.parse(stdout) as readonly (readonly number[] | null)[];
      const wrong = sources.flatMap((program, index) => {
        const exact = exactTexts(program.source, true);
        const calls = answers[index];
        const inTexts = [...program.at].filter(([, position]) => exact?.marks[position]).map(([number]) => number);
        const silent = [...program.at.keys()].filter((number) => !calls?.includes(number));
        return exact === null || calls === null || inTexts.join() === silent.join() ? [] : [program.source];
      });
      expect(wrong).toEqual([]);
      expect(sources.filter((program) => exactTexts(program.source, true) !== null).length).toBeGreaterThan(500);
    },
  );
});
