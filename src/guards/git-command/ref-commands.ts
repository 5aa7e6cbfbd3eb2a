import { plannedReplacement } from '../../git/history/replaced-commits.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { Intent, MoveRefIntent, RefName } from '../intent.ts';
import { fetched } from './fetch-intent.ts';
import { deletedFully, movedFully } from './full-ref-commands.ts';
import { optionTable } from './option-table.ts';
import type { Arguments } from './parse-options.ts';
import { likelyOption, type Subcommand, unknownOptions } from './subcommand.ts';
import { branchName, trackingOf } from './switch-commands.ts';
import { known, textOf } from './words.ts';

const head = known('HEAD');

/** git-branch(1). */
export const branch: Subcommand = {
  options: optionTable(`v|verbose q|quiet t|track=? set-upstream u|set-upstream-to= unset-upstream color=? r|remotes
    contains=? no-contains=? with=? without=? abbrev=? a|all d|delete D m|move M c|copy C l|list show-current
    create-reflog edit-description f|force merged=? no-merged=? column=? sort= points-at= i|ignore-case
    recurse-submodules format= omit-empty+ delete-merged+`),
  intents(args, call) {
    const unknown = unknownOptions(args, call);
    const isListing = [
      'remotes',
      'list',
      'show-current',
      'contains',
      'no-contains',
      'with',
      'without',
      'merged',
      'no-merged',
      'points-at',
      'format',
    ].some((name) => args.has(name));
    if (isListing && !args.has('D') && !args.has('delete')) {
      return unknown;
    }
    if (args.has('delete-merged')) {
      // Those of which their upstreams have everything.
      return unknown;
    }
    if (args.has('D') || args.has('delete')) {
      return [...unknown, deletedBranches(args)];
    }
    const [first] = args.operands;
    const upstream = args.value('set-upstream-to');
    return upstream === undefined && !args.has('unset-upstream')
      ? [...unknown, ...movedBranches(args)]
      : [...unknown, { kind: 'track', branch: first ?? null, upstream: upstream ?? null }];
  },
  feared: (args) => (args.operands.length > 1 ? likelyOption(args, '-D') : null),
};

/** `-r`: remote-tracking ones, which git looks at no further. */
function deletedBranches(args: Arguments): Intent {
  if (args.has('remotes')) {
    const refs = args.operands.map((name): RefName => ({ namespace: 'refs/remotes/', name }));
    return { kind: 'delete-ref', refs, means: 'git branch -dr' };
  }
  const sparesUnmerged = !args.has('D') && !args.has('force');
  return {
    kind: 'delete-ref',
    refs: args.operands.map(branchName),
    sparesCheckedOut: true,
    sparesUnmerged,
    means: sparesUnmerged ? 'git branch -d' : 'git branch -D',
  };
}

/** `-M`, `-C`, `-f`: branches that may lead to other commits afterwards. */
function movedBranches(args: Arguments): readonly Intent[] {
  const [first, second] = args.operands;
  const isForced = args.has('force');
  const target = second ?? first;
  if (target === undefined || args.has('edit-description')) {
    return [];
  }
  const source = second === undefined ? undefined : first;
  if (args.has('M') || args.has('move')) {
    const forced = args.has('M') || isForced;
    const from = source === undefined ? null : branchName(source);
    return [
      { kind: 'rename-ref', from, to: branchName(target), forced, means: forced ? 'git branch -M' : 'git branch -m' },
    ];
  }
  if (args.has('C') || args.has('copy')) {
    const forced = args.has('C') || isForced;
    return [{ ...moved(branchName(target), source ?? head, 'git branch -C'), isNew: !forced, itself: true }];
  }
  if (first === undefined) {
    return [];
  }
  const made = moved(branchName(first), second ?? head, 'git branch -f');
  return [{ ...made, isNew: !isForced, tracking: trackingOf(args) }];
}

