import { quoteWord } from '../../quote.ts';

/** A task's commands, in a directory of its own. What comes behind them stands where it stood before. */
export function inDirectory(script: string, directory: string | null | undefined): string {
  return directory === null || directory === undefined ? script : `(\n${movedTo(script, directory)}\n)`;
}

/** The same, where nothing comes behind them but words for the last one. Task and tox make a directory that is not there. */
export function movedTo(script: string, directory: string | null): string {
  return directory === null ? script : `mkdir -p ${quoteWord(directory)} && cd ${quoteWord(directory)}\n${script}`;
}
