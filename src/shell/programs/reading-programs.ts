import { listedWords } from '../../listed-words.ts';

/** Programs and builtins that change no file and run nothing, whatever they are given. */
export const readingPrograms: ReadonlySet<string> = new Set(
  listedWords(`: [ basename cat cd cut date diff dirname echo egrep false fgrep grep head hostname id jq ls printf pwd readlink
  realpath stat tail test tr true type uname wc which whoami`),
);
