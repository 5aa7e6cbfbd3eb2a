import { listedWords } from '../../listed-words.ts';
import { am, cherryPick, commit, commitTree, merge, pull, rebase, revert } from './commit-commands.ts';
import { config, remote } from './configuration-commands.ts';
import { symbolicRef, updateRef } from './full-ref-commands.ts';
import { add, updateIndex } from './index-commands.ts';
import { submodule, worktree } from './nested-tree-commands.ts';
import { httpPush, push, sendPack } from './push-commands.ts';
import { history, mergeIndex, mergeOneFile, mergeStrategy, perforce, refs, replay, svn } from './recent-commands.ts';
import { filterBranch, filterRepo, gc, prune, reflog, repack } from './recovery-commands.ts';
import { branch, fastImport, fetch, replace, tag } from './ref-commands.ts';
import {
  archive,
  bisect,
  clone,
  daemon,
  difftool,
  fetchPack,
  forEachRepo,
  grep,
  lsRemote,
  remoteExt,
  sendEmail,
} from './running-commands.ts';
import { sparseCheckout } from './sparse-commands.ts';
import { stash } from './stash-commands.ts';
import type { Subcommand, SubcommandGroup } from './subcommand.ts';
import { subtree } from './subtree-commands.ts';
import { checkout, switchBranch } from './switch-commands.ts';
import { apply, checkoutIndex, clean, move, readTree, remove, reset, restore } from './work-tree-commands.ts';

/**
 * Every subcommand with a rule. What is missing here and is git's own is harmless. Functions: the options of one
 * subcommand need not be made to read another. No object literal: V8 makes one of so many members a member at a time.
 */
export const judgedSubcommands: ReadonlyMap<string, () => Subcommand | SubcommandGroup> = new Map<
  string,
  () => Subcommand | SubcommandGroup
>([
  ['push', () => push],
  ['send-pack', () => sendPack],
  ['http-push', () => httpPush],
  ['subtree', () => subtree],
  ['commit', () => commit],
  ['commit-tree', () => commitTree],
  ['merge', () => merge],
  ['pull', () => pull],
  ['rebase', () => rebase],
  ['am', () => am],
  ['cherry-pick', () => cherryPick],
  ['revert', () => revert],
  ['add', () => add],
  ['stage', () => add],
  ['checkout', () => checkout],
  ['switch', () => switchBranch],
  ['restore', () => restore],
  ['reset', () => reset],
  ['clean', () => clean],
  ['rm', () => remove],
  ['mv', () => move],
  ['update-index', () => updateIndex],
  ['apply', () => apply],
  ['fast-import', () => fastImport],
  ['read-tree', () => readTree],
  ['checkout-index', () => checkoutIndex],
  ['sparse-checkout', () => sparseCheckout],
  ['stash', () => stash],
  ['legacy-stash', () => stash],
  ['worktree', () => worktree],
  ['submodule', () => submodule],
  ['submodule--helper', () => submodule],
  ['branch', () => branch],
  ['tag', () => tag],
  ['update-ref', () => updateRef],
  ['symbolic-ref', () => symbolicRef],
  ['replace', () => replace],
  ['fetch', () => fetch],
  ['fetch-pack', () => fetchPack],
  ['reflog', () => reflog],
  ['gc', () => gc],
  ['prune', () => prune],
  ['repack', () => repack],
  ['filter-branch', () => filterBranch],
  ['filter-repo', () => filterRepo],
  ['config', () => config],
  ['remote', () => remote],
  ['bisect', () => bisect],
  ['difftool', () => difftool],
  ['grep', () => grep],
  ['ls-remote', () => lsRemote],
  ['archive', () => archive],
  ['clone', () => clone],
  ['for-each-repo', () => forEachRepo],
  ['replay', () => replay],
  ['history', () => history],
  ['refs', () => refs],
  ['merge-index', () => mergeIndex],
  ['merge-one-file', () => mergeOneFile],
  ...['recursive', 'recursive-ours', 'recursive-theirs', 'resolve', 'subtree', 'octopus'].map(
    (strategy) => [`merge-${strategy}`, () => mergeStrategy] as const,
  ),
  ['remote-ext', () => remoteExt],
  ['daemon', () => daemon],
  ['send-email', () => sendEmail],
  ['svn', () => svn],
  ['p4', () => perforce],
]);

/** git's own commands without a rule (`git --list-cmds=builtins,main` of 2.25 to 2.55): no alias can replace them. */
const harmlessNames = `add--interactive annotate archimport backfill bisect--helper blame bugreport bundle cat-file check-attr check-ignore
  check-mailmap check-ref-format checkout--worker cherry citool column commit-graph count-objects credential credential-cache
  credential-cache--daemon credential-store cvsexportcommit cvsimport cvsserver describe diagnose diff diff-files
  diff-index diff-pairs diff-tree difftool--helper env--helper fast-export fmt-merge-msg for-each-ref
  format-patch format-rev fsck fsck-objects fsmonitor--daemon get-tar-commit-id gitk gui hash-object help hook http-backend
  http-fetch imap-send index-pack init init-db instaweb interpret-trailers last-modified log ls-files ls-tree mailinfo
  mailsplit maintenance merge-base merge-file merge-ours merge-tree mergetool mktag mktree
  multi-pack-index name-rev notes pack-objects pack-redundant pack-refs patch-id pickaxe prune-packed quiltimport
  range-diff receive-pack remote-fd remote-ftp remote-ftps remote-http remote-https repo
  request-pull rerere rev-list rev-parse shell shortlog show show-branch show-index show-ref sh-i18n sh-setup
  status stripspace survey unpack-file unpack-objects
  update-server-info upload-archive upload-archive--writer upload-pack url-parse var verify-commit verify-pack
  verify-tag version web--browse whatchanged write-tree`;

let harmless: ReadonlySet<string> | undefined;

/** Made when first needed: a push never asks. */
function harmlessSubcommands(): ReadonlySet<string> {
  harmless ??= new Set(listedWords(harmlessNames));
  return harmless;
}

/** Does git run this itself, whatever the aliases are? */
export function isBuiltIn(name: string): boolean {
  return judgedSubcommands.has(name) || harmlessSubcommands().has(name);
}

/** Every command of git's own. */
export function builtInNames(): readonly string[] {
  return [...judgedSubcommands.keys(), ...harmlessSubcommands()];
}
