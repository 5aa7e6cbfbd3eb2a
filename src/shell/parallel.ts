import { singleQuoted } from '../quote.ts';
import { type Call, type ProgramReader, through } from './call.ts';
import { unknownWord } from './parameter.ts';
import { runCommandString } from './shell-invocation.ts';
import { either } from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';
import { joinWords } from './wrapper-reading.ts';

const maximumCalls = 100;
const valuedOptions = new Set([
  '-j',
  '--jobs',
  '-S',
  '--sshlogin',
  '-a',
  '--arg-file',
  '-d',
  '--delimiter',
  '-n',
  '-N',
  '-L',
  '-I',
  '--joblog',
  '--results',
  '--timeout',
  '--delay',
  '--colsep',
  '-C',
  '--wd',
  '--workdir',
  '--tmpdir',
  '--retries',
  '--halt',
]);

/** GNU `parallel`: a command line for the shell, once for every input of `:::` or of a line that it reads. */
export const runParallel: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1);
  const mark = words.findIndex((word) => word.kind === 'known' && /^:::\+?$/.test(word.value));
  const command = afterOptions(mark === -1 ? words : words.slice(0, mark));
  const frame = { ...through(call.frame, 'parallel'), input: null };
  const inputs =
    mark === -1
      ? readLines(call)
      : words.slice(mark + 1).filter((word) => !(word.kind === 'known' && /^:::/.test(word.value)));
  if (command.length === 0 && inputs === null) {
    shell.emitUnreadable(call, 'script', 'what parallel reads is not known');
    return either(call.state);
  }
  for (const input of (inputs ?? [unknownWord('parallel input', 'what parallel reads is not known')]).slice(
    0,
    maximumCalls,
  )) {
    runOne({ ...call, frame }, command, input, shell);
  }
  return either(call.state);
};

function runOne(call: Call, command: readonly Word[], input: Word, shell: Parameters<ProgramReader>[1]): void {
  const placed = command.some((word) => word.kind === 'known' && /\{[./%#]*\}/.test(word.value));
  if (input.kind === 'unknown') {
    const argv = command.map((word) => (word.kind === 'known' && word.value.includes('{}') ? input : word));
    shell.run({ ...call, argv: placed ? argv : [...argv, input], lookup: 'programs' });
    return;
  }
  const quoted = command.length === 0 ? input.value : singleQuoted(input.value);
  const filled = command.map((word) =>
    word.kind === 'known' ? knownWord(word.value.replace(/\{[./%#]*\}/g, () => quoted)) : word,
  );
  runCommandString(call, shell, 'sh -c', joinWords(placed ? filled : [...filled, knownWord(quoted)]), []);
}

function afterOptions(words: readonly Word[]): readonly Word[] {
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index];
    if (word?.kind !== 'known' || !word.value.startsWith('-')) {
      break;
    }
    index += valuedOptions.has(word.value) ? 1 : 0;
  }
  return words.slice(index);
}

function readLines(call: Call): readonly Word[] | null {
  const text = call.frame.input?.drain() ?? null;
  return (
    text
      ?.split('\n')
      .filter((line) => line !== '')
      .map(knownWord) ?? null
  );
}
