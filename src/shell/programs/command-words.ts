import { quoteWord } from '../../quote.ts';
import type { Call } from '../call.ts';
import { beginningOf, type Word } from '../simple-command.ts';
import { readerByName } from './file-readers.ts';

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
  return joined(argv.slice(argv.findIndex((word) => beginningOf(word) === option) + 1));
}

function joined(words: readonly Word[]): string {
  return words.map((word) => (word.kind === 'known' ? quoteWord(word.value) : word.source)).join(' ');
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

/** What starts scripts of Node: other languages by their names. */
function startedBy(file: string): string {
  return readerByName(file) ?? 'node';
}

/** nodemon(1): the program, or what `--exec` names, with the words behind it. */
const nodemon: ScriptFinder = (text, next, call) => {
  const words = call.argv.slice(1);
  const texts = words.map(beginningOf);
  const takes = /^(?:-[wediCxIL]|--(?:watch|ext|delay|ignore|exec|config|signal|cwd))$/;
  const at = texts.findIndex((word, index) => !word.startsWith('-') && !takes.test(texts[index - 1] ?? ''));
  const exec = texts.findIndex((word) => /^(?:-x|--exec)$/.test(word));
  const program = exec < 0 ? startedBy(texts[at] ?? '') : (texts[exec + 1] ?? '');
  const started = at >= 0 && text === texts[at] ? [`${program} ${joined(words.slice(at))}`] : [];
  return [...option('-x', '--exec')(text, next, call), ...started];
};

/** pm2, forever: `start PROGRAM -- WORD…`, or a command in one word. */
const started: ScriptFinder = (text, next, call) => {
  const program = text === 'start' ? beginningOf(next) : '';
  const isFile = /\.\w+$/.test(program);
  return /^[\w./-]+$/.test(program)
    ? [
        `${isFile ? `${startedBy(program)} ` : ''}${program} ${call.argv.some((word) => beginningOf(word) === '--') ? wordsAfter('--', call) : ''}`,
      ]
    : gitWords(text, next, call);
};

/** Words behind a `--` of its own. */
const behindDashes: ScriptFinder = (text, _, call) => (text === '--' ? [wordsAfter('--', call)] : []);

/** Programs that are given a command as words of their own, or as one word: a row each. */
export const commandWordPrograms: readonly (readonly [string, ScriptFinder])[] = [
  ...['cmd', 'cmd.exe'].map((name): [string, ScriptFinder] => [name, rest('/c', '/C', '/k')]),
  ...['xterm', 'uxterm', 'urxvt', 'rxvt', 'konsole', 'alacritty', 'foot', 'st', 'xfce4-terminal'].map(
    (name): [string, ScriptFinder] => [name, rest('-e', '-x', '--command')],
  ),
  ['nodemon', nodemon],
  ['pm2', started],
  ['forever', started],
  ['onchange', behindDashes],
  ['chokidar', option('-c', '--command')],
  ...['sem', 'multitail', 'tsp', 'viddy', 'dialog'].map((name): [string, ScriptFinder] => [name, gitWords]),
  ['sops', sops],
  ['start-stop-daemon', daemon],
  ['ansible', ansible],
];
