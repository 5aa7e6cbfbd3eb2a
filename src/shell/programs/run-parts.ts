import { quoteWord } from '../../quote.ts';
import type { ProgramReader } from '../call.ts';
import { beginningOf } from '../simple-command.ts';
import { runAsScript } from './program-script.ts';

/** Options whose value is the next word. */
const valued = /^(?:-[au]|--(?:arg|umask|regex))$/;

/** run-parts(8): every program in a directory whose name has neither a dot nor another unusual character, or fits a pattern. */
const runParts: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1).map(beginningOf);
  const isListing = words.some((word) => /^--(?:test|list|help|version)$/.test(word));
  const directory = words.find((word, index) => !word.startsWith('-') && !valued.test(words[index - 1] ?? ''));
  if (isListing || directory === undefined || directory === '') {
    return null;
  }
  const hasPattern = words.some((word) => word.startsWith('--regex'));
  const each = hasPattern ? '"$f"' : `case "\${f##*/}" in *[!A-Za-z0-9_-]*) ;; *) "$f" ;; esac`;
  return runAsScript(`for f in ${quoteWord(directory)}/*; do ${each}; done`, 'run-parts', call, shell);
};

/** A row for the table of carriers. */
export const runPartsPrograms: readonly (readonly [string, ProgramReader])[] = [['run-parts', runParts]];
