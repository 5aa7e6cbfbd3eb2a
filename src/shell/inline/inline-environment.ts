import { skippingVariables } from '../../skipping-variables.ts';
import { knownWord, openPart, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import type { PlacedCall } from './inline-decisions.ts';
import type { InlineFunctions } from './inline-functions.ts';
import { endOfBracket } from './source/brackets.ts';
import { codeOf } from './source/code.ts';
import { type EnvironmentEntry, environmentEntries } from './source/environment.ts';
import type { Language } from './source/languages.ts';
import { wordOfText } from './source/open-command.ts';
import { writtenText } from './written-text.ts';

/** What a program that sets variables for others surely mentions; Ruby hands them on without a name. */
const needs = (language: Language): RegExp => (language.name === 'ruby' ? /env|=>|\w["']?:/i : /env/i);

/** The variables that a program sets for what it starts. */
export interface EnvironmentSettings {
  /** For everything. */
  readonly all: ReadonlyMap<string, Word>;
  /** For one process alone, by where the arguments of the call begin that starts it. */
  readonly own: ReadonlyMap<number, ReadonlyMap<string, Word>>;
}

const none: EnvironmentSettings = { all: new Map(), own: new Map() };

/**
 * The variables that a program sets for what it starts. What it works out when it runs is unknown.
 *
 * @param calls where each call stands that starts a process, and where its arguments begin
 */
export function environmentSettings(
  language: Language,
  source: string,
  functions: InlineFunctions,
  calls: readonly PlacedCall[],
): EnvironmentSettings {
  if (!needs(language).test(source)) {
    return none;
  }
  const code = codeOf(source, language.name === 'python');
  const entries = environmentEntries({ source, code, interpolation: language.interpolation });
  const spans =
    entries.length === 0 ? [] : calls.map((call) => ({ ...call, end: endOfBracket(code, call.argumentsAt) }));
  const around = (at = -1) => spans.findLast(({ position, end }) => position <= at && at < end)?.argumentsAt ?? null;
  const grouped = new Map<number | null, EnvironmentEntry[]>();
  for (const entry of entries) {
    const call = around(entry.at);
    // What holds a table counts where it is handed on.
    const isCarried = call === null && entry.heldBy !== undefined && isOnlyHandedOn(entry.heldBy, code, around);
    grouped.set(call, [...(grouped.get(call) ?? []), ...(isCarried ? [] : [entry])]);
  }
  const settings = (of: readonly EnvironmentEntry[]) => settingsOf(of, language, source, functions);
  const own = spans.flatMap(({ argumentsAt }) => {
    const of = grouped.get(argumentsAt);
    return of === undefined ? [] : [[argumentsAt, settings(of)] as const];
  });
  return { all: settings(grouped.get(null) ?? []), own: new Map(own) };
}

/** Is a table nowhere named but where a call that starts a process is given it as its environment? */
function isOnlyHandedOn(name: string, code: string, around: (at: number) => number | null): boolean {
  const uses = Array.from(code.matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])(\\s*(?::[^=\\n]*)?=(?!=))?`, 'g')));
  const assigned = uses.filter(({ index, 1: sign }) => sign !== undefined && around(index) === null);
  return (
    assigned.length === 1 &&
    uses.every(
      ({ index, 1: sign }) =>
        sign !== undefined ||
        (around(index) !== null && /(?<![\w$.])env\s*[:=]\s*$/.test(code.slice(index - 12, index))),
    )
  );
}

function settingsOf(
  entries: readonly EnvironmentEntry[],
  language: Language,
  source: string,
  functions: InlineFunctions,
): ReadonlyMap<string, Word> {
  const settings = new Map<string, Word>();
  let isOpen = false;
  for (const { name, value } of entries) {
    const key = name === null ? null : writtenText(name, language, functions);
    const isKnown = key?.every((part) => typeof part === 'string') === true;
    const word = isKnown ? wordOf(value, language, functions) : null;
    if (isKnown && word !== null) {
      settings.set(key.join(''), word);
    }
    isOpen ||= !isKnown;
  }
  for (const [name] of isOpen ? source.matchAll(telling) : []) {
    if (!settings.has(name)) {
      settings.set(name, unknownWord(name, 'the variables that the program sets are not known', false));
    }
  }
  return settings;
}

/** Variables by which checks are skipped, or git is another one: those of them that a program mentions it may set. */
const telling = new RegExp(
  `\\b(?:${skippingVariables.join('|')}|GIT_(?:DIR|WORK_TREE|INDEX_FILE|CONFIG\\w*|SEQUENCE_EDITOR|EXEC_PATH|OBJECT_DIRECTORY))\\b`,
  'g',
);

/** Null: a variable of that value is not there for what is started. */
function wordOf(written: string, language: Language, functions: InlineFunctions): Word | null {
  if (/^(?:undefined|null|None|nil|undef)$/.test(written)) {
    return null;
  }
  if (/^(?:true|false)$/i.test(written)) {
    return knownWord(written);
  }
  const [, given, shown] = /^(?:str|String)\(\s*([\s\S]*)\)$|^([\s\S]*)\.(?:to_s|toString\(\s*\))$/.exec(written) ?? [];
  const text = writtenText((given ?? shown ?? written).trim(), language, functions);
  return text === null
    ? unknownWord(written.replaceAll(openPart, '…'), 'the value that the program is given is not known', false)
    : wordOfText(text);
}
