import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { kindOf, readText } from '../../../git/files.ts';
import { implies } from '../../../shell/path.ts';
import type { Path } from '../../../shell/simple-command.ts';
import { isWithin } from '../../files/guarded-file.ts';

/** More links than this in a row are a circle. */
const maximumLinks = 8;

/** What the line has put at the top of a work tree as its `.git`. */
export type MadeGitfile = { readonly top: string } & (
  | {
      /** It names a git directory that was there; null: one that is not known. */
      readonly kind: 'link';
      readonly gitDir: string | null;
    }
  | {
      /** The copy of a whole git directory, or of the gitfile in a work tree that the line has added; `of` which one. */
      readonly kind: 'copy' | 'added';
      readonly of: string;
    }
);

interface Made {
  /** How many were made or removed before. */
  readonly at: number;
}

interface CopiedTree extends Made {
  readonly source: string;
  readonly target: string;
}

/** A `.git` of its own, by what it names; null: that is not known. */
interface OwnGitfile extends Made {
  readonly gitDir: string | null;
}

/**
 * Files and links `.git` that the line makes, by itself or with all of a directory. What is done at such a place is done
 * to the repository to which they lead (gitglossary(7) "gitfile"); only the files there are others. All paths are absolute.
 */
export class MadeGitfiles {
  readonly #trees: CopiedTree[] = [];
  readonly #own = new Map<string, OwnGitfile>();
  readonly #removed: (Made & { readonly path: string; readonly conditions: Path })[] = [];
  #count = 0;
  readonly #isAdded: (top: string) => boolean;

  /** @param isAdded is a directory the top of a work tree that the line adds? */
  constructor(isAdded: (top: string) => boolean) {
    this.#isAdded = isAdded;
  }

  /** A directory is copied with all that is in it. */
  recordTree(source: string, target: string): void {
    this.#trees.unshift({ source, target, at: this.#next() });
  }

  /** @param path of the `.git` @param text null where it is not known */
  recordText(path: string, text: string | null): void {
    const named = text === null ? null : gitDirNamedIn(text);
    if (text === null || named !== null) {
      this.#own.set(path, { gitDir: named === null ? null : resolve(dirname(path), named), at: this.#next() });
    }
  }

  /** @param path of the `.git` @param target of the link */
  recordLink(path: string, target: string): void {
    this.#own.set(path, { gitDir: target, at: this.#next() });
  }

  /** @param conditions under which it goes */
  remove(path: string, conditions: Path): void {
    if (this.#own.size + this.#trees.length > 0) {
      this.#removed.push({ path, conditions, at: this.#next() });
    }
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  /**
   * The one that git finds from a directory, if it comes before those that are on the disk.
   *
   * @param path the conditions under which that is asked
   */
  around(directory: string, path: Path): MadeGitfile | null {
    if (this.#own.size + this.#trees.length === 0) {
      return null;
    }
    for (let top = directory; ; top = dirname(top)) {
      const found = this.at(join(top, '.git'), path);
      if (found !== null || existsSync(join(top, '.git')) || top === dirname(top)) {
        return found;
      }
    }
  }

  /** @param gitfile the path of a `.git` @param path the conditions under which that is asked */
  at(gitfile: string, path: Path): MadeGitfile | null {
    return this.#at(gitfile, path, this.#count + 1);
  }

  /** As it was made before so many others were. */
  #at(gitfile: string, path: Path, before: number): MadeGitfile | null {
    const own = this.#own.get(gitfile);
    if (own === undefined || own.at >= before || this.#isGone(gitfile, own, path)) {
      return this.#copiedAt(gitfile, path, before);
    }
    const gitDir = own.gitDir === null ? null : behindLinks(own.gitDir);
    return { top: dirname(gitfile), kind: 'link', gitDir };
  }

  #copiedAt(gitfile: string, path: Path, before: number): MadeGitfile | null {
    const top = dirname(gitfile);
    // No file comes in the place of a directory.
    for (const tree of kindOf(gitfile) === 'directory' ? [] : this.#trees) {
      if (tree.at < before && isWithin(top, tree.target) && !this.#isGone(gitfile, tree, path)) {
        const of = join(tree.source, relative(tree.target, top));
        const made = this.#at(join(of, '.git'), path, tree.at);
        const found = made === null ? this.#copyOf(of, top) : { ...made, top };
        if (found !== null) {
          return found;
        }
      }
    }
    return null;
  }

  #copyOf(of: string, top: string): MadeGitfile | null {
    if (this.#isAdded(of)) {
      return { top, kind: 'added', of };
    }
    const gitfile = join(of, '.git');
    const named = linkedFrom(gitfile, join(top, '.git'));
    if (named === null) {
      return kindOf(gitfile) === 'directory' ? { top, kind: 'copy', of } : null;
    }
    // A submodule's leads to the copy around it.
    const isCopied = this.#trees.some(({ target }) => isWithin(named, target));
    return isCopied ? null : { top, kind: 'link', gitDir: behindLinks(named) };
  }

  #isGone(gitfile: string, { at }: Made, path: Path): boolean {
    return this.#removed.some(
      (removed) => removed.at > at && isWithin(gitfile, removed.path) && implies(path, removed.conditions),
    );
  }
}

/** Is the `.git` of a directory a file or a link, which leads to the same place once it is copied? */
export function hasGitfile(directory: string): boolean {
  return linkedFrom(join(directory, '.git'), join(directory, '.git')) !== null;
}

/** What a `.git` names that is a file or a link, from where it is copied to; null: it is none. */
function linkedFrom(gitfile: string, copy: string): string | null {
  try {
    const found = lstatSync(gitfile, { throwIfNoEntry: false });
    const named = found?.isSymbolicLink()
      ? readlinkSync(gitfile)
      : found?.isFile()
        ? gitDirNamedIn(readText(gitfile) ?? '')
        : null;
    return named === null ? null : resolve(dirname(copy), named);
  } catch {
    // Below a file there is nothing.
    return null;
  }
}

/** A link may lead to the `.git` of a linked work tree, which is a file again. */
function behindLinks(path: string): string {
  let current = path;
  for (let count = 0; count < maximumLinks && kindOf(current) === 'file'; count += 1) {
    const named = gitDirNamedIn(readText(current) ?? '');
    current = named === null ? current : resolve(dirname(current), named);
  }
  return current;
}

function gitDirNamedIn(text: string): string | null {
  return /^gitdir: (.*?)[\r\n]*$/s.exec(text)?.[1] ?? null;
}
