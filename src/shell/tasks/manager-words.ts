import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { managerOptions } from './manager-options.ts';

/**
 * Where the next operand is. Of most options nobody knows here whether they have a value of their own: what names nothing that
 * the program runs is one, where such a name follows.
 *
 * @param program whose words they are
 * @param isName is it a name of something that the program runs?
 * @returns the number of words, where there is none
 */
export function operandAt(
  program: string,
  words: readonly Word[],
  from: number,
  isName: (text: string) => boolean,
): number {
  const { valued } = managerOptions(program);
  const end = words.findIndex((word, index) => index >= from && beginningOf(word) === '--');
  const own = end < 0 ? words : words.slice(0, end);
  const isNamed = (word: Word | undefined) => isName(beginningOf(word));
  for (let at = from; at < own.length; at += 1) {
    const text = beginningOf(own[at]);
    const mayBeValue = at > from && /^-(?:\w|-[^=]+)$/.test(beginningOf(own[at - 1])) && !isNamed(own[at]);
    if (valued.has(text)) {
      at += 1;
    } else if (!text.startsWith('-') && !(mayBeValue && own.slice(at + 1).some(isNamed))) {
      return at;
    }
  }
  return end < 0 ? words.length : end + 1;
}

/**
 * The directory that an option names, counted from where the line stands; null where it is not known. What stands behind
 * the name of a script is an option of the script, but for npm.
 */
export function directoryIn(program: string, words: readonly Word[]): string | null {
  const { valued, placing, mixed } = managerOptions(program);
  let directory: string | null = '';
  let operands = 0;
  for (let index = 0; index < words.length && (mixed || operands < 2); index += 1) {
    const text = beginningOf(words[index]);
    const [, option = '', attached = ''] = /^(--[\w-]+)=(.*)$/.exec(text) ?? [];
    if (text === '--') {
      break;
    }
    if (placing.includes(option)) {
      directory = attached;
    } else if (valued.has(text)) {
      index += 1;
      const value = words[index];
      if (placing.includes(text)) {
        directory = value?.kind === 'known' ? value.value : null;
      }
    } else if (!text.startsWith('-')) {
      operands += 1;
    }
  }
  return directory;
}

/** What follows a script's name, told apart. */
export interface ScriptWords {
  readonly args: readonly Word[];
  /** Variables of the script. */
  readonly variables: ReadonlyMap<string, Word>;
}

/**
 * The words behind the name of a script. All managers but npm hand every word on; npm takes options up to `--` for its own
 * (npm-run(1)), and sets variables by those that it does not know, too: `--branch=x` is `$npm_config_branch`.
 */
export function scriptWords(manager: string, words: readonly Word[]): ScriptWords {
  const end = words.findIndex((word) => beginningOf(word) === '--');
  const own = end < 0 ? words : words.slice(0, end);
  const rest = end < 0 ? [] : words.slice(end + 1);
  if (manager !== 'npm') {
    return { args: [...own, ...rest], variables: new Map() };
  }
  const { valued } = managerOptions(manager);
  const args: Word[] = [];
  const variables = new Map<string, Word>();
  for (let index = 0; index < own.length; index += 1) {
    const [word, next] = own.slice(index, index + 2);
    const text = beginningOf(word);
    const [, no, name = '', value] = /^--(no-)?([\w-]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
    const takesNext = valued.has(text) && next !== undefined;
    if (name !== '') {
      const given = takesNext ? next : knownWord(value ?? (no === undefined ? 'true' : ''));
      variables.set(`npm_config_${name.replaceAll('-', '_').toLowerCase()}`, given);
    } else if (word !== undefined && !/^-./.test(text)) {
      args.push(word);
    }
    index += takesNext ? 1 : 0;
  }
  return { args: [...args, ...rest], variables };
}
