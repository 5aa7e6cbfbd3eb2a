import { subcommandAt } from '../git-words.ts';
import type { UnknownWord, Word } from '../simple-command.ts';
import { openNumber } from '../words/read-again.ts';

/** git-rev-list(1), git-log(1): revisions, and options that choose among commits. */
const choosing = String.raw`(?:-\d+|-n ?\d+|--(?:max-count|skip)=\d+|--(?:since|until|after|before|author|grep)=[^\s?]+|--(?:all|branches|tags|remotes|reverse|(?:no-)?merges|first-parent)|[\w.^@][\w./@~^{}:-]*)`;

/** Programs that print numbers, dates, hashes or names without any character that means something to a shell. */
const printing: ReadonlyMap<string, RegExp> = new Map([
  [
    'date',
    /^(?:(?:-u|--utc|--universal|-R|--rfc-email|-I\w*|--iso-8601(?:=\w+)?|--rfc-3339=\w+|-d \S+(?: \S+ ago)?|--date=\S+|-r \S+)(?: |$))*(?:\+(?:%[-_0^]?[a-mo-su-zA-Z]|[\w.:@-])+|\+(?:%[-_0^]?[a-mo-su-zA-Z]|[ .:@/,_-])+)?$/,
  ],
  [
    'git',
    new RegExp(
      String.raw`^(?:rev-list (?:.* )?--count\b|rev-list(?: ${choosing})+$|rev-parse (?:(?:--verify|-q|--quiet|--short(?:=\d+)?) )*[\w./@~^{}-]+$|merge-base [\w./@~^{}-]+ [\w./@~^{}-]+$|log(?: ${choosing})* --(?:format|pretty)=(?:t?format:)?%[hH](?: ${choosing})*$)`,
    ),
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
const passing: ReadonlyMap<string, RegExp> = new Map([
  ['awk', /^\{ ?print \$(?:\d+|NF) ?\}$/],
  ['cut', /^/],
  ['head', /^/],
  ['sort', /^/],
  ['tail', /^/],
  ['tr', /^-d /],
  ['uniq', /^/],
  ['xargs', /^$/],
]);

/** Of them, those that print what nothing else has: a moment that stays for a while, or another text each time. */
const moments = /^date .*\+\S*%(?:s|T|X|[HI]\S*%M\S*%S)\S*$/;
const others = /^(?:date .*\+\S*%N\S*|uuidgen.*|openssl rand -hex (?:[4-9]|\d\d+))$/;

/**
 * What code may say instead of a program's output that is not known.
 *
 * @param argv from the name of the program on
 * @param input what it reads
 */
export function plainOutput(
  program: string,
  argv: readonly Word[],
  input: UnknownWord | null,
): Pick<UnknownWord, 'code' | 'unique'> {
  const args = argv.slice(program === 'git' ? subcommandAt(argv) : 1);
  const words = args.map((word) => (word.kind === 'known' ? word.value : `${word.prefix}?`)).join(' ');
  const programs = input?.code === openNumber ? passing : printing;
  const isPlain = programs.get(program)?.test(words) === true;
  const call = `${program} ${words}`;
  const unique = others.test(call) ? Symbol(call) : moments.test(call) ? call : undefined;
  return isPlain ? { code: openNumber, ...(unique === undefined ? {} : { unique }) } : {};
}
