import { curlValues, optionsOf, outputsByOption, wgetValues } from '../../shell/programs/output-options.ts';
import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, known, textOf } from '../git-command/words.ts';
import type { ChangeReader, FileChange } from './file-change.ts';

/** Into a directory every file keeps its name. */
export function landing(sources: readonly Word[], target: Word): readonly FileChange[] {
  const directory = textOf(target)?.replace(/\/$/, '');
  const inside = sources.flatMap((source) => {
    const name = textOf(source)?.replace(/\/$/, '').split('/').at(-1);
    return source === target || directory === undefined || name === undefined ? [] : [known(`${directory}/${name}`)];
  });
  return [target, ...inside].map((path) => ({ path, kind: 'write' }));
}

/** How a program is told where what it brings shall lie. */
interface Downloader {
  readonly program: string;
  /** Letters of options that take a value. */
  readonly valued: string;
  readonly output: readonly string[];
  readonly directory: readonly string[];
  /** Options with which a file gets the name that it has there; null: without any. */
  readonly keepsName: readonly string[] | null;
}

/** curl(1), wget(1). */
const curl: Downloader = {
  program: 'curl',
  valued: curlValues,
  output: ['-o', '--output'],
  directory: ['--output-dir'],
  keepsName: ['-O', '--remote-name', '--remote-name-all'],
};
const wget: Downloader = {
  program: 'wget',
  valued: wgetValues,
  output: ['-O', '--output-document'],
  directory: ['-P', '--directory-prefix'],
  keepsName: null,
};

/**
 * githooks(5). A name that comes from an address matters where it is a hook's: every other one may be any file, and wget
 * writes over none.
 */
const hookName =
  /^(?:(?:pre|post)-[a-z-]+|(?:prepare-)?commit-msg|applypatch-msg|reference-transaction|update|sendemail-validate)$/;

function downloaded({ program, valued, output, directory, keepsName }: Downloader): ChangeReader {
  return (_, words) => {
    const options = optionsOf(words, valued);
    const last = (names: readonly string[]) => options.findLast(({ name }) => names.includes(name))?.value;
    const place = last(directory);
    const below = (name: Word) => (place === undefined || isAbsolute(name) ? name : joined(place, name));
    const named = options.flatMap(({ name, value }) =>
      output.includes(name) && value !== undefined && textOf(value) !== '-' ? [value] : [],
    );
    const keeps = keepsName === null ? named.length === 0 : options.some(({ name }) => keepsName.includes(name));
    const kept = keeps ? words.flatMap((word) => hookIn(textOf(word)) ?? []) : [];
    const isDirectory = keepsName === null && place !== undefined;
    // What it writes besides (headers, cookies, a log) is not in that directory.
    const beside = outputsByOption(program, words).filter((word) => !named.some((one) => textOf(one) === textOf(word)));
    return [...(isDirectory ? [place] : []), ...[...named, ...kept.map(known)].map(below), ...beside].map((path) => ({
      path,
      kind: 'write',
    }));
  };
}

function hookIn(address: string | null): string | null {
  const name = address?.includes('/') === true ? (/([^/?#]+)(?:[?#].*)?$/.exec(address)?.[1] ?? '') : '';
  return hookName.test(name) ? name : null;
}

function isAbsolute(word: Word): boolean {
  return beginningOf(word).startsWith('/');
}

function joined(directory: Word, name: Word): Word {
  const [place, file] = [textOf(directory), textOf(name)];
  return place === null || file === null ? name : known(`${place.replace(/\/$/, '')}/${file}`);
}

/** `scp HOST:FILE… TARGET`, unless the target is elsewhere itself. @param valued letters of options with a value */
function copied(valued: string): ChangeReader {
  const takesNext = new RegExp(`^-[a-zA-Z]*[${valued}]$`);
  return (operands, words) => {
    const paths = operands.filter((path) => !takesNext.test(beginningOf(words[words.indexOf(path) - 1])));
    const target = paths.at(-1);
    return target === undefined || paths.length < 2 || isElsewhere(target)
      ? []
      : landing(paths.slice(0, -1).map(withoutHost), target);
  };
}

const isElsewhere = (word: Word) => /^[^/]*:/.test(beginningOf(word));

function withoutHost(word: Word): Word {
  const text = textOf(word);
  return text === null ? word : known(text.replace(/^[^/]*:/, '/'));
}

/** `docker cp CONTAINER:FILE TARGET`, `docker compose cp …`, `kubectl cp …`. */
export const copiedFromContainer: ChangeReader = (operands, words) => {
  const at = operands.findIndex((word) => textOf(word) === 'cp');
  const isCopy =
    at === 0 || (at === 1 && textOf(operands[0]) === 'compose') || (at === 1 && textOf(operands[0]) === 'container');
  return isCopy ? copied('n')(operands.slice(at + 1), words) : [];
};

/** Programs that write what comes from addresses and other machines. */
export const downloaders: Readonly<Record<string, ChangeReader>> = {
  curl: downloaded(curl),
  wget: downloaded(wget),
  scp: copied('cDFiJloPSX'),
  sftp: copied('BbcDFiJloPRSsX'),
};
