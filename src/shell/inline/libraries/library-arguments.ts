import type { SourceArgument } from '../source/argument.ts';
import type { OpenWord } from '../source/open-command.ts';

/** Words as they stand. */
export const fixed = (...words: readonly string[]): readonly OpenWord[] => words.map((word) => ({ text: [word] }));

/** Texts, items of lists, and the options that `force=True`, `force: true` or `{'--force': null}` stand for. */
export function given(args: readonly SourceArgument[]): readonly OpenWord[] {
  return args.flatMap((argument): readonly OpenWord[] => {
    switch (argument.kind) {
      case 'text':
        return [{ text: argument.text }];
      case 'list':
        return given(argument.items);
      case 'name':
        return [argument.isSpread ? { several: argument.name } : { text: [{ expression: argument.name }] }];
      default:
        return isValue.test(argument.written)
          ? [{ text: [{ expression: argument.written.trim() }] }]
          : optionsIn(argument.written);
    }
  });
}

/** `head.name`, `names[0]`, `Mode.A + Mode.B`: what is neither a table nor an argument with a name. */
const value = /[A-Za-z_$][\w$]*(?:\.[\w$]+|\[[^\]{}]*\])+/.source;
const isValue = new RegExp(`^\\s*${value}(?:\\s*[+|]\\s*${value})*\\s*$`);

function optionsIn(written: string): readonly OpenWord[] {
  const quoted = Array.from(written.matchAll(/["'](-{1,2}[\w-]+)["']/g), ([, option = '']) => option);
  const named = Array.from(written.matchAll(/\b([a-z_]+)\s*[=:]\s*(?:True|true)\b/g), ([, name = '']) =>
    name.length === 1 ? `-${name}` : `--${name.replaceAll('_', '-')}`,
  );
  return [...fixed(...quoted), ...fixed(...named)].sort((a, b) => Number(isOption(b)) - Number(isOption(a)));
}

/** Does a word begin as options do? */
export const isOption = (word: OpenWord) => 'text' in word && String(word.text[0]).startsWith('-');

/** A field of the one object that a call is given: `{ ref: 'main' }`. */
export function field(args: readonly SourceArgument[], name: string): readonly OpenWord[] {
  const [object] = args;
  const value =
    object?.kind === 'other' ? new RegExp(`\\b${name}\\s*:\\s*["']([^"']+)["']`).exec(object.written)?.[1] : undefined;
  return value === undefined ? [] : fixed(value);
}

/** Arguments without names, and the texts of `refspec='…'`, `refspecs=['…']`. */
export function refspecs(args: readonly SourceArgument[]): readonly OpenWord[] {
  const named = args.flatMap((argument) =>
    argument.kind === 'other' && /^\s*refspecs?\s*[=:]/.test(argument.written) ? argument.written : [],
  );
  const texts = named.flatMap((text) => Array.from(text.matchAll(/["']([^"']+)["']/g), ([, word = '']) => word));
  return [...positional(args), ...fixed(...texts)];
}

/** An argument without a name, and no table of them. */
export const isPositional = (argument: SourceArgument) => argument.kind !== 'other' || isValue.test(argument.written);
/** Arguments without names. */
export const positional = (args: readonly SourceArgument[]) => given(args.filter(isPositional));
/** Is there an option among them? */
export const has = (args: readonly SourceArgument[], option: RegExp) =>
  args.some((argument) => argument.kind === 'other' && option.test(argument.written));
/** `force=True`, `force: true` */
export const isForced = (args: readonly SourceArgument[]) => has(args, /\bforce\s*(?:[:=]|=>)\s*[Tt]rue\b/);
/** The option for that. */
export const force = (args: readonly SourceArgument[]) => (isForced(args) ? fixed('--force') : []);
/** The subcommand that a method is called by. */
export const subcommand = (method: string) => fixed(method.replaceAll('_', '-'));
/** `git reset --hard`, with the first argument. */
export const hard = (args: readonly SourceArgument[]) => [...fixed('reset', '--hard'), ...positional(args.slice(0, 1))];

/** A text that is given by its name or in its place: `message='…'`. */
export function valued(args: readonly SourceArgument[], name: string): readonly OpenWord[] {
  const written = args.map((argument) => (argument.kind === 'other' ? argument.written : ''));
  const value = written.flatMap(
    (text) => new RegExp(`\\b${name}\\s*[:=]\\s*b?["']([^"']+)["']`).exec(text)?.[1] ?? [],
  )[0];
  return value === undefined ? [] : fixed(value);
}

/** The first text among the arguments, also of a call that is one of them: `delete_remote(repo.remote('origin'))`. */
export function named(args: readonly SourceArgument[]): readonly OpenWord[] {
  const [first] = args;
  const text = first?.kind === 'other' ? /["']([^"']+)["']/.exec(first.written)?.[1] : undefined;
  return text === undefined ? given(args.slice(0, 1)) : fixed(text);
}

/** What a commit is made with. Without a message that is written out nothing is left to judge, as with `git status`. */
export function committed(message: readonly OpenWord[], skipsHooks: boolean): readonly OpenWord[] {
  return message.length === 0
    ? fixed('status')
    : [...fixed('commit', ...(skipsHooks ? ['--no-verify'] : []), '-m'), ...message.slice(0, 1)];
}

/** `set_value('core', 'hooksPath', 'x')`, of whose first words the key is made; where they are not written out, nothing is judged. */
export function configured(args: readonly SourceArgument[], parts: number): readonly OpenWord[] {
  const texts = args.map((argument) =>
    argument.kind === 'text' && argument.text.length === 1 && typeof argument.text[0] === 'string'
      ? argument.text[0]
      : null,
  );
  const key = texts.slice(0, parts);
  return key.length < parts || key.includes(null)
    ? fixed('status')
    : [...fixed('config', key.join('.').replaceAll('"', '')), ...given(args.slice(parts, parts + 1))];
}
