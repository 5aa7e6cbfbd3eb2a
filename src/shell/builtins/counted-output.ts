import { beginningOf, programName, type SimpleCommand, type Word } from '../simple-command.ts';

/** The command whose output was counted, as a whole, or that counts by itself; null: the word is no such number. */
export function countedBy(word: Word): SimpleCommand | null {
  if (word.kind === 'unknown' && word.countOf !== undefined && word.prefix + word.suffix === '') {
    return word.countOf;
  }
  const printer = word.kind === 'unknown' && word.prefix + word.suffix === '' ? word.printedBy : undefined;
  return printer === undefined ? null : countedOf(printer);
}

/** Programs that count lines, words or characters, by the words with which they count all of their input. */
const counters: ReadonlyMap<string, RegExp> = new Map([
  ['wc', /^(?:-[lwcm]|--(?:lines|words|bytes|chars))$/],
  ['grep', /^(?:-c|--count) ?(?:\.|\^)?$/],
  ['awk', /^ ?END ?\{ ?print ?\(?NR\)? ?;? ?\}$/],
]);

/** Programs that print a number again that they read, without the blanks that stand around it. */
const trimmers: ReadonlyMap<string, RegExp> = new Map([
  ['cat', /^$/],
  ['tr', /^(?:-d (?:(?: |\n|\\n|\\t|\\r)+|\[:(?:space|blank):\](?:\\n)?)|-(?:dc|cd) (?:0-9|\[:digit:\])(?:\\n)?)$/],
  ['sed', /^(?:-E |-r )?s\/(?:\^? |\^?\[\[:(?:space|blank):\]\]|\^?\\s)[*+]?\/\/g?$/],
  ['awk', /^\{ ?print \$1 ?;? ?\}$/],
]);

function countedOf(command: SimpleCommand): SimpleCommand | null {
  const program = programName(command.argv[0]) ?? '';
  const [, ...words] = command.argv;
  const [first, ...others] = words;
  if (program === 'git') {
    return isCounting(words) ? command : null;
  }
  if (program === 'echo' && first !== undefined && others.length === 0) {
    return countedBy(first);
  }
  const { input } = command;
  const printer = input?.kind === 'unknown' && input.begins === undefined ? input.printedBy : undefined;
  const said = words.every(({ kind }) => kind === 'known') ? words.map(beginningOf).join(' ') : null;
  if (printer === undefined || said === null) {
    return null;
  }
  if (trimmers.get(program)?.test(said) === true) {
    return countedOf(printer);
  }
  if (program === 'grep' && /^(?:-[vEFGiwx]*c[vEFGiwx]*|--count) \S/.test(said) && words.length === 2) {
    // It counts those that it would print.
    return command;
  }
  // `-z` ends no line.
  const endsLines = !printer.argv.some((argument) => beginningOf(argument) === '-z');
  return endsLines && counters.get(program)?.test(said) === true ? printer : null;
}

/** `git rev-list --count origin/main..HEAD`; with `--left-right` it prints several numbers. */
function isCounting([subcommand, ...words]: readonly Word[]): boolean {
  const options = words.map(beginningOf);
  return (
    subcommand?.kind === 'known' &&
    subcommand.value === 'rev-list' &&
    options.includes('--count') &&
    !options.includes('--left-right')
  );
}
