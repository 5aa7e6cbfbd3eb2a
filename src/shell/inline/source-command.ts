import type { OpenCommand, OpenWord } from './open-command.ts';
import type { SourceArgument } from './source-argument.ts';

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
