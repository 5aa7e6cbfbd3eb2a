import type { Git } from '../runner.ts';

/**
 * Resolves revisions to object names in one process: gitrevisions(7). Null for what does not resolve or whose object
 * is not here. Unlike `rev-parse --verify`, a full object name is checked for existence.
 */
export async function resolveRevisions(
  git: Git,
  revisions: readonly string[],
): Promise<ReadonlyMap<string, ObjectName | null>> {
  const wanted = [...new Set(revisions)];
  const found = new Map<string, ObjectName | null>(wanted.map((revision) => [revision, null]));
  let rest = wanted.filter((revision) => revision !== '' && !/[\n\0]/.test(revision) && !revision.startsWith('-'));
  while (rest.length > 0) {
    const input = `${rest.map(withoutPeeling).join('\n')}\n`;
    const { stdout, exitCode } = await git.run(['cat-file', '--batch-check'], { input });
    const answers = stdout.toString('utf8').split('\n').slice(0, -1);
    answers.forEach((answer, index) => {
      const name = parseObjectName(answer);
      const revision = rest[index];
      if (name !== null && revision !== undefined) {
        found.set(revision, name);
      }
    });
    // `@{upstream}` without an upstream makes git give up: the revision after the last answer does not resolve.
    rest = exitCode === 0 ? [] : rest.slice(answers.length + 1);
  }
  return found;
}

/** `:/text` takes everything after it for what it searches, and finds commits alone: gitrevisions(7). */
function withoutPeeling(revision: string): string {
  return revision.startsWith(':/') ? revision.replace(/\^\{commit\}$/, '') : revision;
}

export interface ObjectName {
  readonly oid: string;
  readonly type: 'commit' | 'tag' | 'tree' | 'blob';
}

function parseObjectName(answer: string): ObjectName | null {
  const match = /^([0-9a-f]{40}|[0-9a-f]{64}) (commit|tag|tree|blob) \d+$/.exec(answer);
  const [, oid, type] = match ?? [];
  return oid === undefined || type === undefined ? null : { oid, type: type as ObjectName['type'] };
}
