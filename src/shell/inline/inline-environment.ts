import { knownWord, openPart, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import type { InlineFunctions } from './inline-functions.ts';
import { codeOf } from './source/code.ts';
import { environmentEntries } from './source/environment.ts';
import type { Language } from './source/languages.ts';
import { wordOfText } from './source/open-command.ts';
import { writtenText } from './written-text.ts';

export const noSettings: ReadonlyMap<string, Word> = new Map();

/** What a program that sets variables for others surely mentions; Ruby hands them on without a name. */
const needs = (language: Language): RegExp => (language.name === 'ruby' ? /env|=>|\w["']?:/i : /env/i);

/** The variables that a program sets for what it starts. What it works out when it runs is unknown. */
export function environmentSettings(
  language: Language,
  source: string,
  functions: InlineFunctions,
): ReadonlyMap<string, Word> {
  if (!needs(language).test(source)) {
    return noSettings;
  }
  const code = codeOf(source, language.name === 'python');
  const settings = new Map<string, Word>();
  for (const { name, value } of environmentEntries({ source, code, interpolation: language.interpolation })) {
    const key = writtenText(name, language, functions);
    const word = wordOf(value, language, functions);
    if (key?.every((part) => typeof part === 'string') === true && word !== null) {
      settings.set(key.join(''), word);
    }
  }
  return settings;
}

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
