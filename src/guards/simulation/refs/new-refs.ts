import { isRefName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { programName, type SimpleCommand, type UnknownWord } from '../../../shell/simple-command.ts';
import { textOf } from '../../git-command/words.ts';

/**
 * Would git make this ref? Not where its name is none, where it is there, or where another's name goes on from its own:
 * git-check-ref-format(1), and refs are paths.
 *
 * @param isForced what is there is moved
 */
export async function canBeMade(ref: string, isForced: boolean, repository: Repository): Promise<boolean> {
  if (!isRefName(ref, {}) || ref.startsWith('refs/heads/-')) {
    return false;
  }
  if ((await repository.ref(ref)) !== null) {
    return isForced;
  }
  const names = [...(await repository.refs()).keys()];
  return !names.some((name) => name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`));
}

/** A ref that surely comes to be, under a name that only the one who runs the line will know; null: perhaps it does not. */
export async function madeUpRef(namespace: string, name: UnknownWord, repository: Repository): Promise<string | null> {
  const printed = name.printedBy === undefined ? null : printedName(name.printedBy);
  const ref = placeholderOf(namespace, name);
  if (printed === null || !(await canBeMade(ref, false, repository))) {
    return null;
  }
  const isLike = (other: string) =>
    other.startsWith(namespace + name.prefix) &&
    other.slice(namespace.length + name.prefix.length).includes(name.suffix);
  return printed === 'new' || ![...(await repository.refs()).keys()].some(isLike) ? ref : null;
}

/** What stands for a name that can't be known: no real one has that character in it. */
export function placeholderOf(namespace: string, { prefix, suffix }: UnknownWord): string {
  return `${namespace}${prefix}…${suffix.trimEnd()}`;
}

/** Parts of dates that fit into a name: no colon, no space; `%s`, `%S` and `%N` are other ones at each call. */
const dateFormat = /^\+(?:[\w.@+-]|%[-0^#]?[YCymdHMSsNjFuwVUGgBbhaApIz])+$/;

/** What programs print that is fit for a ref's name, by their words: `new` where nobody has printed it before. */
const printers: Readonly<Record<string, (words: readonly string[]) => 'new' | 'a name' | null>> = {
  uuidgen: () => 'new',
  openssl: ([kind, form]) => (kind === 'rand' && form === '-hex' ? 'new' : null),
  date: (words) => {
    const format = words.filter((word) => word !== '-u');
    const fits = format.length === 1 && dateFormat.test(format[0] ?? '');
    return fits ? (/%[-0^#]?[sSN]/.test(format[0] ?? '') ? 'new' : 'a name') : null;
  },
  whoami: () => 'a name',
  id: (words) => (words.join(' ') === '-un' ? 'a name' : null),
  hostname: (words) => (/^(?:-s)?$/.test(words.join(' ')) ? 'a name' : null),
  git: (words) => (/^rev-parse (?:--short(?:=\d+)? )?HEAD$/.test(words.join(' ')) ? 'a name' : null),
};

function printedName({ argv }: SimpleCommand): 'new' | 'a name' | null {
  const [program, ...words] = argv;
  return printers[programName(program) ?? '']?.(words.map((word) => textOf(word) ?? '?')) ?? null;
}
