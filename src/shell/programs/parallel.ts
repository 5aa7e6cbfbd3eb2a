import { quoteWord, singleQuoted } from '../../quote.ts';
import { type Call, framed, type ProgramReader, type Shell, through } from '../call.ts';
import { either } from '../shell-state.ts';
import { knownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { joinWords } from '../words/read-again.ts';
import { runCommandString } from './shell-invocation.ts';

const maximumCalls = 100;
/** parallel(1): options whose value is the next word. */
const valuedOptions = new Set(
  [
    '-j --jobs -P --max-procs -S --sshlogin --slf --sshloginfile -a --arg-file -d --delimiter -n --max-args -N',
    '--max-replace-args -L --max-lines -s --max-chars -I --env --joblog --results --res --timeout --delay --colsep -C',
    '--wd --workdir --tmpdir --tempdir --retries --halt --halt-on-error --load --memfree --memsuspend --nice --tagstring',
    '--basefile --bf --trc --transferfile --tf --return --shellquote --rpl --plus --profile -J --seqreplace --slotreplace',
    '--arg-sep --arg-file-sep -E --eof --block --recstart --recend --header --limit --semaphorename --id',
  ].flatMap((names) => names.split(' ')),
);
/** `{}`, `{2}`, `{1/.}`: the input, changed as the letters behind its number say; `{#}`, `{%}`: numbers of the job. */
const replacement = /\{(\d*)(\.|\/{1,2}|\/\.|[#%])?\}/g;

/** What one start of the command is given. */
type Inputs = readonly Word[];

const unknownInput = unknownWord('parallel input', 'what parallel reads is not known');

/** GNU `parallel`: a command line for the shell, once for every input of `:::` or of a line that it reads. */
export const runParallel: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1);
  const marks = words.flatMap((word, at) => (/^:::/.test(textOf(word)) ? [at] : []));
  const { options, command } = splitOptions(words.slice(0, marks[0] ?? words.length));
  const sources = marks.map((mark, at) => readSource(words.slice(mark, marks[at + 1])));
  const single = sources.length === 0 ? readLines(call, options) : sources.reduce(withSource, [[]]);
  const inputs = single === null ? null : grouped(single, options);
  if (command.length === 0 && inputs === null) {
    shell.emitUnreadable(call, 'script', 'what parallel reads is not known');
    return either(call.state);
  }
  const braces = options.get('-I') ?? '{}';
  const template = command.map((word) =>
    word.kind === 'known' ? knownWord(word.value.replaceAll(braces, '{}')) : word,
  );
  const inner = { ...call, frame: framed(through(call.frame, 'parallel'), { input: null }) };
  const quotes = options.has('-q') || options.has('--quote');
  for (const [at, one] of (inputs ?? [[unknownInput]]).slice(0, maximumCalls).entries()) {
    runOne(inner, quotes ? template.map(quoted) : template, { inputs: one, job: at + 1 }, shell);
  }
  return either(call.state);
};

interface Job {
  readonly inputs: Inputs;
  /** Counts from 1. */
  readonly job: number;
}

function runOne(call: Call, command: readonly Word[], { inputs, job }: Job, shell: Shell): void {
  const isPlaced = command.some((word) => textOf(word).search(replacement) >= 0);
  // It quotes what it puts in: an input that is not known is one word, whatever it is.
  const put = (input: Word, at: number, change = '') =>
    input.kind === 'unknown'
      ? `"$${at + 1}"`
      : command.length === 0
        ? input.value
        : singleQuoted(changed(input.value, change));
  const filled = (text: string) =>
    text.replace(replacement, (_, number: string, change = '') => {
      if (change === '#' || change === '%') {
        return String(job);
      }
      const one = inputs[Number(number) - 1] ?? knownWord('');
      return number === ''
        ? inputs.map((input, at) => put(input, at, change)).join(' ')
        : put(one, Number(number) - 1, change);
    });
  const line = command.map((word) => (word.kind === 'known' ? knownWord(filled(word.value)) : word));
  const appended = isPlaced ? [] : inputs.map((input, at) => knownWord(put(input, at)));
  const isOpen = inputs.some(({ kind }) => kind === 'unknown');
  runCommandString(call, shell, 'sh -c', joinWords([...line, ...appended]), isOpen ? [knownWord('sh'), ...inputs] : []);
}

/** parallel(1) "replacement strings". */
function changed(value: string, change: string): string {
  const name = value.slice(value.lastIndexOf('/') + 1);
  switch (change) {
    case '.':
      return value.replace(/\.[^./]*$/, '');
    case '/':
      return name;
    case '//':
      return value.includes('/') ? value.slice(0, value.lastIndexOf('/')) : '.';
    case '/.':
      return name.replace(/\.[^.]*$/, '');
    default:
      return value;
  }
}

interface Source {
  readonly words: Inputs;
  /** `:::+`: with the inputs of the source before it, one for one. */
  readonly isLinked: boolean;
}

function readSource([mark, ...words]: readonly Word[]): Source {
  const text = textOf(mark);
  // `::::`: the lines of files.
  return { words: text.startsWith('::::') ? words.map(() => unknownInput) : words, isLinked: text.endsWith('+') };
}

function withSource(before: readonly Inputs[], { words, isLinked }: Source): readonly Inputs[] {
  return isLinked
    ? before.slice(0, words.length).map((inputs, at) => [...inputs, words[at] ?? unknownInput])
    : before.flatMap((inputs) => words.map((word) => [...inputs, word])).slice(0, maximumCalls);
}

/** parallel(1) "-N", "-X": several inputs for one start. */
function grouped(inputs: readonly Inputs[], options: ReadonlyMap<string, string>): readonly Inputs[] {
  const isAll = ['-X', '-m', '--xargs'].some((name) => options.has(name));
  const named = ['-N', '-n', '--max-args', '--max-replace-args'].map((name) => Number(options.get(name)));
  const size = isAll ? inputs.length : (named.find((number) => number > 1) ?? 1);
  return inputs.flatMap((_, at) => (at % size === 0 ? [inputs.slice(at, at + size).flat()] : []));
}

function splitOptions(words: readonly Word[]) {
  const options = new Map<string, string>();
  let index = 0;
  for (; index < words.length; index += 1) {
    const text = textOf(words[index]);
    if (!text.startsWith('-')) {
      break;
    }
    const [, option = text, attached = textOf(words[index + 1])] = /^(-[INn])(.+)$/.exec(text) ?? [];
    options.set(option, attached);
    index += valuedOptions.has(text) ? 1 : 0;
  }
  return { options, command: words.slice(index) };
}

function readLines(call: Call, options: ReadonlyMap<string, string>): readonly Inputs[] | null {
  const isFile = options.has('-a') || options.has('--arg-file');
  const lines = isFile ? undefined : call.frame.input?.drain()?.split('\n');
  return lines?.filter((line) => line !== '').map((line) => [knownWord(line)]) ?? null;
}

function quoted(word: Word): Word {
  return word.kind === 'known' ? knownWord(quoteWord(word.value)) : word;
}

function textOf(word: Word | undefined): string {
  return word?.kind === 'known' ? word.value : '';
}
