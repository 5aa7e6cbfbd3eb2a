import type { SourceArgument } from './argument.ts';
import type { OpenCommand, OpenWord } from './open-command.ts';

/** The words behind a program, in JavaScript a list of their own; null where options stand in their place, or nothing. */
export function wordsIn(argument: SourceArgument | undefined): readonly SourceArgument[] | null {
  switch (argument?.kind) {
    case 'list':
      return argument.items;
    case 'name':
      return [{ ...argument, isSpread: true }];
    case 'other':
      return /^(?:\{|\(|function\b|async\b|Object\.assign|[\w$]+\s*=>)/.test(argument.written)
        ? null
        : [{ kind: 'name', name: argument.written, isSpread: true }];
    default:
      return null;
  }
}

/** Up to the arguments of a function of Python that is given a program's words, not a text for a shell. */
export const takesWords =
  /\b(?:create_subprocess_exec|(?:exec|spawn)[lv]p?e?|posix_spawnp?)\s*\((?:\s*(?:os\s*\.\s*)?P_\w+\s*,)?\s*$/;

/**
 * The words that such a function is given. Those of os are told the program twice: the file, and what it is called.
 *
 * @param caller what stands before the arguments
 */
export function startedWords(given: readonly SourceArgument[], caller: string): readonly SourceArgument[] {
  const [program, ...others] = given.filter(
    (one) => one.kind !== 'other' || !/^(?:\w+\s*=(?!=)|\*\*)/.test(one.written),
  );
  const [list] = others;
  if (program === undefined || caller.includes('create_subprocess_exec')) {
    return program === undefined ? [] : [program, ...others];
  }
  if (list?.kind === 'list') {
    return program.kind === 'text' ? [program, ...list.items.slice(1)] : list.items;
  }
  const isOpen = list?.kind === 'name' && (list.isSpread || /(?:v\w*|posix_spawnp?)\s*\(/.test(caller));
  return isOpen ? [program, { ...list, isSpread: true }] : [program, ...others.slice(1)];
}

/** The text that an argument is; null where it is none, or not all of it is known. */
export function wholeText(argument: SourceArgument | undefined): string | null {
  const parts = argument?.kind === 'text' ? argument.text : [{ expression: '' }];
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

/** The words of one program; null where that is not known. */
export function asCommand(items: readonly SourceArgument[]): OpenCommand | null {
  const [program] = items;
  if (program?.kind !== 'text' || program.text.some((part) => typeof part !== 'string')) {
    return null;
  }
  return {
    words: items.map((item): OpenWord => {
      switch (item.kind) {
        case 'text':
          return { text: item.text };
        case 'name':
          return item.isSpread ? { several: item.name } : { text: [{ expression: item.name }] };
        default:
          return { text: [{ expression: item.kind === 'other' ? item.written : '[…]' }] };
      }
    }),
  };
}
