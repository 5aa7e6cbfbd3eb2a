import { createHash } from 'node:crypto';
import type { Repository } from '../repository.ts';
import type { Git } from '../runner.ts';
import { type RefMove, tipsOf } from './reachability.ts';
import { areRemade } from './remade-merges.ts';

/** More refs than these are not looked into. */
const maximumRefs = 12;
/** More commits than these are not compared. */
const maximumLost = 60;
/** Of the commits that stay, so many of the newest ones that touch the same files. */
const maximumKept = 400;
/** More files than these are not named to git. */
const maximumFiles = 300;
/** Milliseconds for each question: where git takes longer, nothing is known. */
const timeout = 5000;

/** What a commit changes. */
interface Patch {
  readonly files: ReadonlySet<string>;
  /** Two patches have the same one where they change the same lines between the same lines, wherever in a file. */
  readonly digest: string;
  /** What the commit says. */
  readonly message: string;
}

/**
 * The refs of whose commits something that stays has copies: other commits that change the same and say the same, perhaps
 * among other things. So it is once a branch was picked or rebased onto another one. A squashed branch has its changes
 * there, not its commits; a commit that changes nothing has no copy. Of a merge that git has made by itself nothing is lost.
 *
 * @param moves refs that move or go, all of them
 * @returns their full names
 */
export async function copiedRefs(moves: readonly RefMove[], repository: Repository): Promise<readonly string[]> {
  const copied: string[] = [];
  const { kept } = moves.length > maximumRefs ? { kept: [] } : await tipsOf(moves, repository);
  for (const move of kept.length === 0 ? [] : moves) {
    const { tips } = await tipsOf([move], repository);
    const [tip] = tips;
    if (tip !== undefined && (await isCopied(tip, kept, repository))) {
      copied.push(move.ref);
    }
  }
  return copied;
}

async function isCopied(tip: string, kept: readonly string[], repository: Repository): Promise<boolean> {
  const { git } = repository;
  const listed = await commitsAmong([tip], kept, ['--parents', `--max-count=${maximumLost + 1}`], git);
  const lost = listed?.map((line) => line.split(' ')) ?? [];
  if (lost.length === 0 || lost.length > maximumLost || lost.some((names) => names.length > 3)) {
    return false;
  }
  const namesOf = (parents: number) => lost.filter((names) => names.length === 1 + parents).map(([oid = '']) => oid);
  const merges = namesOf(2);
  const changes = [...namesOf(1), ...namesOf(0)];
  // A merge may hold what somebody has made of a conflict.
  return (
    (merges.length === 0 || (await areRemade(merges, repository))) &&
    (changes.length === 0 || (await haveCopies(changes, tip, kept, git)))
  );
}

/** @param commits that are no merges @param tip reaches them @param kept what stays */
async function haveCopies(
  commits: readonly string[],
  tip: string,
  kept: readonly string[],
  git: Git,
): Promise<boolean> {
  const patches = await patchesOf(commits, git);
  const files = [...new Set(patches?.flatMap((patch) => [...patch.files]))];
  if (patches === null || patches.length < commits.length || files.length > maximumFiles) {
    return false;
  }
  const options = ['--no-merges', `--max-count=${maximumKept}`];
  const touching = await commitsAmong(kept, [tip], options, git, files);
  const others = touching === null || touching.length === 0 ? null : await patchesOf(touching, git);
  if (others === null) {
    return false;
  }
  const isCopyOf = (patch: Patch) => (other: Patch) => other.digest === patch.digest && says(other, patch);
  return patches.every((patch) => others.some(isCopyOf(patch)));
}

/** `(cherry picked from commit …)`, `(#12)`: what is picked may say more. */
function says(copy: Patch, { message }: Patch): boolean {
  return message.split('\n').every((line) => copy.message.includes(line.trim()));
}

/** As git stores it, whatever is configured. */
const plainDiff = ['diff-tree', '-r', '-p', '--root', '--no-renames', '--full-index', '--no-ext-diff', '--no-textconv'];

/**
 * Commits that `tips` reach and `except` do not, the newest first, a line each as git prints it; null: git can't tell, or
 * not in time.
 */
async function commitsAmong(
  tips: readonly string[],
  except: readonly string[],
  options: readonly string[],
  git: Git,
  files: readonly string[] = [],
): Promise<readonly string[] | null> {
  const paths = files.length === 0 ? [] : ['--', ...files.map((file) => `:(top,literal)${file}`)];
  const input = [...tips, ...except.map((oid) => `^${oid}`), ''].join('\n');
  const listed = await output(git, ['rev-list', ...options, '--stdin', ...paths], input);
  return listed?.split('\n').filter(Boolean) ?? null;
}

/** What the commits say comes before what they change. */
const toldDiff = [...plainDiff, '--stdin', '--format=%x00%B%x00'];

/** Of each commit that changes something; null: git can't tell. */
async function patchesOf(commits: readonly string[], git: Git): Promise<readonly Patch[] | null> {
  const text = await output(git, toldDiff, `${commits.join('\n')}\n`);
  // Neither a message nor a patch of text has such a byte.
  const parts = text?.split('\0').slice(1) ?? [];
  const patches: Patch[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const lines = (parts[at + 1] ?? '').split('\n');
    const files = filesIn(lines);
    if (files.size > 0) {
      patches.push({ files, digest: digestOf(lines), message: parts[at] ?? '' });
    }
  }
  return text === null ? null : patches;
}

/** The files of a patch, from the root of the work tree. A name that git has to quote is none that it finds again. */
function filesIn(lines: readonly string[]): ReadonlySet<string> {
  const heads = lines.filter((line) => line.startsWith('diff --git '));
  // Without renames both names are the same.
  const names = heads.map((line) => /^diff --git a\/(.+) b\/\1$/.exec(line)?.[1] ?? line);
  return new Set(names.map((name) => Buffer.from(name, 'latin1').toString('utf8')));
}

/** Where a change stands in a file and what comes before and after it there does not count; of a binary file all does. */
function digestOf(lines: readonly string[]): string {
  const hash = createHash('sha256');
  let index = '';
  for (const line of lines) {
    if (line.startsWith('index ')) {
      index = line;
    } else if (line !== '') {
      const told = line.startsWith('@@ ') ? '@@' : line.startsWith('Binary files ') ? `${index}\n${line}` : line;
      hash.update(`${told}\n`);
    }
  }
  return hash.digest('hex');
}

async function output(git: Git, args: readonly string[], input?: string): Promise<string | null> {
  const found = await git.run(args, { timeout, ...(input === undefined ? {} : { input }) }).catch(() => null);
  // Bytes that are no text in UTF-8 count as well.
  return found?.exitCode === 0 ? found.stdout.toString('latin1') : null;
}
