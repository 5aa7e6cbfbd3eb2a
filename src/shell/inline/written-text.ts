import { InlineFunctions } from './inline-functions.ts';
import { interpolatedText } from './interpolated-call.ts';
import type { OpenText } from './source/argument.ts';
import { readArgument } from './source/arguments.ts';
import type { Language } from './source/languages.ts';

/** The text that an expression of a program is, as far as it is known; null where it is none. */
export function writtenText(written: string, language: Language, functions: InlineFunctions): OpenText | null {
  const literal = InlineFunctions.reads(language) ? null : readArgument(written, /(?!)/);
  if (literal?.kind !== 'text') {
    return functions.textOf(written);
  }
  const open = interpolatedText(language, literal.text.join(''));
  return open !== null && 'script' in open ? open.script : literal.text;
}
