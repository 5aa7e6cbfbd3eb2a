import { openNumber } from './read-again.ts';
import type { UnknownWord, Word } from './simple-command.ts';

/** Programs that print numbers, dates, hashes or names without any character that means something to a shell. */
const printing: ReadonlyMap<string, RegExp> = new Map([
  [
    'date',
    /^(?:(?:-u|--utc|--universal|-R|--rfc-email|-I\w*|--iso-8601(?:=\w+)?|--rfc-3339=\w+|-d \S+(?: \S+ ago)?|--date=\S+|-r \S+)(?: |$))*(?:\+(?:%[-_0^]?[a-mo-su-zA-Z]|[\w.:@-])+|\+(?:%[-_0^]?[a-mo-su-zA-Z]|[ .:@/,_-])+)?$/,
  ],
  [
    'git',
    /^(?:rev-list (?:.* )?--count\b|rev-parse (?:(?:--verify|-q|--quiet|--short(?:=\d+)?) )*[\w./@~^{}-]+$|merge-base [\w./@~^{}-]+ [\w./@~^{}-]+$|log (?:-1|-n ?1|--max-count=1) --(?:format|pretty)=(?:t?format:)?%[hH]$)/,
  ],
  ['hostname', /^(?:-[sf])?$/],
  ['id', /^-[ugG]n?$/],
  ['lsof', /(?:^| )-[a-zA-Z]*t/],
  ['mktemp', /^[\w ./=-]*$/],
  ['nproc', /^(?:--all)?$/],
  ['openssl', /^rand -hex \d+$/],
  ['pgrep', /^(?!(?:.* )?-[a-zA-Z]*[al])/],
  ['pidof', /^/],
  ['stat', /^(?:-c|-f) ?%[sYaXZuz] /],
  ['tput', /^(?:cols|lines)$/],
  ['uname', /^(?:-[srmo])?$/],
  ['uuidgen', /^/],
  ['wc', /^(?:-[lwcm]|--(?:lines|words|bytes|chars))$/],
  ['whoami', /^$/],
]);

/** Programs that print a part of such an output. */
const choosing: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^\{ ?print \$(?:\d+|NF) ?\}$/],
  ['cut', /^/],
  ['head', /^/],
  ['sort', /^/],
  ['tail', /^/],
  ['tr', /^-d /],
  ['uniq', /^/],
  ['xargs', /^$/],
]);

/**
 * What code may say instead of a program's output that is not known.
 *
 * @param args what follows the program's name
 * @param input what it reads
 */
export function plainOutput(
  program: string,
  args: readonly Word[],
  input: UnknownWord | null,
): Pick<UnknownWord, 'code'> {
  const words = args.map((word) => (word.kind === 'known' ? word.value : `${word.prefix}?`)).join(' ');
  const programs = input?.code === openNumber ? choosing : printing;
  return programs.get(program)?.test(words) === true ? { code: openNumber } : {};
}
