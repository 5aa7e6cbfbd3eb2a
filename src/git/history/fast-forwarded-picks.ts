import { join } from 'node:path';
import { readText } from '../files.ts';
import type { Repository } from '../repository.ts';

/** Lines of what a rebase has done that take a commit over: git-rebase(1) "INTERACTIVE MODE". */
const picking = /^(?:p|pick|e|edit)\s+([0-9a-f]{4,64})\b/;
/** Lines after which HEAD is where it was. */
const staying = /^(?:x|exec|b|break|l|label|noop)\b|^\s*(?:#.*)?$/;

/**
 * The commits of its branch that a stopped rebase has taken over as they are: as long as each stands on the one before,
 * git only moves HEAD on (git-rebase(1) "--no-ff"). They are nowhere but on the branch, which stays where it was until the
 * rebase ends, and is put then to where HEAD is.
 *
 * @returns object names; none where no rebase has stopped
 */
export async function readFastForwardedPicks({ git, gitDir }: Repository): Promise<readonly string[]> {
  const read = (name: string) => readText(join(gitDir, 'rebase-merge', name));
  const [onto, done] = [read('onto')?.trim(), read('done')];
  const names: string[] = [];
  for (const line of (done ?? '').split('\n')) {
    const [, name] = picking.exec(line) ?? [];
    if (name !== undefined) {
      names.push(name);
    } else if (!staying.test(line)) {
      break;
    }
  }
  // Those that were amended: `OLD NEW`.
  const rewritten = new Set((read('rewritten-list') ?? '').split('\n').map((line) => line.split(' ')[0]));
  const isStopped = onto !== undefined && names.length > 0;
  const output = isStopped ? await git.run(['rev-list', '--no-walk=unsorted', '--parents', ...names]) : null;
  const taken: string[] = [];
  for (const line of output?.stdout.toString('latin1').split('\n') ?? []) {
    const [oid, parent, ...others] = line.split(' ');
    if (oid === undefined || others.length > 0 || parent !== (taken.at(-1) ?? onto) || rewritten.has(oid)) {
      break;
    }
    taken.push(oid);
  }
  return taken;
}
