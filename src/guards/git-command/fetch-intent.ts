import type { Word } from '../../shell/simple-command.ts';
import type { Intent } from '../intent.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import type { SubcommandCall } from './subcommand.ts';
import { known, textOf } from './words.ts';

/** What `git fetch` and `git pull` bring, and to where: git-fetch(1) "CONFIGURED REMOTE-TRACKING BRANCHES". */
export function fetched(args: Arguments, { input }: SubcommandCall, means: string): readonly Intent[] {
  const [remote = null, ...refspecs] = args.operands;
  const common = {
    kind: 'fetch',
    refmap: args.values('refmap'),
    force: args.has('force'),
    updatesHead: args.has('update-head-ok'),
    prune: given(args, 'prune'),
    pruneTags: given(args, 'prune-tags'),
    prunesOnly: false,
    means,
  } as const;
  if (args.has('multiple')) {
    return args.operands.map((name): Intent => ({ ...common, all: false, remote: name, refspecs: [] }));
  }
  const listed = args.has('stdin') ? linesOf(input) : [];
  return [{ ...common, all: args.has('all'), remote, refspecs: [...refspecs, ...listed] }, ...newUpstream(args)];
}

/** `--set-upstream REMOTE BRANCH`: a later push may go there. */
function newUpstream(args: Arguments): readonly Intent[] {
  const [remote, branch] = args.operands.map(textOf);
  const source = branch
    ?.replace(/^\+/, '')
    .split(':', 1)[0]
    ?.replace(/^refs\/heads\//, '');
  return args.has('set-upstream') && !args.has('dry-run') && remote && source
    ? [{ kind: 'track', branch: null, upstream: known(`${remote}/${source}`) }]
    : [];
}

/** Null: neither the option nor its negation. */
function given(args: Arguments, name: string): boolean | null {
  return args.has(name) ? true : isNegated(args, name) ? false : null;
}

function linesOf(input: SubcommandCall['input']): readonly Word[] {
  return input?.kind === 'text' ? input.text.split('\n').filter(Boolean).map(known) : [];
}
