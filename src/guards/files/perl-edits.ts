import type { Word } from '../../shell/simple-command.ts';
import { textOf } from '../git-command/words.ts';

/** Options that leave lines as they are, and the program behind them or attached to them: perlrun(1). */
const option = /^-(?:0(?:777)?)?([wp]*)(?:(i)(?:\.\w+)?|(e)(.*))?$/s;

/** A substitution whose pattern means the same in every language, and where it does no other thing. */
const plainSubstitution = /^s([/|#,])((?:(?!\1)[\w .:-]|\\[./])+)\1(?:(?!\1)[\w .:/-])*\1(g?i?);?$/;

/**
 * `perl -pi -e s/a/b/ FILE…`: a file without the one does not change. It surely becomes another one where not every line is
 * printed again, or where a module or another option may do anything.
 *
 * @param words what follows the program's name
 * @returns does it leave a file with this text as it is?
 */
export function leftByPerl(words: readonly Word[]): (text: string) => boolean {
  const program = printingProgram(words);
  const [, , pattern, flags = ''] = plainSubstitution.exec(program ?? '') ?? [];
  const expression = pattern === undefined ? null : new RegExp(pattern, flags.replace('g', ''));
  return (text) => expression?.test(text) === false;
}

/** The one program of a call that prints every line again; null: it is another kind of call. */
function printingProgram(words: readonly Word[]): string | null {
  const programs: (string | null)[] = [];
  let letters = '';
  for (let at = 0; at < words.length; at += 1) {
    const text = textOf(words[at]);
    if (text?.startsWith('-') !== true || text === '--') {
      break;
    }
    const [whole, plain = '', inPlace = '', execute, attached = ''] = option.exec(text) ?? [];
    if (whole === undefined) {
      return null;
    }
    letters += plain + inPlace;
    if (execute !== undefined) {
      at += attached === '' ? 1 : 0;
      programs.push(attached || textOf(words[at]));
    }
  }
  const [program = null, ...others] = programs;
  return letters.includes('p') && others.length === 0 ? program : null;
}
