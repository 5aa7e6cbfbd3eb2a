import type { Word } from '../../shell/simple-command.ts';
import { beginningOf, textOf } from '../git-command/words.ts';
import { fitsNames, type PathGlob, readPathGlob } from './path-glob.ts';

/** The two ends of a transfer: what the sender hides does not come along; what the receiver protects is not deleted. */
export type Side = 'sender' | 'receiver';

/** One of rsync(1) "FILTER RULES". */
interface Rule {
  readonly sides: readonly Side[];
  readonly isTaken: boolean;
  /** It does not count in a directory that is deleted: one below the top may be. */
  readonly isPerishable?: boolean;
  readonly fits: (names: readonly string[], isDirectory: boolean) => boolean;
}

/** Is a path left out, from the top of what is transferred? What is in a directory that is left out is so, too. */
export type LeftOut = (path: string, side: Side, isDirectory?: boolean) => boolean;

/**
 * What the rules on the command line of `rsync` leave out: of several that fit a path, the first one decides. Files of rules
 * are not read, and count as if they were not there.
 *
 * @param words what follows the program's name
 */
export function leftOutBy(words: readonly Word[]): LeftOut {
  const rules = rulesOf(words);
  const isOut = (names: readonly string[], side: Side, isDirectory: boolean) =>
    rules.find(
      ({ sides, isPerishable, fits }) =>
        sides.includes(side) &&
        (isPerishable !== true || side === 'sender' || names.length === 1) &&
        fits(names, isDirectory),
    )?.isTaken === false;
  return (path, side, isDirectory = true) => {
    const names = path.split('/');
    return names.some((_, at) => isOut(names.slice(0, at + 1), side, isDirectory || at + 1 < names.length));
  };
}

/** Letters before the one that is asked for, none of which has a value that follows at once. */
const bundled = (letter: string) => new RegExp(`^-(?!-)[^-efBMT@]*${letter}(.*)$`, 's');
const [filterOption, cvsOption] = [bundled('f'), bundled('C')];

function rulesOf(words: readonly Word[]): readonly Rule[] {
  let rules: Rule[] = [];
  const rule = (kind: string, value: string | null) => {
    const read = kind === 'filter' ? readRule(value) : readPattern(kind, value);
    rules = read === 'clear' ? [] : [...rules, ...read];
  };
  for (const [at, word] of words.entries()) {
    const text = textOf(word);
    const [, kind, attached] = /^--(exclude|include|filter)(?:=(.*))?$/s.exec(text ?? beginningOf(word)) ?? [];
    const filter = kind === undefined ? filterOption.exec(text ?? beginningOf(word))?.[1] : undefined;
    const value = attached ?? (filter === '' ? undefined : filter);
    if (kind !== undefined || filter !== undefined) {
      rule(kind ?? 'filter', text === null ? null : (value ?? textOf(words[at + 1])));
    }
  }
  const isCvs = words.some((word) => textOf(word) === '--cvs-exclude' || cvsOption.test(beginningOf(word)));
  const all = isCvs ? [...rules, ...cvsRules()] : rules;
  return words.some((word) => textOf(word) === '--delete-excluded') ? all.map(onlyHidden) : all;
}

/** rsync(1) "--delete-excluded": what says nothing of a side is about the sender's. */
function onlyHidden(rule: Rule): Rule {
  return rule.sides.length > 1 ? { ...rule, sides: ['sender'] } : rule;
}

/** rsync(1) "--cvs-exclude", as far as it matters: what versions are kept in, and what compilers and editors leave. */
function cvsRules(): readonly Rule[] {
  const names = 'RCS SCCS CVS tags TAGS core *~ #* .#* *.old *.bak *.orig *.rej *.a *.o *.obj *.so *.exe';
  return [...names.split(' '), '.svn/', '.git/', '.hg/', '.bzr/'].flatMap((name) =>
    ruleFor(name, { sides: both, isTaken: false, isPerishable: true }),
  );
}

const both: readonly Side[] = ['sender', 'receiver'];