/** git-tag(1): with one of these it makes nothing. */
const listingTags = ['list', 'n', 'verify', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at', 'column'];

/** git-tag(1). */
export const tag: Subcommand = {
  options: optionTable(`l|list n=? d|delete v|verify a|annotate m|message= F|file= e|edit s|sign cleanup= u|local-user=
    f|force create-reflog column=? contains=? no-contains=? with=? without=? merged=? no-merged=? sort= points-at=?
    format= color=? i|ignore-case omit-empty+ trailer=+`),
  intents(args, call) {
    const unknown = unknownOptions(args, call);
    const [first, second = head] = args.operands;
    const isListing = listingTags.some((name) => args.has(name));
    if (first === undefined || isListing) {
      return unknown;
    }
    if (args.has('delete')) {
      return [...unknown, { kind: 'delete-ref', refs: args.operands.map(tagName), means: 'git tag -d' }];
    }
    const made: Intent = { ...moved(tagName(first), second, 'git tag -f'), isNew: !args.has('force') };
    return [...unknown, made, { kind: 'version', operation: 'tag' }];
  },
};

/** git-replace(1): a commit is shown with other parents, or another one in its place. */
export const replace: Subcommand = {
  options: optionTable('f|force d|delete l|list e|edit g|graft convert-graft-file raw format='),
  intents(args) {
    const [replaced, ...others] = args.operands;
    if (replaced === undefined || args.has('list')) {
      return [];
    }
    if (args.has('delete')) {
      return [withoutReplacements(args.operands, 'git replace -d')];
    }
    const before = args.has('force') ? [withoutReplacements([replaced], 'git replace -f')] : [];
    const marked = movedFully(known(plannedReplacement), replaced, 'git replace');
    return [...before, marked, ...(args.has('edit') ? [] : madeReplacement(replaced, others, args.has('graft')))];
  },
};

/** @param others what takes its place, or the parents that it gets */
function madeReplacement(replaced: Word, others: readonly Word[], isGraft: boolean): readonly Intent[] {
  const to = isGraft ? replaced : others[0];
  const ref = { namespace: 'refs/replace/', name: replaced } as const;
  const means = isGraft ? 'git replace --graft' : 'git replace';
  const parents = isGraft ? { parents: others } : {};
  return to === undefined ? [] : [{ kind: 'move-ref', ref, to, isNew: true, ...parents, means }];
}

function withoutReplacements(replaced: readonly Word[], means: string): Intent {
  return { kind: 'delete-ref', refs: replaced.map((name) => ({ namespace: 'refs/replace/', name })), means };
}

/** git-fetch(1). */
export const fetch: Subcommand = {
  options: optionTable(`v|verbose q|quiet all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n
    j|jobs= prefetch p|prune P|prune-tags recurse-submodules=? dry-run write-fetch-head k|keep u|update-head-ok progress
    depth= shallow-since= shallow-exclude= deepen= unshallow refetch submodule-prefix= recurse-submodules-default=
    update-shallow refmap= o|server-option= 4|ipv4 6|ipv6 negotiation-tip= negotiation-restrict=+
    negotiation-include=+ negotiate-only filter= auto-maintenance
    auto-gc show-forced-updates write-commit-graph stdin porcelain+`),
  intents(args, call) {
    const program = args.value('upload-pack');
    const runs: readonly Intent[] =
      program === undefined ? [] : [{ kind: 'run', command: program, by: 'git fetch --upload-pack' }];
    return args.has('dry-run') ? runs : [...runs, ...fetched(args, call, 'git fetch')];
  },
};

/**
 * git-fast-import(1): `commit REF` and `reset REF` in its stream. Without `--force`, which the stream itself may ask for as
 * well, they only fast-forward; tags are overwritten, and what is reset to nothing goes, in any case.
 */
export const fastImport: Subcommand = {
  options:
    optionTable(`quiet stats allow-unsafe-features cat-file-blob-fd= export-marks= import-marks= import-marks-if-exists=
    relative-marks done force date-format= max-pack-size= big-file-threshold= depth= active-branches= export-pack-edges=
    signed-commits=+ signed-tags=+`),
  intents(args, { input }) {
    const means = 'git fast-import';
    if (input?.kind !== 'text') {
      const reason = input?.kind === 'unknown' ? input.reason : 'its standard input is not part of the command line';
      const could = 'another history of any branch';
      const source = 'git fast-import --force';
      return [
        { kind: 'import', refs: ['refs/heads/*'], means },
        ...(args.has('force') ? [{ kind: 'unreadable', source, reason, could } as const] : []),
      ];
    }
    const isForced = args.has('force') || /^feature force$/m.test(input.text);
    const refs = Array.from(input.text.matchAll(/^(?:commit|reset) (\S+)$/gm), ([, ref = '']) => ref);
    return [
      { kind: 'import', refs: refs.filter((ref) => ref.startsWith('refs/heads/')), means },
      ...(isForced ? refs.map((ref) => movedFully(known(ref), null, `${means} --force`)) : []),
      ...[...input.text.matchAll(/^reset (\S+)\nfrom 0+$/gm)].map(([, ref = '']) => deletedFully(known(ref), means)),
      ...[...input.text.matchAll(/^tag (\S+)$/gm)].map(([, tag = '']) =>
        movedFully(known(`refs/tags/${tag}`), null, means),
      ),
    ];
  },
};

function moved(ref: RefName, to: Word | null, means: string): MoveRefIntent {
  const name = textOf(ref.name);
  return { kind: 'move-ref', ref, to, means: name === null ? means : `${means} ${name}` };
}

function tagName(name: Word): RefName {
  return { namespace: 'refs/tags/', name };
}
