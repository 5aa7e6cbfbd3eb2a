import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import type { ChangeReader, FileChange } from './file-change.ts';

/** Files that a program in a language of its own writes to, as its texts name them. */
function inTexts(texts: readonly string[], pattern: RegExp): readonly FileChange[] {
  return texts.flatMap((text) =>
    Array.from(text.matchAll(pattern), ([, path = '']) => ({ path: known(path.trim()), kind: 'write' }) as const),
  );
}

const textsOf = (words: readonly Word[]) => words.map((word) => textOf(word) ?? '');

/** sed(1): `w FILE`, `s/a/b/w FILE`. */
export const writtenBySed = (words: readonly Word[]) =>
  inTexts(textsOf(words), /(?:^|[;{}\n/|,#])[\d,$gpI]*w\s+([^\n;}]+)/g);

/** awk(1): `print > "FILE"`, and `print > f` where f is a text of the program or of its words. */
export const writtenByAwk: ChangeReader = (_, words) => {
  const texts = textsOf(words);
  const named = new Set(inNames(texts));
  return [
    ...inTexts(texts, />\s*"([^"]+)"/g),
    ...(named.size === 0 ? [] : valuesOf(texts)).flatMap(({ name, value }) =>
      named.has(name) ? [{ path: known(value), kind: 'write' } as const] : [],
    ),
  ];
};

/** Variables into whose files an awk program prints. */
function inNames(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/\bprintf?\b[^;}|\n>]*>>?\s*\(?([A-Za-z_]\w*)\b(?!\s*[[(])/g), ([, name = '']) => name),
  );
}

/** `-v f=FILE`, `f=FILE` among the files, `f = "FILE"` in the program. */
function valuesOf(texts: readonly string[]): readonly { readonly name: string; readonly value: string }[] {
  return texts.flatMap((text) => {
    const [, given, word] = /^(?:-v|--assign=)?([A-Za-z_]\w*)=([^=].*)$/s.exec(text) ?? [];
    const inside = Array.from(text.matchAll(/\b([A-Za-z_]\w*)\s*=\s*"([^"]+)"/g));
    return [
      ...(given === undefined || word === undefined ? [] : [{ name: given, value: word }]),
      ...inside.map(([, name = '', value = '']) => ({ name, value })),
    ];
  });
}

/** ed(1): `w FILE`, `W FILE`; not among lines that are put into the text. */
export const writtenByEd: ChangeReader = (operands, _, input) => [
  ...operands.map((path): FileChange => ({ path, kind: 'write' })),
  ...inTexts([(input ?? '').replace(/^[^\n]*[aci]\n(?:[^\n]*\n)*?\.$/gm, '')], /^[\d,.$%; ]*[wW]q?[ \t]+([^!\s].*)$/gm),
];

/** Commands of vim(1) that write a file which they name. */
const writesOf = /(?:^|[|\n:+])[\d,.$%' ]*(?:w|wr|wri|writ|write|sav|saveas|up|update|wq)!?[ \t]+([^|\n]+)/g;

/** An editor that is told what to do: `vim -es -c '%d' -c wq FILE`, `vim -c 'w! FILE'`. */
export const writtenByVim: ChangeReader = (operands, words, input) => {
  const isTold = words.some((word) => /^(?:-c|--cmd|-[a-zA-Z]*[es][a-zA-Z]*|\+.+)$/.test(textOf(word) ?? ''));
  const commands = words.filter((word, at) => beginningOf(word).startsWith('+') || textOf(words[at - 1]) === '-c');
  return !isTold || words.some((word) => textOf(word) === '-R')
    ? []
    : [
        ...operands.map((path): FileChange => ({ path, kind: 'write' })),
        ...inTexts([...textsOf(commands), input ?? ''], writesOf),
      ];
};

/** sqlite3(1): `.output FILE` and its kin. */
export const writtenBySqlite: ChangeReader = (operands, words, input) => [
  ...operands.slice(0, 1).map((path): FileChange => ({ path, kind: 'write' })),
  ...inTexts(
    [...textsOf(words), input ?? ''],
    /^\.(?:output|once|log|trace|backup|save|clone)(?:[ \t]+-\S+)*[ \t]+(?:main[ \t]+)?["']?([^\n"']+)/gm,
  ),
];
