import { quoteWord } from '../quote.ts';
import type { Call } from './call.ts';
import { beginningOf, type Word } from './simple-command.ts';

/** Takes the scripts for `sh` out of one word of a program; the next word is the value of an option that has it apart. */
export type ScriptFinder = (text: string, next: Word | undefined, call: Call) => readonly (string | Word)[];

/** An option whose value is a command: `--to-command=x`, `--to-command x`, `-e x`, `-ex`. */
export function option(...names: readonly string[]): ScriptFinder {
  return (text, next) => {
    for (const name of names) {
      if (text === name) {
        return next === undefined ? [] : [next];
      }
      const attached = name.startsWith('--') ? `${name}=` : name;
      if (text.startsWith(attached) && (name.startsWith('--') || !text.startsWith('--'))) {
        return [text.slice(attached.length)];
      }
    }
    return [];
  };
}

/** The program and its words that an option hands over. */
export function wordsAfter(option: string, { argv }: Call): string {
  const at = argv.findIndex((word) => beginningOf(word) === option);
  return argv
    .slice(at + 1)
    .map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source))
    .join(' ');
}

/** The rest of the words is a command, or one word that is a whole one: `xterm -e git push`, `xterm -e 'git push'`. */
function rest(...names: readonly string[]): ScriptFinder {
  return (text, next, call) => {
    const at = names.includes(text) ? call.argv.findIndex((word) => beginningOf(word) === text) : -1;
    if (at < 0 || next === undefined) {
      return [];
    }
    const isLast = at + 2 === call.argv.length;
    return [isLast ? next : wordsAfter(text, call)];
  };
}

/** A command of git among the words, apart or as one word. */
const gitWords: ScriptFinder = (text, _, call) => {
  if (/^(?:\/\S*\/)?git$/.test(text)) {
    return [`${text} ${wordsAfter(text, call)}`];
  }
  return /^\s*(?:\w+=\S*\s+)*(?:\/\S*\/)?git\s+\S/.test(text) ? [text] : [];
};

/** sops(1) `exec-env FILE COMMAND`: the last word is a command. */
const sops: ScriptFinder = (text, _, { argv }) => (/^exec-(?:env|file)$/.test(text) ? argv.slice(-1) : []);

/** start-stop-daemon(8): the program is named by an option, its words come last. */
const daemon: ScriptFinder = (text, next, call) =>
  /^(?:-x|--exec|-a|--startas)$/.test(text) && next?.kind === 'known'
    ? [`${quoteWord(next.value.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, ''))} ${wordsAfter('--', call)}`]
    : [];

/** ansible(1): on this machine; what others run is none of this repository's. */
const ansible: ScriptFinder = (text, next, call) =>
  call.argv.some((word) => /^(?:localhost|127\.0\.0\.1|local|--connection=local)\b/.test(beginningOf(word)))
    ? option('-a', '--args')(text, next, call)
    : [];

/** Programs that are given a command as words of their own, or as one word: a row each. */
export const commandWordPrograms: readonly (readonly [string, ScriptFinder])[] = [
  ...['cmd', 'cmd.exe'].map((name): [string, ScriptFinder] => [name, rest('/c', '/C', '/k')]),
  ...['xterm', 'uxterm', 'urxvt', 'rxvt', 'konsole', 'alacritty', 'foot', 'st', 'xfce4-terminal'].map(
    (name): [string, ScriptFinder] => [name, rest('-e', '-x', '--command')],
  ),
  ...['sem', 'multitail', 'pm2', 'forever', 'tsp', 'viddy', 'dialog'].map((name): [string, ScriptFinder] => [
    name,
    gitWords,
  ]),
  ['sops', sops],
  ['start-stop-daemon', daemon],
  ['ansible', ansible],
];
