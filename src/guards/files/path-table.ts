import { dirname } from 'node:path';
import { isWithin } from './guarded-file.ts';

/** Values by absolute path. What lies above or below a path is found without a look at all of them: a line may name thousands. */
export class PathTable<T> {
  readonly #values = new Map<string, T>();
  /** How many paths of the table lie somewhere below a directory. */
  readonly #below = new Map<string, number>();

  get size(): number {
    return this.#values.size;
  }

  get(path: string): T | undefined {
    return this.#values.get(path);
  }

  /** @returns in the order in which the paths came */
  values(): readonly T[] {
    return [...this.#values.values()];
  }

  set(path: string, value: T): void {
    if (!this.#values.has(path)) {
      this.#count(path, 1);
    }
    this.#values.set(path, value);
  }

  delete(path: string): void {
    if (this.#values.delete(path)) {
      this.#count(path, -1);
    }
  }

  /** With the same values; what is set here later is not set there. */
  copy(): PathTable<T> {
    const copy = new PathTable<T>();
    for (const [path, value] of this.#values) {
      copy.set(path, value);
    }
    return copy;
  }

  /** What is at the path, and at the directories above it, from the inside out. */
  atOrAbove(path: string): readonly (readonly [path: string, value: T])[] {
    return [path, ...directoriesAbove(path)].flatMap((place) => {
      const value = this.#values.get(place);
      return value === undefined ? [] : [[place, value] as const];
    });
  }

  /** What is at the path, and anywhere below it, in the order in which the paths came. */
  atOrBelow(path: string): readonly (readonly [path: string, value: T])[] {
    if ((this.#below.get(path) ?? 0) > 0) {
      return [...this.#values].filter(([place]) => isWithin(place, path));
    }
    const value = this.#values.get(path);
    return value === undefined ? [] : [[path, value]];
  }

  #count(path: string, step: 1 | -1): void {
    for (const directory of directoriesAbove(path)) {
      this.#below.set(directory, (this.#below.get(directory) ?? 0) + step);
    }
  }
}

function directoriesAbove(path: string): readonly string[] {
  const directories: string[] = [];
  for (let [inner, outer] = [path, dirname(path)]; outer !== inner; [inner, outer] = [outer, dirname(outer)]) {
    directories.push(outer);
  }
  return directories;
}
