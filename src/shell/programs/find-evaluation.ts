import type { FileEntry } from '../script-files.ts';

/** A file that find may come upon. */
export interface Candidate {
  /** As find prints it: it begins with the place where find starts. */
  readonly path: string;
  /** How far below that place. */
  readonly depth: number;
  /** Null where it is not known. */
  readonly isDirectory: boolean | null;
  isEmpty(): Truth;
  /** What is there now; null where that is not known. */
  entry(): FileEntry | null;
  /** Is it a file of the line's own, of which only that is known? */
  isWritten(): boolean;
}

/** Null: it can't be told. */
export type Truth = boolean | null;

/** An expression of find, or a part of one. */
export type FindNode =
  | { readonly kind: 'test'; readonly holds: (file: Candidate) => Truth }
  | { readonly kind: 'action'; readonly at: number }
  | { readonly kind: 'prune' }
  | { readonly kind: 'not'; readonly of: FindNode }
  | { readonly kind: 'both' | 'either' | 'list'; readonly parts: readonly FindNode[] };

/** What holds for a whole call, wherever in the expression it stands. */
interface Reach {
  /** `-mindepth` */
  readonly least: number;
  /** `-maxdepth` */
  readonly most: number;
  /** What lies in a directory comes before the directory, so that nothing can be pruned: `-depth`. */
  readonly isDepthFirst: boolean;
}

/** May this action (null: the printing that find does by itself) be done to the file? */
export function mayReach(expression: FindNode, reach: Reach, action: number | null, file: Candidate): boolean {
  const { least, most, isDepthFirst } = reach;
  if (file.depth < least || file.depth > most || (!isDepthFirst && isPruned(expression, least, file))) {
    return false;
  }
  const run = new Run();
  const value = run.evaluate(expression, file, true);
  return action === null ? value !== false : run.reached.has(action);
}

/** Does find stop at a directory above it? */
function isPruned(expression: FindNode, least: number, file: Candidate): boolean {
  return above(file).some((directory) => {
    const run = new Run();
    run.evaluate(expression, directory, true);
    return run.isPruned && directory.depth >= least;
  });
}

/** The directories that find goes through on its way to a file. */
function above({ path, depth }: Candidate): readonly Candidate[] {
  const found: Candidate[] = [];
  let directory = path;
  for (let level = depth - 1; level >= 0; level -= 1) {
    directory = directory.replace(/\/[^/]*$/, '');
    found.push({
      path: directory,
      depth: level,
      isDirectory: true,
      isEmpty: () => false,
      entry: () => null,
      isWritten: () => false,
    });
  }
  return found;
}

/** One evaluation of an expression for one file. */
class Run {
  /** Actions that may be done. */
  readonly reached = new Set<number>();
  /** Is the file surely pruned? */
  isPruned = false;

  /** @param surely is this part evaluated whatever can't be told? */
  evaluate(node: FindNode, file: Candidate, surely: boolean): Truth {
    switch (node.kind) {
      case 'test':
        return node.holds(file);
      case 'action':
        this.reached.add(node.at);
        return null;
      case 'prune':
        this.isPruned ||= surely;
        return true;
      case 'not': {
        const value = this.evaluate(node.of, file, surely);
        return value === null ? null : !value;
      }
      case 'list':
        return node.parts.map((part) => this.evaluate(part, file, surely)).at(-1) ?? true;
      default:
        return this.#inOrder(node.parts, node.kind === 'either', file, surely);
    }
  }

  /** Up to the part that decides: the first true one of `-o`, the first false one of `-a`. */
  #inOrder(parts: readonly FindNode[], deciding: boolean, file: Candidate, surely: boolean): Truth {
    let result: Truth = !deciding;
    for (const part of parts) {
      const value = this.evaluate(part, file, surely && result !== null);
      if (value === deciding) {
        return deciding;
      }
      result = value === null ? null : result;
    }
    return result;
  }
}
