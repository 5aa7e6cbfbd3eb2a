import { join, relative } from 'node:path';
import type { Policy } from '../../../config/policy.ts';
import { namesIn, readText } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import { type HookManager, hookFiles, type ManagersFile, managerOf, silences } from '../../files/hook-managers.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { type Finding, findings } from '../../finding.ts';
import type { HookedCall } from './skip-checks.ts';

/** By the subcommand, the hooks that may refuse what it does: githooks(5). */
const hooks: ReadonlyMap<string, readonly string[]> = new Map([
  ['commit', ['pre-commit', 'prepare-commit-msg', 'commit-msg']],
  ['merge', ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg']],
  ['pull', ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg']],
  ['push', ['pre-push']],
]);

/**
 * `mv lefthook.yml x && git push`: hooks that look up their checks in a file of the work tree have none while that is
 * away or empty. The edit alone is anybody's; what is committed or pushed meanwhile is not checked.
 */
export async function judgeSilencedChecks(
  changed: ReadonlyMap<string, ManagersFile>,
  { subcommand, plain }: HookedCall,
  repository: Repository,
  policy: Policy,
): Promise<readonly Finding[]> {
  const names = hooks.get(subcommand) ?? [];
  const { workTree } = repository;
  if (changed.size === 0 || names.length === 0 || workTree === null) {
    return [];
  }
  const directory = await hooksDirectoryOf(repository);
  for (const [path, change] of changed) {
    const asked = change.isPutAway === true ? [] : names;
    const hook = asked.find((name) => isSilenced(name, path, changed, { workTree, directory }));
    if (hook !== undefined) {
      const file = relative(workTree, path);
      const means = change.kind === 'gone' ? 'takes away' : 'empties';
      return findings('skip-checks', policy, {
        message: `This command line ${means} ${file}, in which the ${hook} hook looks up its checks, before git ${subcommand}: none of them runs.`,
        evidence: { files: [file] },
        suggestion: `${plain()}   # before ${file} is changed`,
      });
    }
  }
  return [];
}

function isSilenced(
  hook: string,
  path: string,
  changed: ReadonlyMap<string, ManagersFile>,
  { workTree, directory }: { readonly workTree: string; readonly directory: string },
): boolean {
  const change = changed.get(path);
  const manager = managerOf(path, workTree);
  const script = manager === null ? undefined : scriptsOf(hook, directory).find((text) => manager.mark.test(text));
  if (manager === null || script === undefined || change === undefined) {
    return false;
  }
  const before = readText(path) ?? '';
  const others = namedFiles(manager, workTree).filter((other) => other !== path);
  const keepsChecks = (text: string | null) => text === null || !silences(before, text, hook, manager);
  if (change.kind === 'gone') {
    const isReplaced = [...others, ...changed.keys()].some((other) => {
      const now = changed.get(other);
      const isOwn = managerOf(other, workTree) === manager && !/-local\./.test(other);
      return isOwn && now?.kind !== 'gone' && keepsChecks(now === undefined ? readText(other) : now.text);
    });
    return !isReplaced && manager.passesWithout.test(script) && !keepsChecks('');
  }
  return !keepsChecks(change.text);
}

/** All files that a manager would read, by any of the names that it knows. */
function namedFiles(manager: HookManager, workTree: string): readonly string[] {
  return [workTree, join(workTree, '.config')]
    .flatMap((directory) => namesIn(directory).map((name) => join(directory, name)))
    .filter((path) => managerOf(path, workTree) === manager);
}

function scriptsOf(hook: string, directory: string): readonly string[] {
  return hookFiles(hook, directory).flatMap((path) => readText(path) ?? []);
}
