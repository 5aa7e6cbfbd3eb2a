import { givenTo, wordsOf } from './interpolated-call.ts';
import type { SourceArgument } from './source/argument.ts';
import { codeOf } from './source/code.ts';
import type { Language } from './source/languages.ts';
import type { OpenCommand } from './source/open-command.ts';

/** More calls of a helper than these are not followed. */
const maximumCalls = 50;

/** A function that hands on all that it is given. */
interface Helper {
  readonly name: string;
  /** So many arguments it takes away first: `my $self = shift`. */
  readonly taken: number;
}

/**
 * The commands of a call to which a function of Ruby or Perl hands on all that it is given: `def git(*a) = system("git",
 * *a)`, `sub git { system("git", @_) }`, one for each call of that function.
 *
 * @param position where the call stands in the function
 * @returns the command itself where there is no such function, or nobody calls it
 */
export function calledThrough(
  command: OpenCommand,
  position: number,
  language: Language,
  source: string,
): readonly OpenCommand[] {
  const words = 'words' in command ? command.words : [];
  const at = words.findIndex((word) => 'several' in word);
  const open = words[at];
  const helper =
    open === undefined || !('several' in open) ? null : helperAround(open.several, position, language, source);
  const given = helper === null ? null : givenToEach(helper, language, source);
  return given === null || given.length === 0
    ? [command]
    : given.map((items) => ({ words: [...words.slice(0, at), ...wordsOf(items, language), ...words.slice(at + 1)] }));
}

/** The function around a position, where all that it is given has this name. */
function helperAround(list: string, position: number, { name }: Language, source: string): Helper | null {
  const before = source.slice(Math.max(0, position - 2000), position);
  if (name === 'ruby') {
    const heads = [...before.matchAll(/\bdef\s+(?:self\.)?(\w+)[ \t(]+([^)\n=;]*)/g)];
    const [, of, parameters = ''] = heads.at(-1) ?? [];
    return of === undefined || parameters.trim() !== `*${list.replace(/^\*/, '')}` ? null : { name: of, taken: 0 };
  }
  const heads = name === 'perl' ? [...before.matchAll(/\bsub\s+(\w+)\s*\{([^}]{0,200})/g)] : [];
  const [, of, body = ''] = heads.at(-1) ?? [];
  const taken = of === undefined ? null : takenFirst(list, body);
  return of === undefined || taken === null ? null : { name: of, taken };
}

/** How many arguments a function of Perl takes away before all others are in the list; null where they are not. */
function takenFirst(list: string, body: string): number | null {
  const shifted = body.match(/\bshift\b/g)?.length ?? 0;
  if (list === '@_') {
    return shifted;
  }
  const assigned = /^@\w+$/.test(list)
    ? new RegExp(String.raw`\bmy\s*(?:\(\s*((?:\$\w+\s*,\s*)*)${list}\s*\)|${list})\s*=\s*@_`).exec(body)
    : null;
  return assigned === null ? null : shifted + (assigned[1]?.match(/\$/g)?.length ?? 0);
}

type Given = readonly SourceArgument[];

/** What is left of the arguments in each call of a function; null where that is not known. */
function givenToEach({ name, taken }: Helper, language: Language, source: string): readonly Given[] | null {
  const code = codeOf(source, false);
  const calls = callsOf(name, source, code);
  // A method takes away first what it is called on.
  const methods = taken === 0 || /->\s*\$\w/.test(code) ? [] : methodCallsOf(name, code);
  if (calls.length + methods.length > maximumCalls || isUsedOtherwise(name, code)) {
    return null;
  }
  const given = [
    ...calls.map((call) => withoutFirst(givenTo(source, ...call, code), taken, language)),
    ...methods.map((start) => withoutFirst(givenTo(source, start, '(', code), taken - 1, language)),
  ];
  const known = given.filter((one) => one !== null);
  return known.length < given.length ? null : known;
}

/** `self.git("push")`, `Repo::git($r, "push")`, `&git("push")`, `send(:git, "push")`: calls that are not looked for. */
function isUsedOtherwise(name: string, code: string): boolean {
  return new RegExp(String.raw`(?<!\bdef\s+self)(?:\.|::|&|(?<![\w:]):)\s*${name}(?![\w:])`).test(code);
}

/** The arguments behind so many; null where they may be lists of which nobody knows how long they are. */
function withoutFirst(given: Given | null, count: number, language: Language): Given | null {
  const first = wordsOf(given?.slice(0, count) ?? [], language);
  return given === null || first.some((word) => 'several' in word) ? null : given.slice(count);
}

/** Where the arguments begin of each call of a function, and what stands before them. */
function callsOf(name: string, source: string, code: string): readonly (readonly [number, string])[] {
  const calls = code.matchAll(new RegExp(String.raw`(?<!\b(?:def|sub)\s+|[\w.$@%:>])${name}(?=[ \t(])`, 'g'));
  return Array.from(calls, ({ index }) => index + name.length).flatMap((behind) => {
    const [caller = ''] = /^[ \t]*\(|^[ \t]+(?=["'*@$%])/.exec(source.slice(behind, behind + 40)) ?? [];
    return caller === '' ? [] : [[behind + caller.length, caller] as const];
  });
}

/** `$repo->git("log")` of Perl. */
function methodCallsOf(name: string, code: string): readonly number[] {
  return Array.from(
    code.matchAll(new RegExp(String.raw`->\s*${name}\s*\(`, 'g')),
    (call) => call.index + call[0].length,
  );
}
