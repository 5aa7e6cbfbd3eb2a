import type { Ask, Git } from '../runner.ts';

/**
 * The texts of blobs, asked for at once.
 *
 * @param names revisions without a line break
 * @returns null where a name stands for no blob
 */
export async function readBlobs(names: readonly string[], git: Git): Promise<readonly (string | null)[]> {
  const input = names.map((name) => `${name}\n`).join('');
  let rest = names.length === 0 ? Buffer.alloc(0) : (await git.run(['cat-file', '--batch'], { input })).stdout;
  return names.map(() => {
    const end = rest.indexOf('\n');
    // Of what is not there, a line tells alone; a tree has contents as a blob has.
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(rest.subarray(0, end).toString('utf8')) ?? [];
    const text = type === 'blob' ? rest.subarray(end + 1, end + 1 + Number(size)).toString('utf8') : null;
    rest = rest.subarray(end + 1 + (size === undefined ? 0 : Number(size) + 1));
    return text;
  });
}

/**
 * The text of one blob where nothing can be waited for: it ends with one line's end, however many it has.
 *
 * @param name a revision, or the blob's own name
 * @returns null where a name stands for no blob
 */
export function blobAtOnce(name: string, ask: Ask): string | null {
  const { exitCode, text } = ask(['cat-file', 'blob', name]);
  return exitCode !== 0 ? null : text === '' ? '' : `${text}\n`;
}