/** `--exclude`, `--include`: a pattern, which may begin as a rule does. Null: it is not known. */
function readPattern(kind: string, value: string | null): readonly Rule[] | 'clear' {
  if (value === '!') {
    return 'clear';
  }
  const [, sign, pattern = value] = /^([-+]) (.*)$/s.exec(value ?? '') ?? [];
  return ruleFor(pattern, { sides: both, isTaken: sign === undefined ? kind === 'include' : sign === '+' });
}

const longNames: ReadonlyMap<string, string> = new Map([
  ['exclude', '-'],
  ['include', '+'],
  ['hide', 'H'],
  ['show', 'S'],
  ['protect', 'P'],
  ['risk', 'R'],
  ['clear', '!'],
]);

/** Of each kind that says something of paths: what it is about, and whether it takes them. */
const kinds: ReadonlyMap<string, Pick<Rule, 'sides' | 'isTaken'>> = new Map([
  ['-', { sides: both, isTaken: false }],
  ['+', { sides: both, isTaken: true }],
  ['H', { sides: ['sender'], isTaken: false }],
  ['S', { sides: ['sender'], isTaken: true }],
  ['P', { sides: ['receiver'], isTaken: false }],
  ['R', { sides: ['receiver'], isTaken: true }],
]);

/** `- *.log`, `-s_/dist`, `protect .husky/`, `exclude,! *.ts`. Null: it is not known. */
function readRule(text: string | null): readonly Rule[] | 'clear' {
  if (text === null) {
    return ruleFor(null, { sides: both, isTaken: true });
  }
  const short = text.replace(/^[a-z]+/, (name) => longNames.get(name) ?? name);
  const [, kind = '', modifiers = '', pattern = null] = /^([-+HSPR!]),?([/!Csrpx]*)(?:[ _](.*))?$/s.exec(short) ?? [];
  if (kind === '!') {
    return 'clear';
  }
  if (kind === '-' && modifiers.includes('C')) {
    return cvsRules();
  }
  const said = kinds.get(kind);
  // Of extended attributes alone.
  if (said === undefined || modifiers.includes('x')) {
    return [];
  }
  const given = [
    ...(modifiers.includes('s') ? (['sender'] as const) : []),
    ...(modifiers.includes('r') ? (['receiver'] as const) : []),
  ];
  const rule = { ...said, ...(given.length === 0 ? {} : { sides: given }), isPerishable: modifiers.includes('p') };
  // Where a path begins elsewhere, it is not known here which one it is.
  return ruleFor(modifiers.includes('/') ? null : pattern, rule, modifiers.includes('!'));
}

/** Where it is not known what a pattern says, it may take anything and leaves out nothing. */
function ruleFor(pattern: string | null, rule: Omit<Rule, 'fits'>, isNegated = false): readonly Rule[] {
  const fits = pattern === null ? null : fitting(pattern);
  if (fits === null) {
    return rule.isTaken ? [{ ...rule, fits: () => true }] : [];
  }
  return [{ ...rule, fits: (names, isDirectory) => fits(names, isDirectory) !== isNegated }];
}

/** rsync(1) "PATTERN MATCHING RULES" */
function fitting(pattern: string): Rule['fits'] | null {
  const isDeep = pattern.endsWith('/***');
  const plain = pattern.replace(/\/(?:\*\*\*)?$/, '').replace(/^\//, '');
  const glob = readPathGlob(plain)?.flatMap(withNameBetween) ?? null;
  const isAnchored = pattern.startsWith('/');
  if (glob === null || /[^/]\*\*|\*\*[^/]/.test(plain)) {
    return null;
  }
  const isOnlyDirectory = pattern.endsWith('/');
  const fitsAt = isAnchored ? fitsNames : fitsEnd;
  return (names, isDirectory) =>
    (isDirectory || !isOnlyDirectory) &&
    (isDeep ? names.some((_, at) => fitsAt(glob, names.slice(0, at + 1))) : fitsAt(glob, names));
}

/** Between two slashes `**` stands for one name or more. */
function withNameBetween(part: PathGlob[number], at: number, { length }: PathGlob): PathGlob {
  return part === '**' && at > 0 && at + 1 < length ? [part, /^/] : [part];
}

/** Where a pattern does not begin at the top, it is about the last names of a path. */
function fitsEnd(glob: PathGlob, names: readonly string[]): boolean {
  return names.some((_, at) => fitsNames(glob, names.slice(at)));
}
