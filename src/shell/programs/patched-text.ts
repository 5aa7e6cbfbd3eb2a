/** What a patch in the unified form says of one file: diff(1), git-diff(1). */
export interface FilePatch {
  /** The names before and after, as they are written; null: there is no such file then. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hunks: readonly Hunk[];
}

interface Hunk {
  /** The number of the first line that it is about, from 1. */
  readonly start: number;
  /** What stands there before and after, each line with its end. */
  readonly old: readonly string[];
  readonly now: readonly string[];
}

const header = /^--- (.+)\n\+\+\+ (.+)\n?/;
const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** The files that a patch is about. */
export function readPatch(text: string): readonly FilePatch[] {
  const lines = text.split('\n');
  const files: { before: string | null; after: string | null; hunks: Hunk[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const names = header.exec(`${lines[at]}\n${lines[at + 1]}`);
    const [, start, oldCount = '1', newCount = '1'] = hunkHeader.exec(lines[at] ?? '') ?? [];
    if (names !== null) {
      files.push({ before: nameOf(names[1] ?? ''), after: nameOf(names[2] ?? ''), hunks: [] });
      at += 1;
    } else if (start !== undefined) {
      const { end, ...hunk } = hunkAt(lines, at + 1, Number(oldCount), Number(newCount));
      files.at(-1)?.hunks.push({ start: Number(start), ...hunk });
      at = end - 1;
    }
  }
  return files;
}

/** A time may stand behind the name. */
function nameOf(text: string): string | null {
  const name = text.replace(/\t.*$/, '').trim();
  return name === '/dev/null' ? null : name;
}

/** A hunk has as many lines as its header says: one of them may look like a header. */
function hunkAt(lines: readonly string[], from: number, oldCount: number, newCount: number) {
  const [old, now]: [string[], string[]] = [[], []];
  let at = from;
  for (; at < lines.length && (old.length < oldCount || now.length < newCount); at += 1) {
    const line = lines[at] ?? '';
    const sides = { '-': [old], '+': [now], ' ': [old, now], '': [old, now] }[line.slice(0, 1)];
    if (sides !== undefined) {
      const endsText = lines[at + 1]?.startsWith('\\') === true;
      sides.forEach((side) => void side.push(line.slice(1) + (endsText ? '' : '\n')));
    } else if (!line.startsWith('\\')) {
      break;
    }
  }
  return { old, now, end: at };
}

/** The patch that takes it back. */
export function reversed({ before, after, hunks }: FilePatch): FilePatch {
  return { before: after, after: before, hunks: hunks.map(({ start, old, now }) => ({ start, old: now, now: old })) };
}

/** A file's text with its patch; null where that does not fit. */
export function patched(text: string, { hunks }: FilePatch): string | null {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let moved = 0;
  for (const { start, old, now } of hunks) {
    // Where nothing stood before, the number is that of the line above.
    const at = placeOf(old, lines, Math.max(0, old.length === 0 ? start : start - 1) + moved);
    if (at === null) {
      return null;
    }
    lines.splice(at, old.length, ...now);
    moved += now.length - old.length;
  }
  return lines.join('');
}

/** Where the lines stand, next to where they should. */
function placeOf(wanted: readonly string[], lines: readonly string[], meant: number): number | null {
  const last = lines.length - wanted.length;
  const fits = (at: number) => at >= 0 && at <= last && wanted.every((line, index) => lines[at + index] === line);
  for (let distance = 0; distance <= Math.max(meant, last - meant); distance += 1) {
    const at = [meant - distance, meant + distance].find(fits);
    if (at !== undefined) {
      return at;
    }
  }
  return null;
}
