import { type Call, framed, type ProgramReader, type Shell, through } from '../call.ts';
import { changed, either, type ShellState } from '../shell-state.ts';
import { beginningOf, type Directory, knownWord, programName, type Word } from '../simple-command.ts';
import { joinWords } from '../words/read-again.ts';
import { withoutClientOptions } from './client-options.ts';

/** Options of ssh(1) with a value. */
const valued = 'BbcDEeFIiJLlmOopPQRSWw';
const thisMachine = /^(?:[^@]*@)?(?:localhost|127\.0\.0\.1|\[?::1\]?)$/;

/** What follows a program's options: the machine, then the words that it runs. */
function operandsOf(words: readonly Word[], letters: string): readonly Word[] {
  let index = 0;
  for (; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    if (!/^-./.test(text) || text === '--') {
      break;
    }
    const at = [...text.slice(1)].findIndex((letter) => letters.includes(letter));
    index += at >= 0 && at === text.length - 2 ? 1 : 0;
  }
  return words.slice(beginningOf(words[index]) === '--' ? index + 1 : index);
}

/** A script whose variables are another machine's after this one's: only what is written out counts. */
function scriptOf(words: readonly Word[]): string | null {
  const whole = joinWords(words);
  if (whole.kind === 'known') {
    return whole.value;
  }
  const [only] = words;
  const isOpen = words.length === 1 && only?.kind === 'unknown' && only.prefix + only.suffix === '';
  return isOpen
    ? null
    : words.map((word) => (word.kind === 'known' ? word.value : word.source.replace(/^"([\s\S]*)"$/, '$1'))).join(' ');
}

/** Runs what another machine would run, in a directory of which nothing is known here. */
function runElsewhere(
  label: string,
  machine: Word | undefined,
  words: readonly Word[],
  call: Call,
  shell: Shell,
): void {
  const isHere = machine?.kind === 'known' && thisMachine.test(machine.value);
  const home = shell.environment.HOME;
  const cwd: Directory =
    isHere && home !== undefined
      ? { kind: 'known', path: home }
      : { kind: 'unknown', reason: 'it is on another machine', isElsewhere: true };
  const state: ShellState = changed(call.state, {
    cwd,
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
  });
  const script = words.length === 0 ? (call.frame.input?.rest() ?? null) : scriptOf(words);
  if (script === null || script.trim() === '') {
    return;
  }
  const frame = framed(through(call.frame, label), { output: null });
  const process = { label, name: knownWord('sh'), positional: [] };
  shell.runProcess({ ...call, state, frame }, script, words.length === 0 ? { ...process, input: null } : process);
}

/** `ssh HOST COMMAND…`: the words are joined and read by the shell of that machine. */
const secureShell: ProgramReader = (call, shell) => {
  const [machine, ...words] = operandsOf(call.argv.slice(1), valued);
  runElsewhere('ssh', machine, words, call, shell);
  // Its options may name programs that run here.
  return null;
};

/** `kubectl exec POD -- COMMAND…`: the words as they are. */
const inPod: ProgramReader = (call, shell) => {
  const words = withoutClientOptions(programName(call.argv[0]) ?? '', call.argv.slice(1));
  const at = words.findIndex((word) => beginningOf(word) === '--');
  if (beginningOf(words[0]) !== 'exec' || at < 0) {
    return null;
  }
  shell.emitCommand(call);
  const cwd: Directory = { kind: 'unknown', reason: 'it is on another machine', isElsewhere: true };
  const state = changed(call.state, { cwd });
  shell.run({ ...call, argv: words.slice(at + 1), state, frame: through(call.frame, 'exec'), lookup: 'programs' });
  return either(call.state);
};

/** Programs that open a shell on another machine: the words that say so, and the option that has the command. */
const consoles: readonly (readonly [program: string, verbs: RegExp, option: RegExp | null])[] = [
  ['gh', /^(?:cs|codespace) ssh$/, null],
  ['gcloud', /^compute ssh$/, /^--command(?:=(.*))?$/s],
  ['fly', /^ssh console$/, /^(?:-C|--command)(?:=(.*))?$/s],
  ['flyctl', /^ssh console$/, /^(?:-C|--command)(?:=(.*))?$/s],
  ['heroku', /^run .*$/, null],
];

const openConsole =
  (program: string, verbs: RegExp, option: RegExp | null): ProgramReader =>
  (call, shell) => {
    const [first, second, ...rest] = call.argv.slice(1);
    if (!verbs.test(`${beginningOf(first)} ${beginningOf(second)}`)) {
      return null;
    }
    const at = option === null ? -1 : rest.findIndex((word) => option.test(beginningOf(word)));
    const attached = option?.exec(beginningOf(rest[at]))?.[1];
    const value = attached === undefined ? rest[at + 1] : knownWord(attached);
    const given = operandsOf(program === 'heroku' ? call.argv.slice(2) : rest, 'ca').filter(
      (word) => beginningOf(word) !== '--',
    );
    const words = option === null ? given : at < 0 || value === undefined ? [] : [value];
    runElsewhere(program, undefined, words, { ...call, frame: framed(call.frame, { input: null }) }, shell);
    return null;
  };

/** Rows for the table of carriers; before those that read the options of the same programs. */
export const otherMachines: readonly (readonly [string, ProgramReader])[] = [
  ['ssh', secureShell],
  ['autossh', secureShell],
  ['mosh', secureShell],
  ['kubectl', inPod],
  ['oc', inPod],
  ...consoles.map(([program, verbs, option]): [string, ProgramReader] => [
    program,
    openConsole(program, verbs, option),
  ]),
];
