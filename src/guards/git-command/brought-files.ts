import type { Word } from '../../shell/simple-command.ts';
import type { BringFilesIntent, Intent } from '../intent.ts';
import { merges, namesHead } from './discards.ts';
import { type Arguments, isNegated } from './parse-options.ts';
import { known, textOf } from './words.ts';

/** Of the branch that is checked out: what is merged or put under it where nothing is named. */
export const upstream = known('@{upstream}');

/** All files of another commit come into the work tree. @param commit none: HEAD's, which are there */
export function broughtFrom(
  commit: Word | undefined,
  means: string,
  more: Partial<Pick<BringFilesIntent, 'forced' | 'discards' | 'refuses'>> & { readonly mayBePath?: boolean } = {},
): readonly Intent[] {
  const { mayBePath = false, ...rest } = more;
  return commit === undefined || namesHead(commit)
    ? []
    : [{ kind: 'bring-files', source: { kind: 'commit', commit, mayBePath }, forced: false, means, ...rest }];
}

/** All files of HEAD, where the index may have another commit's: `git symbolic-ref HEAD refs/heads/x && git reset --hard`. */
export function filesOfHead(means: string): Intent {
  return { kind: 'bring-files', source: { kind: 'commit', commit: known('HEAD') }, forced: true, means };
}

/**
 * The files of a commit come to be checked out; with paths only those do. git-checkout(1): `--no-overwrite-ignore`
 * keeps ignored files, unless it is forced.
 */
export function switchedFiles(args: Arguments, means: string, mayBePath = false): readonly Intent[] {
  const [commit] = args.operands;
  const forced = args.has('force');
  const discards = forced || args.has('discard-changes');
  if (args.operands.length === 0 && forced) {
    return [filesOfHead(`${means} --force`)];
  }
  return args.operands.length !== 1 || (isNegated(args, 'overwrite-ignore') && !forced)
    ? []
    : broughtFrom(commit, forced ? `${means} --force` : means, {
        forced,
        mayBePath,
        ...(discards ? { discards } : merges(args) ? {} : { refuses: 'touched' }),
      });
}

/** What the other sides have changed comes into the work tree; one that is only recorded brings nothing. */
export function mergedFiles(args: Arguments, given: readonly Word[], means: string): readonly Intent[] {
  const rebasesAsConfigured = means === 'git pull' && !isNegated(args, 'rebase') && !args.has('rebase');
  const commits = given.length === 0 ? [upstream] : given;
  const isKept = takesOurs(args);
  // git-merge(1) "--no-overwrite-ignore": it is honoured by fast-forwards alone.
  const spares = isNegated(args, 'overwrite-ignore') && !isNegated(args, 'ff');
  const more: Partial<BringFilesIntent> = {
    ...(spares ? { sparesIgnored: 'fast-forward' } : {}),
    ...(args.has('autostash') ? {} : { refuses: 'touched' }),
  };
  const source = { kind: 'merge', commits, rebasesAsConfigured } as const;
  return isKept ? [] : [{ ...more, kind: 'bring-files', source, forced: false, means }];
}

/** As far as it was fetched before: what the remote has by now is not known here. */
export function pulledFiles(args: Arguments): readonly Intent[] {
  const [remote, ...refspecs] = args.operands;
  const names = refspecs.map((word) => textOf(word)?.replace(/^\+?(?:refs\/heads\/)?|:.*$/g, '') ?? '');
  const from = textOf(remote) === '.' ? '' : `${textOf(remote)}/`;
  const commits = names.map((name) => known(`${from}${name}`));
  const isRebase = args.has('rebase') && textOf(args.value('rebase')) !== 'false';
  if (!/^(?:[\w.-]+\/)?$/.test(from)) {
    // A URL, of which nothing is known here.
    return [];
  }
  return isRebase
    ? rebasedFiles(args, commits[0] ?? upstream, false, 'git pull --rebase')
    : mergedFiles(args, commits, 'git pull');
}

/**
 * The commit that others are put on is checked out first; git refuses where anything is not committed.
 *
 * @param isAnew also where HEAD has that commit
 */
export function rebasedFiles(args: Arguments, onto: Word | null, isAnew: boolean, means: string): readonly Intent[] {
  const refuses = args.has('autostash') ? {} : ({ refuses: 'all' } as const);
  return onto === null || namesHead(onto)
    ? []
    : [
        {
          kind: 'bring-files',
          source: { kind: 'commit', commit: onto, sparesAncestors: !isAnew },
          forced: false,
          means,
          ...refuses,
        },
      ];
}

/** git-merge(1) "MERGE STRATEGIES": of what is merged, the other side's changes are left out. */
export function takesOurs(args: Arguments): boolean {
  return args.values('strategy').some((name) => textOf(name) === 'ours');
}

/** git-rebase(1) "--strategy-option": of what both sides have changed, "ours" is what the commits are put on. */
export function givesWay(args: Arguments): boolean {
  return (
    textOf(args.values('strategy-option').findLast((name) => /^(?:ours|theirs)$/.test(textOf(name) ?? ''))) === 'ours'
  );
}
