import type { Word } from '../../shell/simple-command.ts';
import { unknownWord } from '../../shell/words/parameter.ts';
import type { Bisecting, BisectSide, Intent } from '../intent.ts';
import { optionTable } from './option-table.ts';
import { isNegated } from './parse-options.ts';
import { beforeSeparator, type Subcommand, type SubcommandGroup } from './subcommand.ts';
import { known, pasted, textOf } from './words.ts';

function runs(command: Word | readonly Word[] | undefined, by: string): readonly Intent[] {
  const isNothing = command === undefined || ('length' in command && command.length === 0);
  return isNothing ? [] : [{ kind: 'run', command, by }];
}

const chosenCommit: Word = {
  ...unknownWord('git bisect start', 'which commit git chooses is not known', false),
  names: 'commits',
};

/** With a bad and a good commit, one between them is checked out. */
const chooses = (step: Bisecting['step'], marks: Bisecting['marks']): readonly Intent[] => [
  { kind: 'switch', to: chosenCommit, create: false, detach: true, bisects: { step, marks } },
];

const of = (side: BisectSide, commits: readonly Word[]): Bisecting['marks'] =>
  commits.map((commit) => ({ side, commit }));

const orHead = (commits: readonly Word[]) => (commits.length === 0 ? [known('HEAD')] : commits);

const marked = (side: BisectSide): Subcommand => ({
  options: optionTable(''),
  intents: ({ operands }) => chooses('mark', of(side, orHead(operands))),
});

const looks: Subcommand = { options: optionTable(''), intents: () => [] };

/** git-bisect(1): everything after `run` is a command of its own. */
export const bisect: SubcommandGroup = {
  members: {
    run: {
      options: optionTable('', { stopsAtArgument: true }),
      intents: (_, call) => [...runs(call.words, 'git bisect run'), ...chooses('run', [])],
    },
    start: {
      options: optionTable('term-new= term-old= term-bad= term-good= no-checkout first-parent reset-when-found=?+'),
      intents: (args) => {
        const commits = beforeSeparator(args);
        // Since git 2.56 it may be over by itself: then HEAD is where it was.
        const endsByItself = args.has('reset-when-found');
        const marks = [...of('bad', commits.slice(0, 1)), ...of('good', commits.slice(1))];
        return isNegated(args, 'checkout') ? [] : chooses('start', endsByItself ? [] : marks);
      },
    },
    bad: marked('bad'),
    new: marked('bad'),
    good: marked('good'),
    old: marked('good'),
    skip: marked('skipped'),
    next: { options: optionTable(''), intents: () => chooses('mark', []) },
    replay: { options: optionTable(''), intents: () => chooses('replay', []) },
    reset: {
      options: optionTable(''),
      intents: ({ operands: [to] }) => [
        { kind: 'switch', to: to ?? null, create: false, detach: false, ends: 'bisect' },
      ],
    },
    log: looks,
    terms: looks,
    view: looks,
    visualize: looks,
    help: looks,
  },
  // "Alternate terms": how a commit is marked where the bisection has words of its own.
  otherwise: {
    options: optionTable(''),
    intents: ({ operands: [term, ...commits] }) =>
      term === undefined ? [] : chooses('mark', of('either', orHead(commits))),
  },
};

/** git-difftool(1). */
export const difftool: Subcommand = {
  options:
    optionTable(`g|gui d|dir-diff y|no-prompt prompt symlinks t|tool= tool-help trust-exit-code x|extcmd= no-index
    index`),
  intents: (args) => runs(args.value('extcmd'), 'git difftool --extcmd'),
};

/** git-send-email(1): it asks programs for addresses and headers, and hands each mail to one. */
export const sendEmail: Subcommand = {
  options: optionTable(`from= to= cc= bcc= subject= reply-to= in-reply-to= identity= to-cmd= cc-cmd= header-cmd=
    sendmail-cmd= smtp-server= smtp-user= smtp-pass= smtp-encryption= smtp-server-port= smtp-server-option= smtp-domain=
    envelope-sender= confirm= suppress-cc= transfer-encoding= 8bit-encoding= compose-encoding= batch-size= relogin-delay=
    dry-run compose annotate`),
  intents(args) {
    const server = args.value('smtp-server');
    const programs = ['to-cmd', 'cc-cmd', 'header-cmd', 'sendmail-cmd'] as const;
    return [
      ...programs.flatMap((name) => runs(args.value(name), `git send-email --${name}`)),
      // Otherwise it is a host.
      ...(textOf(server)?.startsWith('/') === true ? runs(server, 'git send-email --smtp-server') : []),
    ];
  },
};

