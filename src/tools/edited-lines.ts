import type { EditedText } from './edited-text.ts';

/** A part of a text that an edit wrote, from `start` to before `end`, and which edit that was. */
interface Region {
  start: number;
  end: number;
  readonly edit: number;
}

/**
 * Remembers, through a sequence of edits of one text, which parts earlier edits wrote: an edit that works on a line
 * that another has changed already may not mean what its author thinks.
 */
export interface EditedLines {
  /** @returns the earlier edit on one of whose lines one of the places is, or null */
  conflicting(text: EditedText, offsets: readonly number[], length: number): number | null;
  /** Notes an edit: at each offset of the text before, `removed` characters became `added`. */
  note(edit: number, offsets: readonly number[], removed: number, added: number): void;
}

export function createEditedLines(): EditedLines {
  let regions: readonly Region[] = [];
  return {
    conflicting: (text, offsets, length) => {
      let index = 0;
      for (const offset of offsets) {
        const lineStart = text.lineStart(offset);
        const lineEnd = text.lineEnd(Math.max(0, offset + length - 1));
        // A part that ends where the line starts ends with the line before.
        while (index < regions.length && (regions[index]?.end ?? 0) <= lineStart) {
          index += 1;
        }
        const region = regions[index];
        if (region !== undefined && region.start <= lineEnd) {
          return region.edit;
        }
      }
      return null;
    },
    note: (edit, offsets, removed, added) => {
      const written = offsets.map((offset, index) => {
        const start = offset + index * (added - removed);
        return { start, end: start + added, edit };
      });
      regions = merge(regions.map(shiftedBy(offsets, removed, added)), written);
    },
  };
}

/** Moves a region to where it is after an edit; regions come in ascending order, so the offsets are walked once. */
function shiftedBy(offsets: readonly number[], removed: number, added: number): (region: Region) => Region {
  let passed = 0;
  return ({ start, end, edit }) => {
    while (passed < offsets.length && (offsets[passed] ?? 0) < start) {
      passed += 1;
    }
    const shift = passed * (added - removed);
    let inside = passed;
    while (inside < offsets.length && (offsets[inside] ?? 0) < end) {
      inside += 1;
    }
    return { start: start + shift, end: Math.max(start + shift, end + inside * (added - removed)), edit };
  };
}

function merge(left: readonly Region[], right: readonly Region[]): readonly Region[] {
  const merged: Region[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const a = left[l];
    const b = right[r];
    if (b === undefined || (a !== undefined && a.start <= b.start)) {
      if (a !== undefined) {
        merged.push(a);
      }
      l += 1;
    } else {
      merged.push(b);
      r += 1;
    }
  }
  return merged;
}
