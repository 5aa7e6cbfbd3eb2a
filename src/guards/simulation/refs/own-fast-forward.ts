import { programName, type Word } from '../../../shell/simple-command.ts';
import { readInvocation } from '../../git-command/invocation.ts';
import { textsOf } from '../../git-command/words.ts';
import type { GrowIntent, Intent } from '../../intent.ts';
import type { OverlaidTree } from '../line-changes.ts';

/**
 * `git merge "$(git -C ../w rev-parse HEAD)"`: does the branch surely come to have what the line has made in a work tree that it
 * has added? Where that has begun at the commit at which this one stands, and nothing here is changed, nothing is in the way.
 *
 * @param here as all commands before leave it
 * @param addedTree a work tree that the line adds, by its absolute path; null: it adds none there
 */
export async function followsOwnCommits(
  intents: readonly Intent[],
  here: OverlaidTree,
  addedTree: (path: string) => OverlaidTree | null,
): Promise<boolean> {
  const [merge, ...others] = intents.filter((intent): intent is GrowIntent => intent.kind === 'grow');
  const path = merge?.merges === true && others.length === 0 ? placeOfHead(merge.commits) : null;
  const tree = path === null ? null : addedTree(path);
  if (tree === null) {
    return false;
  }
  const [own, its] = await Promise.all([here.repository.head(), tree.repository.head()]);
  const isBehind = here.overlay.made.on(own.kind === 'branch' ? own.ref : 'HEAD').length === 0;
  return isBehind && own.oid === its.oid && (await here.repository.status()).length === 0;
}

/** The work tree whose HEAD git is asked for; null: it is another commit. */
function placeOfHead([commit, ...others]: readonly Word[]): string | null {
  const printer = commit?.kind === 'unknown' && commit.prefix + commit.suffix === '' ? commit.printedBy : undefined;
  if (printer === undefined || others.length > 0 || programName(printer.argv[0]) !== 'git') {
    return null;
  }
  const { words, directory } = readInvocation(printer.argv.slice(1), printer.cwd, () => null);
  const asked = textsOf(words)?.join(' ') ?? '';
  return /^rev-parse (?:(?:--verify|-q|--quiet) )*HEAD$/.test(asked) && directory.kind === 'known'
    ? directory.path
    : null;
}
