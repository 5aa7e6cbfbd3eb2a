import type { ProgramReader } from '../call.ts';
import { beginningOf } from '../simple-command.ts';
import { runAsScript } from './program-script.ts';

/** A pattern that a shell reads as the program does. */
const plainPattern = /^[\w./*?{},![\]@+-]+$/;

/** `rimraf --glob '**\/.git'`, `del '**\/.git'`: programs of npm that look for the files of a pattern by themselves. */
const removing =
  (isAsked: (options: readonly string[]) => boolean): ProgramReader =>
  (call, shell) => {
    const words = call.argv.slice(1).map(beginningOf);
    const options = words.filter((word) => word.startsWith('-'));
    const patterns = words.filter((word) => /[*?{[]/.test(word) && plainPattern.test(word) && !word.startsWith('-'));
    return patterns.length === 0 || !isAsked(options)
      ? null
      : runAsScript(`shopt -s globstar; rm -rf ${patterns.join(' ')}`, beginningOf(call.argv[0]), call, shell);
  };

const withOption = removing((options) => options.some((option) => /^(?:-g|--glob)(?:=|$)/.test(option)));
const always = removing((options) => !options.some((option) => /^(?:-d|--dry-run)$/.test(option)));

/** Rows for the table of carriers. */
export const patternRemovers: readonly (readonly [string, ProgramReader])[] = [
  ['rimraf', withOption],
  ['del', always],
  ['del-cli', always],
];
