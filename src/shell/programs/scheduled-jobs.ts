import { quoteWord } from '../../quote.ts';
import { framed, type ProgramReader, through } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { doubtful, either } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { runAsScript } from './program-script.ts';

/** A table of cron as the shell lines that it would run, one after the other: crontab(5). */
export function cronCommands(table: string): string {
  return table
    .split('\n')
    .map((line) => {
      const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) {
        return `export ${name}=${quoteWord(value.replace(/^(["'])(.*)\1$/, '$2'))}`;
      }
      const command = /^\s*(?:@\w+|(?:[\d*][^\s]*\s+){4}\S+)\s+(.*)$/.exec(line)?.[1] ?? '';
      return command.replace(/(?<!\\)%.*$/, '').replaceAll('\\%', '%');
    })
    .filter(Boolean)
    .join('\n');
}

const operandsOf = (words: readonly Word[]) =>
  words.filter((word, index) => !/^-./.test(beginningOf(word)) && !/^-u$/.test(beginningOf(words[index - 1])));

/** `crontab FILE`, `… | crontab -`: what a table says that comes with the line, run where cron runs it. */
const readCrontab: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1);
  if (words.some((word) => /^-[lre]$/.test(beginningOf(word)))) {
    return null;
  }
  const [file] = operandsOf(words);
  const path = file === undefined || beginningOf(file) === '-' ? null : resolvePath(file, call.state.cwd);
  const { input } = call.frame;
  const open = input?.known() ?? null;
  const piped = input?.rest() ?? (open === null ? '' : `${open.prefix}\n${open.suffix}`);
  const script = cronCommands(path === null ? piped : (shell.overlay.text(path) ?? ''));
  shell.emitCommand(call);
  if (script === '') {
    return either(call.state);
  }
  const home = shell.environment.HOME;
  const cwd = home === undefined ? call.state.cwd : ({ kind: 'known', path: home } as const);
  const frame = framed(through(call.frame, 'crontab'), { input: null, output: null });
  shell.runProcess({ ...call, state: { ...doubtful(call.state), cwd }, frame }, script, {
    label: 'crontab',
    name: knownWord('sh'),
    positional: [],
    input: null,
  });
  return either(call.state);
};

/** `npm config set script-shell PROGRAM`: it runs every script of every package (npm's config(7)). */
const readPackageManager: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1).map(beginningOf);
  const [first, second, ...rest] = words.filter((word) => !word.startsWith('-'));
  const pairs = first === 'config' && second === 'set' ? rest : first === 'set' ? [second ?? '', ...rest] : [];
  const at = pairs.findIndex((text) => /^(?:script-shell|git|editor|viewer)(?:=|$)/.test(text));
  const value = /=(.*)$/.exec(pairs[at] ?? '')?.[1] ?? pairs[at + 1];
  if (at < 0 || value === undefined || /^(?:\/\S*\/)?(?:ba|z|da|k)?sh(?:\.exe)?$/.test(value)) {
    return null;
  }
  const [program = 'npm'] = call.source.split(/\s/, 1);
  return runAsScript(value, `${program} config set`, call, shell);
};

/** Rows for the table of carriers: programs that are told what to run later. */
export const scheduledJobs: readonly (readonly [string, ProgramReader])[] = [
  ['crontab', readCrontab],
  ...['npm', 'pnpm', 'yarn'].map((name): [string, ProgramReader] => [name, readPackageManager]),
];
