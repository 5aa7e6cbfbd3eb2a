export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many pairs of lines a change is shown as all old lines, then all new ones. */
const comparablePairs = 250_000;

/** The lines of two texts as one edit: unchanged lines around and between the changed ones are kept. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  return [
    ...old.slice(0, start).map(same),
    ...changedLines(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** Leaves out unchanged lines that are further than `context` lines from a change. */
export function aroundChanges(diff: readonly DiffLine[], context: number): readonly DiffLine[] {
  const kept = new Set<number>();
  for (const [index, { kind }] of diff.entries()) {
    if (kind !== 'same') {
      for (let near = index - context; near <= index + context; near += 1) {
        kept.add(near);
      }
    }
  }
  return diff.filter((_, index) => kept.has(index));
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The longest common subsequence by its table; see Hunt and Szymanski for why the table has to stay small. */
function changedLines(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > comparablePairs) {
    return [...old.map(removed), ...now.map(added)];
  }
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const diff: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      diff.push(same(old[i] ?? ''));
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      diff.push(removed(old[i] ?? ''));
      i += 1;
    } else {
      diff.push(added(now[j] ?? ''));
      j += 1;
    }
  }
  return diff;
}
