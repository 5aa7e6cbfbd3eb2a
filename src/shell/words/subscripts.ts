import type { Call, ScriptShell } from '../call.ts';
import { holdsSubstitution } from './arithmetic.ts';
import { Expansion } from './word-expansion.ts';

/** Builtins that take the names of variables, and which of their words those are; bash(1) "Arrays". */
const naming: ReadonlyMap<string, (words: readonly string[]) => readonly string[]> = new Map([
  ['printf', ([option, name = '']: readonly string[]) => (option === '-v' ? [name] : [])],
  ...['test', '['].map((name): [string, (words: readonly string[]) => readonly string[]] => [
    name,
    (words) => (words.some((word) => word === '-v') ? words : []),
  ]),
  ...['read', 'unset', 'let', 'declare', 'typeset', 'local', 'readonly', 'export', 'mapfile', 'readarray', 'wait'].map(
    (name): [string, (words: readonly string[]) => readonly string[]] => [name, (words) => words],
  ),
]);

/** Runs the commands in an index that a builtin is given with a name: `unset 'a[$(…)]'`, `printf -v 'a[$(…)]' x`. */
export function runSubscripts(name: string, { argv, state, frame }: Call, shell: ScriptShell): void {
  const find = naming.get(name);
  if (find === undefined) {
    return;
  }
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  for (const word of words.some(holdsSubstitution) ? find(words) : []) {
    const [, index = ''] = /^[A-Za-z_]\w*\[(.*)\]/s.exec(word) ?? [];
    if (holdsSubstitution(index)) {
      shell.expanding(frame, () => new Expansion(shell, state).expandValue(index));
    }
  }
}
