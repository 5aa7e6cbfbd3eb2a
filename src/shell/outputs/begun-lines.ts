import type { UnknownWord } from '../simple-command.ts';
import { awkFields } from './field-filters.ts';
import { edited, readSed } from './sed.ts';
import { grepped, greppedFiles, linesOf } from './text-filters.ts';

/**
 * What a filter prints of an input of which only the first lines are known: where it takes no others than these. Null:
 * it may print more, or is none.
 *
 * @param args what follows the program's name
 */
export function ofBegunLines(program: string, args: readonly string[], input: UnknownWord | null): string | null {
  const text = input?.prefix.slice(0, input.prefix.lastIndexOf('\n') + 1) ?? '';
  if (input === null || text === '') {
    return null;
  }
  const mark = input.onlyFirst;
  const marks = (pattern: string) => mark !== undefined && isMarked(pattern, mark);
  switch (program) {
    case 'head':
      return firstLines(/^-(?:n ?)?(\d+)$/.exec(args.join(' ')), text);
    case 'grep':
    case 'egrep': {
      const isPlain = args.every((arg) => !/^-\w*v/.test(arg)) && greppedFiles(args).length === 0;
      return isPlain && args.some(marks) ? grepped(args, text, program === 'egrep') : null;
    }
    case 'sed':
      return ofSed(args, text, marks);
    case 'awk': {
      const number = /^\s*NR ?== ?(\d+)/.exec(args.at(-1) ?? '')?.[1];
      const isFirst = number !== undefined && Number(number) <= linesOf(text).length;
      return isFirst || marks(/^\s*\/((?:[^/\\]|\\.)+)\/ ?\{/.exec(args.at(-1) ?? '')?.[1] ?? '')
        ? awkFields(args, text)
        : null;
    }
    default:
      return null;
  }
}

/** Is something only found where the mark is? */
function isMarked(pattern: string, mark: string): boolean {
  return !pattern.includes('|') && pattern.replaceAll('\\.', '.').includes(mark);
}

function ofSed(args: readonly string[], text: string, marks: (pattern: string) => boolean): string | null {
  const call = readSed(args);
  if (call === null || call.inPlace || call.files.length > 0) {
    return null;
  }
  const [script, isOne] = [call.script.trim(), !/[;\n]/.test(call.script)];
  if (call.quiet && isOne && marks(script)) {
    return edited(call, text);
  }
  const number = call.quiet ? /^(?:1,)?(\d+)(?:p|\{ ?p; ?q;? ?\})$/.exec(script) : /^(\d+)q;?$/.exec(script);
  const first = firstLines(number, text);
  // `-n 2p`: the last of them alone.
  return first === null || !call.quiet || script.startsWith('1,') ? first : `${linesOf(first).at(-1) ?? ''}\n`;
}

/** As many lines as the expression has found. */
function firstLines(count: RegExpExecArray | null, text: string): string | null {
  const lines = linesOf(text);
  const number = Number(count?.[1] ?? 0);
  return number === 0 || number > lines.length ? null : `${lines.slice(0, number).join('\n')}\n`;
}
