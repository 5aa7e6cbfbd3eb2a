import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { renamedFiles } from '../../../git/contents/renamed-files.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';

/** Settings by which a patch is no patch that can be applied: git-config(1) "diff.*", gitattributes(5) "textconv". */
export async function changesOutput(repository: Repository): Promise<boolean> {
  const { entries } = await repository.config();
  return (
    repository.git.context.env.GIT_EXTERNAL_DIFF !== undefined ||
    entries.some(
      ({ key, value }) =>
        /^diff\.(?:external|relative|.*\.(?:textconv|command))$/.test(key) ||
        (/^color\.(?:ui|diff)$/.test(key) && value === 'always'),
    )
  );
}

/** Files that were renamed in the index, and changed since. */
export async function renamedAmong(
  entries: readonly StatusEntry[],
  repository: Repository,
): Promise<ReadonlySet<string>> {
  const pathsOf = (isMeant: (entry: StatusEntry) => boolean) => entries.filter(isMeant).map(({ path }) => path);
  const added = pathsOf(({ index, worktree }) => index === 'A' && worktree === 'M');
  return renamedFiles(
    added,
    pathsOf(({ index }) => index === 'D'),
    repository,
  );
}

/** Files that git-diff(1) calls binary, by their attributes or by what is in them. */
export async function filesWithoutDiff(files: readonly string[], repository: Repository): Promise<ReadonlySet<string>> {
  const top = repository.workTree ?? repository.cwd;
  const output = await repository.git.run(['-C', top, 'check-attr', '-z', 'diff', '--', ...files]);
  const fields = output.stdout.toString('utf8').split('\0');
  const unset = files.filter((_, at) => fields[at * 3 + 2] === 'unset');
  return new Set([...unset, ...files.filter((file) => isBinaryFile(join(top, file)))]);
}

/** As git tells them: a NUL among the first 8,000 bytes. One that is gone has nothing to lose. */
function isBinaryFile(path: string): boolean {
  const start = Buffer.alloc(8000);
  try {
    const descriptor = openSync(path, 'r');
    const length = readSync(descriptor, start);
    closeSync(descriptor);
    return start.subarray(0, length).includes(0);
  } catch {
    return existsSync(path);
  }
}
