import type { Word } from '../../shell/simple-command.ts';
import type { Intent, RefName } from '../intent.ts';
import { fetchedRefs } from './commit-commands.ts';
import { optionTable } from './option-table.ts';
import type { Arguments } from './parse-options.ts';
import { type Subcommand, type SubcommandCall, unknownOptions } from './subcommand.ts';
import { known, textOf } from './words.ts';
import { branchName } from './work-tree-commands.ts';

const head = known('HEAD');

/** git-branch(1). `-d` alone is safe: git refuses to delete what is not merged. */
export const branch: Subcommand = {
  options: optionTable(`v|verbose q|quiet t|track=? set-upstream u|set-upstream-to= unset-upstream color=? r|remotes
    contains=? no-contains=? with=? without=? abbrev=? a|all d|delete D m|move M c|copy C l|list show-current
    create-reflog edit-description f|force merged=? no-merged=? column=? sort= points-at= i|ignore-case
    recurse-submodules format= omit-empty+`),
  intents(args, call) {
    const isForced = args.has('force');
    const unknown = unknownOptions(args, call);
    if (args.has('remotes') || args.has('list')) {
      return unknown;
    }
    if (args.has('D') || args.has('delete')) {
      const deletes = args.has('D') || isForced;
      return deletes
        ? [...unknown, { kind: 'delete-ref', refs: args.operands.map(branchName), means: 'git branch -D' }]
        : unknown;
    }
    const [first] = args.operands;
    const upstream = args.value('set-upstream-to');
    return upstream === undefined
      ? [...unknown, ...movedBranches(args)]
      : [...unknown, { kind: 'track', branch: first ?? null, upstream }];
  },
};

/** `-M`, `-C`, `-f`: branches that may lead to other commits afterwards. */
function movedBranches(args: Arguments): readonly Intent[] {
  const [first, second] = args.operands;
  const isForced = args.has('force');
  const renames = args.has('M') || (args.has('move') && isForced);
  const copies = args.has('C') || (args.has('copy') && isForced);
  if (renames || copies) {
    const target = second ?? first;
    const source = second === undefined ? head : (first ?? head);
    return target === undefined ? [] : [moved(branchName(target), source, renames ? 'git branch -M' : 'git branch -C')];
  }
  return isForced && first !== undefined ? [moved(branchName(first), second ?? head, 'git branch -f')] : [];
}

/** git-tag(1). */
export const tag: Subcommand = {
  options: optionTable(`l|list n=? d|delete v|verify a|annotate m|message= F|file= e|edit s|sign cleanup= u|local-user=
    f|force create-reflog column=? contains=? no-contains=? with=? without=? merged=? no-merged=? sort= points-at=?
    format= color=? i|ignore-case omit-empty+ trailer=+`),
  intents(args, call) {
    const unknown = unknownOptions(args, call);
    const [first, second = head] = args.operands;
    const isListing = ['list', 'n', 'verify', 'contains', 'merged', 'points-at', 'column'].some((name) =>
      args.has(name),
    );
    if (first === undefined || isListing) {
      return unknown;
    }
    if (args.has('delete')) {
      return [...unknown, { kind: 'delete-ref', refs: args.operands.map(tagName), means: 'git tag -d' }];
    }
    const moves = args.has('force') ? [moved(tagName(first), second, 'git tag -f')] : [];
    return [...unknown, ...moves, { kind: 'version', operation: 'tag' }];
  },
};

/** git-update-ref(1): the plumbing below all of these. */
export const updateRef: Subcommand = {
  options: optionTable('m= d no-deref stdin z create-reflog batch-updates+'),
  intents(args, call) {
    if (args.has('stdin')) {
      return fromStandardInput(call);
    }
    const [ref, value] = args.operands;
    if (ref === undefined) {
      return unknownOptions(args, call);
    }
    return args.has('d')
      ? [{ kind: 'delete-ref', refs: [fullName(ref)], means: 'git update-ref -d' }]
      : [movedFully(ref, value ?? null, 'git update-ref')];
  },
};

/** Lines of `update-ref --stdin`: `update SP <ref> SP <new> [SP <old>]`, `delete SP <ref>`, and harmless ones. */
function fromStandardInput({ input }: SubcommandCall): readonly Intent[] {
  if (input?.kind !== 'text') {
    const reason = input?.kind === 'unknown' ? input.reason : 'its standard input is not part of the command line';
    return [{ kind: 'unreadable', source: 'git update-ref --stdin', reason, could: 'the deletion of any ref' }];
  }
  return input.text.split(/[\n\0]/).flatMap((line): readonly Intent[] => {
    const [verb, ref, value] = line.split(' ');
    if (ref === undefined) {
      return [];
    }
    if (verb === 'delete') {
      return [{ kind: 'delete-ref', refs: [fullName(known(ref))], means: 'git update-ref --stdin' }];
    }
    return verb === 'update' ? [movedFully(known(ref), known(value ?? ''), 'git update-ref --stdin')] : [];
  });
}

/** git-symbolic-ref(1): another way to switch branches, without touching files. */
export const symbolicRef: Subcommand = {
  options: optionTable('q|quiet d|delete short recurse m='),
  intents(args) {
    const [name, target] = args.operands;
    const value = textOf(target);
    return textOf(name) === 'HEAD' && value !== null
      ? [{ kind: 'switch', to: known(value.replace(/^refs\/heads\//, '')), create: false, detach: false }]
      : [];
  },
};

/** git-fetch(1). */
export const fetch: Subcommand = {
  options: optionTable(`v|verbose q|quiet all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n
    j|jobs= prefetch p|prune P|prune-tags recurse-submodules=? dry-run write-fetch-head k|keep u|update-head-ok progress
    depth= shallow-since= shallow-exclude= deepen= unshallow refetch submodule-prefix= recurse-submodules-default=
    update-shallow refmap= o|server-option= 4|ipv4 6|ipv6 negotiation-tip= negotiate-only filter= auto-maintenance
    auto-gc show-forced-updates write-commit-graph stdin porcelain+`),
  intents(args) {
    const program = args.value('upload-pack');
    const runs: readonly Intent[] =
      program === undefined ? [] : [{ kind: 'run', command: program, by: 'git fetch --upload-pack' }];
    if (args.has('dry-run') || args.has('multiple')) {
      return runs;
    }
    return [...runs, ...fetchedRefs(args.operands.slice(1), args.has('force'), 'git fetch')];
  },
};

function moved(ref: RefName, to: Word | null, means: string): Intent {
  const name = textOf(ref.name);
  return { kind: 'move-ref', ref, to, means: name === null ? means : `${means} ${name}` };
}

function movedFully(ref: Word, to: Word | null, means: string): Intent {
  const isHead = textOf(ref) === 'HEAD';
  return {
    kind: 'move-ref',
    ref: isHead ? null : fullName(ref),
    to,
    means: `${means} ${textOf(ref) ?? ''}`.trimEnd(),
  };
}

function tagName(name: Word): RefName {
  return { namespace: 'refs/tags/', name };
}

function fullName(name: Word): RefName {
  return { namespace: '', name };
}
