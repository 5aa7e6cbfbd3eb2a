import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
import type { Checkpoint } from './checkpoint-record.ts';
import { isBeyondLink } from './named-files.ts';
import type { SnapshotGit } from './snapshot-git.ts';
import { statsOf } from './work-tree-state.ts';

/** What an undo does to one file. */
export interface FileChange {
  readonly path: string;
  readonly change: 'restore' | 'recreate' | 'delete';
}

/** With the object that the file is now. */
export interface ComparedFile extends FileChange {
  readonly oid: string;
}

const kinds: Readonly<Record<string, FileChange['change']>> = { A: 'recreate', D: 'delete' };

/** What makes one tree of the other. */
export async function compareTrees(git: SnapshotGit, from: string, to: string): Promise<readonly ComparedFile[]> {
  const output = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', from, to]);
  const fields = utf8(output).split('\0');
  const changes: ComparedFile[] = [];
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [, , oid = '', , status = ''] = (fields[n] ?? '').split(' ');
    changes.push({ path: fields[n + 1] ?? '', change: kinds[status] ?? 'restore', oid });
  }
  return changes;
}

/** What exists where a file has to come back, though the snapshot of the present doesn't know it, would be lost. */
export function refuseObstacles(workTree: string, files: readonly FileChange[]): void {
  const deleted = new Set(files.filter(({ change }) => change === 'delete').map(({ path }) => path));
  const obstacles = files
    .filter(({ change }) => change === 'recreate')
    .flatMap(({ path }) => filesAt(workTree, path))
    .filter((path) => !deleted.has(path));
  const [first] = obstacles;
  if (first !== undefined) {
    throw new OxideError(
      'undo-in-the-way',
      `Ignored or very large files stand where files have to come back: ${obstacles.slice(0, 5).join(', ')}. Nothing was changed.`,
      { remedy: `mv -- ${quoteWord(first)} ${quoteWord(`${first}.kept`)}   # then undo again` },
    );
  }
}

/** Where a link has taken a directory's place, the link is in the way. */
function filesAt(workTree: string, path: string): readonly string[] {
  if (isBeyondLink(workTree, latin1(path), new Map())) {
    return filesAt(workTree, dirname(path));
  }
  const stats = statsOf(`${workTree}/${path}`);
  if (stats === undefined) {
    return [];
  }
  if (!stats.isDirectory()) {
    return [path];
  }
  return readdirSync(`${workTree}/${path}`).flatMap((name) => filesAt(workTree, `${path}/${name}`));
}

/**
 * Of the files that the checkpoint has not, those that were there all the same, so that they are nobody's to delete:
 * what its own `.gitignore` files ignore, and what nobody has touched since (its ctime is older), unless it lay elsewhere.
 *
 * @param target the checkpoint's tree
 */
export async function leftOutThen(
  git: SnapshotGit,
  { created }: Checkpoint,
  target: string,
  files: readonly ComparedFile[],
): Promise<ReadonlySet<string>> {
  const deleted = files.filter(({ change }) => change === 'delete');
  const hasOtherRules = files.some(({ path }) => basename(path) === '.gitignore');
  const ignored = hasOtherRules && deleted.length > 0 ? await ignoredIn(git, target, deleted) : new Set<string>();
  const since = Date.parse(created);
  const old = deleted.filter(({ path }) => (statsOf(join(git.places.workTree, path))?.ctimeMs ?? since) < since);
  // A directory that was moved: its files have not been touched, and the checkpoint has them where they were.
  const contents = old.length === 0 ? new Set<string>() : new Set(await objectsOf(git, target));
  return new Set([...ignored, ...old.filter(({ oid }) => !contents.has(oid)).map(({ path }) => path)]);
}

async function objectsOf(git: SnapshotGit, tree: string): Promise<readonly string[]> {
  const entries = (await git.run(['ls-tree', '-r', '-z', tree])).split('\0');
  return entries.map((entry) => entry.split(/[ \t]/)[2] ?? '');
}

/** git-check-ignore(1) "EXIT STATUS" */
const noneIgnored = 1;

/** gitignore(5), as a tree has it; git-check-ignore(1) reads it from a work tree. */
async function ignoredIn(git: SnapshotGit, tree: string, files: readonly FileChange[]): Promise<ReadonlySet<string>> {
  const names = (await git.run(['ls-tree', '-r', '-z', '--name-only', tree])).split('\0');
  const rules = names.filter((name) => basename(name) === '.gitignore');
  const directory = mkdtempSync(join(git.places.gitDir, 'oxide-guard', 'index-'));
  try {
    for (const name of rules) {
      const path = Buffer.from(join(directory, name), 'latin1');
      mkdirSync(Buffer.from(join(directory, dirname(name)), 'latin1'), { recursive: true });
      writeFileSync(path, Buffer.from(await git.run(['cat-file', 'blob', `${tree}:${utf8(name)}`]), 'latin1'));
    }
    const args = ['check-ignore', '--no-index', '-z', '--stdin'];
    const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(''));
    return new Set(
      utf8(await git.inWorkTree(directory).run(args, input, [0, noneIgnored]))
        .split('\0')
        .filter(Boolean),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A tree without some paths; the index of `git` is left without them as well. */
export async function treeWithout(git: SnapshotGit, paths: readonly string[]): Promise<string> {
  const list = Buffer.from(paths.map((path) => `${path}\0`).join(''));
  await git.run(['update-index', '--force-remove', '-z', '--stdin'], list);
  return (await git.run(['write-tree'])).trim();
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
