import { type Lease, type PushRequest, plainPush } from '../../git/push/push-request.ts';
import type { Word } from '../../shell/simple-command.ts';
import type { Intent } from '../intent.ts';
import { optionTable } from './option-table.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import { type Subcommand, type SubcommandCall, unknownOptions, withoutOption } from './subcommand.ts';
import { isUnknown, known, pasted, textOf, type UnknownWord } from './words.ts';

const pushOptions = optionTable(`
  v|verbose q|quiet repo= all branches+ mirror d|delete tags n|dry-run porcelain f|force force-with-lease=?
  force-if-includes recurse-submodules= thin receive-pack= exec= u|set-upstream progress prune no-verify follow-tags
  signed=? atomic o|push-option= 4|ipv4 6|ipv6`);

/** git-push(1). */
export const push: Subcommand = {
  options: pushOptions,
  intents(args, call) {
    const repository = args.operands[0] ?? args.value('repo') ?? null;
    return pushIntents(args, call, repository, args.operands.slice(1));
  },
};

/** git-send-pack(1): a push by URL that reads no configuration and runs no pre-push hook. */
export const sendPack: Subcommand = {
  options: optionTable(`v|verbose q|quiet receive-pack= exec= remote= all n|dry-run mirror f|force signed=?
    push-option= progress thin atomic stateless-rpc stdin helper-status force-with-lease=? force-if-includes`),
  intents(args, call) {
    const [repository = null, ...refspecs] = args.operands;
    if (!args.has('stdin')) {
      return [...pushIntents(args, call, repository, refspecs), ...withoutHook(args, call)];
    }
    if (call.input?.kind !== 'text') {
      return [
        { kind: 'unreadable', source: '--stdin', reason: 'the refs come from standard input', could: 'any refspec' },
      ];
    }
    const listed = call.input.text.split('\n').filter(Boolean).map(known);
    return [...pushIntents(args, call, repository, [...refspecs, ...listed]), ...withoutHook(args, call)];
  },
};

/** git-http-push(1): `-D` deletes, everything else pushes to a dumb HTTP server. */
export const httpPush: Subcommand = {
  options: optionTable('all dry-run force verbose d D'),
  intents(args, call) {
    const [repository = null, ...refspecs] = args.operands;
    const deletes = args.has('d') || args.has('D');
    const pushed = pushIntents(args, call, repository, refspecs).map((intent) =>
      intent.kind === 'push' ? { ...intent, request: { ...intent.request, delete: deletes } } : intent,
    );
    return [...pushed, ...withoutHook(args, call)];
  },
};

/** Refspecs that are all known say which branches a plain push changes, whatever the remote is. */
function saysWhere(args: Arguments, repository: Word | null, refspecs: readonly Word[]): repository is UnknownWord {
  const changesMore = ['all', 'branches', 'mirror', 'tags', 'delete', 'prune', 'force'].some((name) => args.has(name));
  const isOneWord = repository?.kind === 'unknown' && !repository.mayExpandToSeveral;
  return isOneWord && !changesMore && refspecs.length > 0 && refspecs.every((word) => isRefspec(textOf(word) ?? ''));
}

/** Neither forced nor a deletion, nor what could be the remote if the word before were an option. */
function isRefspec(text: string): boolean {
  return /^[^+:./~]/.test(text) && !/^[\w+.-]+:\/\/|^[^:/]+@[^:]*:|\.\.|^tag$/.test(text);
}

/** `"https://$TOKEN@example.com/shop.git"`: no option, and no name of a branch. */
function isAddress(repository: Word | null): boolean {
  return repository?.kind === 'unknown' && !repository.mayExpandToSeveral && /^[\w+.-]+:\/\//.test(repository.prefix);
}

/** What a push means to do. @param repository null: none is named @param refspecs as on the line */
export function pushIntents(
  args: Arguments,
  call: SubcommandCall,
  repository: Word | null,
  refspecs: readonly Word[],
): readonly Intent[] {
  const remote = saysWhere(args, repository, refspecs) ? { remote: repository } : {};
  const isRemote = remote.remote !== undefined || (isAddress(repository) && refspecs.some(isUnknown));
  const unknown = [isRemote ? null : repository, ...refspecs].filter(isUnknown);
  const leases = readLeases(args);
  const request: PushRequest = {
    ...plainPush,
    repository: textOf(repository),
    refspecs: joinTags(refspecs.flatMap((word) => textOf(word) ?? [])),
    branches: args.has('all') || args.has('branches'),
    mirror: args.has('mirror'),
    tags: args.has('tags'),
    followTags: ternary(args, 'follow-tags'),
    delete: args.has('delete'),
    prune: args.has('prune'),
    force: args.has('force'),
    leases,
    forceIfIncludes: ternary(args, 'force-if-includes'),
    submodules: isNegated(args, 'recurse-submodules') ? 'no' : textOf(args.value('recurse-submodules')),
    verify: !isNegated(args, 'verify'),
    dryRun: args.has('dry-run'),
    atomic: args.has('atomic'),
    setsUpstream: args.has('set-upstream'),
  };
  const pushed: readonly Intent[] = [{ kind: 'push', request, unknown: unknown as readonly UnknownWord[], ...remote }];
  return [...skipped(args, call, request), ...unknownOptions(args, call), ...pushed, ...programs(args)];
}

/** Only `git push` runs the pre-push hook: githooks(5). */
function withoutHook(args: Arguments, { name }: SubcommandCall): readonly Intent[] {
  const suggestion = ['git push', ...args.operands.map(pasted)].join(' ');
  return args.has('dry-run')
    ? []
    : [{ kind: 'skip-hooks', means: `git ${name}`, skipped: 'the pre-push hook', suggestion }];
}

function skipped(args: Arguments, call: SubcommandCall, request: PushRequest): readonly Intent[] {
  return isNegated(args, 'verify') && !request.dryRun
    ? [
        {
          kind: 'skip-hooks',
          means: '--no-verify',
          skipped: 'the pre-push hook',
          suggestion: withoutOption(args, call, 'verify', null),
        },
      ]
    : [];
}

/** Programs that git starts on the remote's side, which for a path is this machine. */
function programs(args: Arguments): readonly Intent[] {
  const program = args.value('receive-pack') ?? args.value('exec');
  return program === undefined ? [] : [{ kind: 'run', command: program, by: 'git push --receive-pack' }];
}

function ternary(args: Arguments, name: string): boolean | null {
  const last = args.uses.findLast((use) => use.name === name);
  return last === undefined ? null : !last.negated;
}

function readLeases(args: Arguments): readonly Lease[] {
  const given = args.uses.filter(({ name }) => name === 'force-with-lease');
  const standing = given.slice(given.findLastIndex(({ negated }) => negated) + 1);
  return standing.map(({ value }) => {
    const text = textOf(value);
    if (text === null) {
      return { ref: null, expect: null };
    }
    const colon = text.indexOf(':');
    return colon < 0 ? { ref: text, expect: null } : { ref: text.slice(0, colon), expect: text.slice(colon + 1) };
  });
}

/** `tag <tag>` is short for `refs/tags/<tag>:refs/tags/<tag>`. */
function joinTags(refspecs: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let index = 0; index < refspecs.length; index += 1) {
    const refspec = refspecs[index] as string;
    const tag = refspecs[index + 1];
    if (refspec === 'tag' && tag !== undefined) {
      joined.push(`refs/tags/${tag}:refs/tags/${tag}`);
      index += 1;
    } else {
      joined.push(refspec);
    }
  }
  return joined;
}
