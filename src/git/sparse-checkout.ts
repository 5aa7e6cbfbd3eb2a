import { dirname } from 'node:path';
import type { Repository } from './repository.ts';

/** Directories that a sparse checkout has; none where nothing tells which. */
export async function chosenDirectories({ git }: Repository): Promise<readonly string[]> {
  const output = await git.run(['sparse-checkout', 'list']);
  return output.exitCode === 0 ? output.stdout.toString('utf8').split('\n').filter(Boolean) : [];
}

/** git-sparse-checkout(1) "CONE PATTERN SET": everything below a directory, and the files of those above it. */
export function isChosen(directory: string, chosen: readonly string[]): boolean {
  return directory === '.' || chosen.some((each) => isAtOrBelow(directory, each) || each.startsWith(`${directory}/`));
}

function isAtOrBelow(directory: string, other: string): boolean {
  return `${directory}/`.startsWith(`${other}/`);
}

/** Those of the paths, from the work tree's root, that are not left out where directories are chosen. */
export async function pathsInCheckout(paths: readonly string[], repository: Repository): Promise<readonly string[]> {
  const config = paths.length === 0 ? null : await repository.config();
  const isCone =
    config?.getBoolean('core.sparsecheckout', false) === true && config.getBoolean('core.sparsecheckoutcone', true);
  const chosen = isCone ? await chosenDirectories(repository) : [];
  return isCone ? paths.filter((path) => isChosen(dirname(path), chosen)) : paths;
}
