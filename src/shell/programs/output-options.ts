import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { withoutBeginning } from '../words/field.ts';
import { compilers } from './compilers.ts';

/** An option of a program, a letter of a bundle by itself. */
export interface NamedOption {
  /** `-o`, `--output` */
  readonly name: string;
  readonly value: Word | undefined;
}

/** How a program is told by options what it writes. */
interface OutputOptions {
  /** Letters of those whose value is a file that it writes. */
  readonly files: string;
  /** Letters of all that have a value, in whose place a bundle ends. */
  readonly valued: string;
  /** Long ones whose value is a file that it writes. */
  readonly long: readonly string[];
}

/** Letters of curl(1) and wget(1) that have a value. */
export const curlValues = 'AbcCdDeEFhHKmoPQrtTuUwxXyYz';
export const wgetValues = 'aBeiOoPQtTUwlADRIX';

const curlFiles = [
  ...['--output', '--dump-header', '--cookie-jar', '--trace', '--trace-ascii', '--stderr', '--etag-save', '--hsts'],
  ...['--alt-svc', '--libcurl'],
];
const dump = { files: 'f', valued: 'fdEFhjnNpStTUWZ', long: ['--file'] };

/** Programs whose options differ from what most of them mean by `-o`. */
const programs: Readonly<Record<string, OutputOptions>> = {
  sort: { files: 'o', valued: 'kSTto', long: ['--output'] },
  shuf: { files: 'o', valued: 'ino', long: ['--output'] },
  iconv: { files: 'o', valued: 'fto', long: ['--output'] },
  curl: { files: 'oDc', valued: curlValues, long: curlFiles },
  wget: {
    files: 'oOa',
    valued: wgetValues,
    long: ['--output-document', '--output-file', '--append-output', '--save-cookies', '--rejected-log'],
  },
  tree: { files: 'o', valued: 'HILPTo', long: [] },
  cpio: { files: 'OF', valued: 'CDEFHIMOR', long: ['--file'] },
  tcpdump: { files: 'w', valued: 'BcCDEFGijmMrsTVwWyzZ', long: [] },
  pg_dump: dump,
  pg_dumpall: { ...dump, valued: 'fdghlpUSW' },
  mysqldump: { files: 'r', valued: 'hPuSrTw', long: ['--result-file', '--log-error'] },
  ...Object.fromEntries(
    // `-o` is another word there: only what matches, either test, a setting, columns.
    ['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'ugrep', 'find', 'ls', 'ssh', 'ps', 'lsof', 'test', '['].map(
      (name): [string, OutputOptions] => [name, { files: '', valued: '', long: [] }],
    ),
  ),
};

/** `gpg --output=FILE`: options by which programs of all kinds are told what to write. */
const usual =
  /^(?:-o|-out|-outfile|--out|--output|--outfile|--outFile|--out-file|--output-file|--log-file|--logfile)(?:=(?=.)|$)/s;

/**
 * The files that a program is told by options to write.
 *
 * @param words what follows its name
 */
export function outputsByOption(program: string, words: readonly Word[]): readonly Word[] {
  return hasOwnOptions(program) ? ofRow(programs[program], words) : byUsualOptions(program, words);
}

/** Is it known what the program means by its options? */
export function hasOwnOptions(program: string): boolean {
  return Object.hasOwn(programs, program);
}

function ofRow(row: OutputOptions | undefined, words: readonly Word[]): readonly Word[] {
  return row === undefined || row.files === ''
    ? []
    : optionsOf(words, row.valued).flatMap(({ name, value }) =>
        value !== undefined && namesOutput(name, row) && beginningOf(value) !== '-' ? [value] : [],
      );
}

/** Long options may be cut short: getopt_long(3). */
function namesOutput(name: string, { files, long }: OutputOptions): boolean {
  return name.startsWith('--')
    ? name.length > 4 && long.some((option) => option.startsWith(name))
    : files.includes(name.slice(1));
}

function byUsualOptions(program: string, words: readonly Word[]): readonly Word[] {
  return words.flatMap((word, at) => {
    const text = beginningOf(word);
    if (!text.startsWith('-')) {
      return [];
    }
    const [option] = usual.exec(text) ?? (compilers.test(program) ? (/^-o(?=[^=])/.exec(text) ?? []) : []);
    const isAttached = option !== undefined && (text.length > option.length || option.endsWith('='));
    const value = option === undefined ? undefined : isAttached ? withoutBeginning(word, option.length) : words[at + 1];
    return value?.kind === 'known' ? [value] : [];
  });
}

/**
 * Options by themselves, letters of a bundle too: `-sSLo FILE`.
 *
 * @param valued letters of options that have a value
 */
export function optionsOf(words: readonly Word[], valued: string): readonly NamedOption[] {
  return words.flatMap((word, at): readonly NamedOption[] => {
    const text = beginningOf(word);
    if (text.startsWith('--')) {
      const [, name = text, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      return [{ name, value: value === undefined ? words[at + 1] : knownWord(value) }];
    }
    const letters = /^-[^-]/.test(text) ? Array.from(text.slice(1)) : [];
    const end = letters.findIndex((letter) => valued.includes(letter));
    const flags = end < 0 ? letters : letters.slice(0, end + 1);
    return flags.map((letter, index) => {
      const attached = letters.slice(end + 1).join('');
      const isLast = index === end;
      return {
        name: `-${letter}`,
        value: isLast ? (attached === '' ? words[at + 1] : knownWord(attached)) : undefined,
      };
    });
  });
}