/** git-grep(1): `-O<pager>` opens the files that match. */
export const grep: Subcommand = {
  options: optionTable(`cached no-index untracked exclude-standard recurse-submodules v|invert-match i|ignore-case
    w|word-regexp a|text I textconv r|recursive max-depth= E|extended-regexp G|basic-regexp F|fixed-strings
    P|perl-regexp n|line-number column h H full-name l|files-with-matches name-only L|files-without-match z|null
    o|only-matching c|count color=? break heading C|context= B|before-context= A|after-context= threads=
    p|show-function W|function-context f= e= and or not q|quiet all-match O|open-files-in-pager=? ext-grep
    m|max-count= debug+`),
  intents(args, call) {
    const use = args.uses.findLast(({ name }) => name === 'open-files-in-pager');
    if (use === undefined || use.negated) {
      return [];
    }
    const places = new Set(args.uses.filter(({ name }) => name === use.name).map(({ at }) => at));
    const words = call.words.filter((_, at) => !places.has(at)).map(pasted);
    const listing = `$(${['git', 'grep', '-l', ...words].join(' ')})`;
    // git-var(1) "GIT_PAGER".
    const pager = { command: known('less'), variables: ['GIT_PAGER', 'PAGER'] } as const;
    const program = use.value === null ? pager : { command: use.value };
    return [{ kind: 'run', ...program, appended: listing, by: 'git grep -O' }];
  },
};

/** A program on the other side of a transport, which for a path is this machine. */
function transport(name: string, table: string, ...programs: readonly string[]): Subcommand {
  return {
    options: optionTable(table),
    intents: (args) => programs.flatMap((option) => runs(args.value(option), `git ${name} --${option}`)),
  };
}

export const lsRemote = transport(
  'ls-remote',
  'q|quiet upload-pack= exec= t|tags h|heads b|branches+ refs get-url sort= exit-code symref o|server-option=',
  'upload-pack',
  'exec',
);
export const fetchPack = transport('fetch-pack', 'upload-pack= exec= all stdin q k v depth=', 'upload-pack', 'exec');
export const archive = transport(
  'archive',
  'format= prefix= add-file= o|output= worktree-attributes v|verbose l|list remote= exec= mtime=+ add-virtual-file=+',
  'exec',
);

/** git-clone(1): nothing of the present repository is touched, but settings may name programs. */
export const clone: Subcommand = {
  options: optionTable(`v|verbose q|quiet progress reject-shallow n|no-checkout bare naked mirror l|local no-hardlinks
    s|shared recurse-submodules=? recursive=? j|jobs= template= reference= reference-if-able= dissociate o|origin=
    b|branch= u|upload-pack= depth= shallow-since= shallow-exclude= single-branch no-tags shallow-submodules
    separate-git-dir= c|config= server-option= 4|ipv4 6|ipv6 filter= also-filter-submodules remote-submodules sparse
    bundle-uri= revision=+ ref-format=+`),
  intents: (args) => runs(args.value('upload-pack'), 'git clone --upload-pack'),
};

/** git-for-each-repo(1): the arguments are a git command, run in repositories that a setting lists. */
export const forEachRepo: Subcommand = {
  options: optionTable('config= keep-going+', { stopsAtArgument: true }),
  intents: (args) =>
    runs(args.operands.length === 0 ? undefined : [known('git'), ...args.operands], 'git for-each-repo'),
};

/** git-remote-ext(1), called by itself: the second argument is a command, in which `%` marks what git puts in. */
export const remoteExt: Subcommand = {
  options: optionTable(''),
  intents: ({ operands: [, command] }) => runs(unescaped(command), 'git remote-ext'),
};

function unescaped(command: Word | undefined): Word | undefined {
  return command?.kind === 'known'
    ? known(command.value.replace(/%(.)/g, (_, letter) => (letter === 's' ? 'x' : letter)))
    : command;
}

/** git-daemon(1): a program that is asked before every request. */
export const daemon: Subcommand = {
  options: optionTable(`verbose syslog export-all inetd access-hook= listen= port= timeout= init-timeout=
    max-connections= strict-paths base-path= base-path-relaxed interpolated-path= user-path=? reuseaddr detach pid-file=
    user= group= enable= disable= allow-override= forbid-override= informative-errors log-destination=`),
  intents: (args) => runs(args.value('access-hook'), 'git daemon --access-hook'),
};
