import type { DestroyRecoveryIntent, Intent } from '../intent.ts';
import { isEarly } from './expiry-dates.ts';
import { optionTable } from './option-table.ts';
import type { Arguments } from './parse-options.ts';
import { type Subcommand, type SubcommandGroup, surelyOption, unknownOptions } from './subcommand.ts';
import { textOf } from './words.ts';

const gcSuggestion = 'git gc';
const unreachable = 'objects that nothing reaches any more, from which lost commits and stashes are recovered';
export const reflogEntries = 'entries of the reflog, by which lost commits are found again';

export function destroyed(means: string, what: string, suggestion: string | null): DestroyRecoveryIntent {
  return { kind: 'destroy-recovery', means, destroyed: what, suggestion };
}

const reflogOptions = optionTable(`n|dry-run rewrite updateref v|verbose expire= expire-unreachable= stale-fix all
  single-worktree`);

function reflogMember(name: 'expire' | 'delete' | 'drop'): Subcommand {
  return {
    options: reflogOptions,
    intents: (args) => {
      const given = [
        [args.value('expire'), 'gc.reflogexpire'],
        [args.value('expire-unreachable'), 'gc.reflogexpireunreachable'],
      ] as const;
      const dates = given.flatMap(([date, setting]) => (date === undefined ? [] : [isEarly(textOf(date), setting)]));
      const keepsAll = dates.length > 0 && !dates.includes(true);
      return args.has('dry-run') || keepsAll ? [] : [destroyed(`git reflog ${name}`, reflogEntries, 'git reflog')];
    },
  };
}

/** git-reflog(1). */
export const reflog: SubcommandGroup = {
  members: { expire: reflogMember('expire'), delete: reflogMember('delete'), drop: reflogMember('drop') },
  otherwise: { options: optionTable(''), intents: () => [] },
};

/** git-gc(1): harmless unless it prunes sooner than git would by itself. */
export const gc: Subcommand = {
  options: optionTable(`q|quiet prune=? cruft aggressive auto force keep-largest-pack max-cruft-size=+ expire-to=+
    detach+ skip-foreground-tasks+`),
  intents(args, call) {
    const prune = args.value('prune');
    return [
      ...unknownOptions(args, call),
      ...(prune !== undefined && prunesEarly(textOf(prune))
        ? [destroyed(`git gc --prune=${textOf(prune) ?? '…'}`, unreachable, gcSuggestion)]
        : []),
    ];
  },
  feared: (args) => surelyOption(args, '--prune=now'),
};

/** Does it prune objects sooner than git would by itself? */
export function prunesEarly(date: string | null): boolean {
  return isEarly(date, 'gc.pruneexpire');
}

/** git-prune(1). */
export const prune: Subcommand = {
  options: optionTable('n|dry-run v|verbose progress expire= exclude-promisor-objects'),
  intents(args) {
    const date = args.value('expire');
    const keeps = args.has('dry-run') || (date !== undefined && !prunesEarly(textOf(date)));
    return keeps ? [] : [destroyed('git prune', unreachable, gcSuggestion)];
  },
};

/** git-repack(1): unreachable objects survive unless their age is named; `-a -d` drops those that are packed. */
export const repack: Subcommand = {
  options: optionTable(`a A cruft cruft-expiration= d f F n q|quiet l|local b|write-bitmap-index i|delta-islands
    unpack-unreachable= k|keep-unreachable window= window-memory= depth= threads= max-pack-size= pack-kept-objects
    keep-pack= g|geometric= m|write-midx=? expire-to= filter=+ filter-to=+ max-cruft-size=+ name-hash-version=+ path-walk+
    combine-cruft-below-size=+`),
  intents: (args) => repackLoss(args),
};

function repackLoss(args: Arguments): readonly Intent[] {
  const date = args.value('unpack-unreachable') ?? args.value('cruft-expiration');
  if (date !== undefined) {
    return prunesEarly(textOf(date)) ? [destroyed('git repack', unreachable, 'git repack -Ad')] : [];
  }
  const keeps = ['A', 'cruft', 'keep-unreachable'].some((name) => args.has(name));
  return args.has('a') && args.has('d') && !keeps
    ? [{ ...destroyed('git repack -a -d', unreachable, 'git repack -Ad'), packedOnly: true }]
    : [];
}

/** git-filter-branch(1). */
export const filterBranch: Subcommand = {
  options: optionTable(''),
  intents: () => [rewritesAll('git filter-branch')],
};

/** git-filter-repo, which also expires the reflog and prunes. */
export const filterRepo: Subcommand = {
  options: optionTable('analyze dry-run h|help version'),
  intents: (args) =>
    ['analyze', 'dry-run', 'help', 'version'].some((name) => args.has(name)) ? [] : [rewritesAll('git filter-repo')],
};

function rewritesAll(means: string): DestroyRecoveryIntent {
  const history = 'the history of every branch it is given, replaced by a new one';
  return { kind: 'destroy-recovery', means, destroyed: history };
}
