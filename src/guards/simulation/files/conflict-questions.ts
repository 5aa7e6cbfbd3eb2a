import type { Repository } from '../../../git/repository.ts';
import type { SimpleCommand } from '../../../shell/simple-command.ts';
import type { Invocation } from '../../git-command/invocation.ts';
import { hasGitVariables } from '../../git-command/own-variables.ts';
import { textsOf } from '../../git-command/words.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { roots } from './meant-paths.ts';

/** Calls that print something exactly where files are in conflict: git-ls-files(1), git-diff(1). */
const asking =
  /^(?:ls-files (?:-u|--unmerged)|diff (?:--name-(?:only|status) --diff-filter=U|--diff-filter=U --name-(?:only|status)))$/;

/** The paths in which a call looks for conflicts (empty: the whole repository); null: it asks something else. */
export function lookedForConflicts(
  { words, settings, gitDir, workTree }: Invocation,
  command: SimpleCommand,
): readonly string[] | null {
  const texts = textsOf(words);
  const isOwn = settings.length > 0 || gitDir !== null || workTree !== null;
  if (texts === null || isOwn || !asking.test(texts.join(' ')) || hasGitVariables(command)) {
    return null;
  }
  return texts[0] === 'ls-files' ? ['.'] : [];
}

/** Are files in conflict there? @param paths as git reads them where the call stands; empty: the whole repository */
export async function hasConflicts(paths: readonly string[], repository: Repository): Promise<boolean> {
  const isMeant = paths.length === 0 ? () => true : roots(paths, repository);
  return (await repository.status()).some((entry) => isUnmerged(entry) && isMeant(entry.path));
}
