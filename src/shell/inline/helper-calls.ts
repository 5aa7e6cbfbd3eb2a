import { givenTo, wordsOf } from './interpolated-call.ts';
import type { Language } from './languages.ts';
import type { OpenCommand } from './open-command.ts';
import { codeOf } from './source-code.ts';

/** More calls of a helper than these are not followed. */
const maximumCalls = 50;

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
  const code = helper === null ? '' : codeOf(source, false);
  const calls = helper === null ? [] : callsOf(helper, source, code);
  if (calls.length > maximumCalls) {
    return [command];
  }
  const given = calls.map(([start, caller]) => givenTo(source, start, caller, code)).filter((one) => one !== null);
  return calls.length === 0 || given.length < calls.length
    ? [command]
    : given.map((items) => ({ words: [...words.slice(0, at), ...wordsOf(items, language), ...words.slice(at + 1)] }));
}

/** The name of the function around a position, where all that it is given has this name. */
function helperAround(list: string, position: number, { name }: Language, source: string): string | null {
  const before = source.slice(Math.max(0, position - 2000), position);
  const heads = /^(?:ruby|perl)$/.test(name)
    ? before.matchAll(
        name === 'ruby' ? /\bdef\s+(?:self\.)?(\w+)[ \t(]+([^)\n=;]*)/g : /\bsub\s+(\w+)\s*\{([^}]{0,200})/g,
      )
    : [];
  const [, of, taken = ''] = [...heads].at(-1) ?? [];
  const takesAll =
    name === 'ruby'
      ? taken.trim() === `*${list.replace(/^\*/, '')}`
      : list === '@_' ||
        (/^@\w+$/.test(list) && new RegExp(String.raw`\bmy\s*\(?\s*${list}\s*\)?\s*=\s*@_`).test(taken));
  return of === undefined || !takesAll ? null : of;
}

/** Where the arguments begin of each call of a function, and what stands before them. */
function callsOf(name: string, source: string, code: string): readonly (readonly [number, string])[] {
  const calls = code.matchAll(new RegExp(String.raw`(?<!\b(?:def|sub)\s+|[\w.$@%:>])${name}(?=[ \t(])`, 'g'));
  return Array.from(calls, ({ index }) => index + name.length).flatMap((behind) => {
    const [caller = ''] = /^[ \t]*\(|^[ \t]+(?=["'*@$%])/.exec(source.slice(behind, behind + 40)) ?? [];
    return caller === '' ? [] : [[behind + caller.length, caller] as const];
  });
}
