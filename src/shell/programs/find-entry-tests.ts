import type { FileEntry } from '../script-files.ts';
import type { Candidate, Truth } from './find-evaluation.ts';

type EntryTest = (entry: FileEntry) => Truth;

/** find(1) "-type": of what is no file, directory or link, only that is known. */
const typesByLetter: Readonly<Record<string, FileEntry['type']>> = {
  f: 'file',
  d: 'directory',
  l: 'link',
  b: 'other',
  c: 'other',
  p: 'other',
  s: 'other',
};
/** find(1) "-size", in bytes. */
const units: Readonly<Record<string, number>> = {
  c: 1,
  w: 2,
  b: 512,
  '': 512,
  k: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
};
/** Only its type counts. */
const writtenFile: FileEntry = { type: 'file', size: 0, modified: 0 };
const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * A test of find that looks at the file itself.
 *
 * @returns null for one that is none of these, or whose argument can't be read
 */
export function entryTest(name: string, value: string): ((file: Candidate) => Truth) | null {
  const test = readEntryTest(name, value);
  return test === null
    ? null
    : (file) => {
        const entry = file.entry();
        if (entry !== null) {
          return test(entry);
        }
        return name === '-type' && file.isWritten() ? test(writtenFile) : null;
      };
}

function readEntryTest(name: string, value: string): EntryTest | null {
  switch (name) {
    case '-type':
      return typeTest(value);
    case '-xtype': {
      const own = typeTest(value);
      // Where a link leads is not looked at.
      return own === null ? null : (entry) => (entry.type === 'link' ? null : own(entry));
    }
    case '-size': {
      const [, number = '', letter = ''] = /^([+-]?\d+)([cwbkMG]?)$/.exec(value) ?? [];
      const unit = units[letter] ?? 512;
      return numberTest(number, ({ size }) => Math.ceil(size / unit));
    }
    case '-mtime':
      return numberTest(value, ({ modified }) => Math.floor((Date.now() - modified) / day));
    case '-mmin':
      return numberTest(value, ({ modified }) => Math.ceil((Date.now() - modified) / minute));
    default:
      return null;
  }
}

function typeTest(value: string): EntryTest | null {
  const wanted = value.split(',').map((letter) => typesByLetter[letter]);
  return wanted.includes(undefined)
    ? null
    : ({ type }) => (wanted.includes(type) ? (type === 'other' ? null : true) : false);
}

/** find(1) "Numeric arguments": `+n` more, `-n` less, `n` exactly. */
function numberTest(argument: string, of: (entry: FileEntry) => number): EntryTest | null {
  const [, sign, digits] = /^([+-]?)(\d+)$/.exec(argument) ?? [];
  if (digits === undefined) {
    return null;
  }
  const limit = Number(digits);
  return (entry) => {
    const number = of(entry);
    return sign === '+' ? number > limit : sign === '-' ? number < limit : number === limit;
  };
}
