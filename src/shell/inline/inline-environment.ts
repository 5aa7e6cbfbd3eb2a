import { skippingVariables } from '../../skipping-variables.ts';
import { knownWord, openPart, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import type { InlineFunctions } from './inline-functions.ts';
import { codeOf } from './source/code.ts';
import { environmentEntries } from './source/environment.ts';
import type { Language } from './source/languages.ts';
import { wordOfText } from './source/open-command.ts';
import { writtenText } from './written-text.ts';

/** What a program that sets variables for others surely mentions; Ruby hands them on without a name. */
const needs = (language: Language): RegExp => (language.name === 'ruby' ? /env|=>|\w["']?:/i : /env/i);

/** The variables that a program sets for what it starts. What it works out when it runs is unknown. */
export function environmentSettings(
  language: Language,
  source: string,
  functions: InlineFunctions,
): ReadonlyMap<string, Word> {
  if (!needs(language).test(source)) {
    return new Map();
  }
  const code = codeOf(source, language.name === 'python');
  const settings = new Map<string, Word>();
  let isOpen = false;
  for (const { name, value } of environmentEntries({ source, code, interpolation: language.interpolation })) {
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
