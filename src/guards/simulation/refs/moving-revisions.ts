import { realPath } from '../../../git/files.ts';
import type { Ask } from '../../../git/runner.ts';
import { type Directory, programName, type SimpleCommand, type Word } from '../../../shell/simple-command.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { readInvocation } from '../../git-command/invocation.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { BringFilesIntent, FetchIntent, SwitchIntent } from '../../intent.ts';
import { isRevisionQuery } from '../answers/revision-queries.ts';

/** What is checked out, as revisions that can be asked for in the repository as it is. */
interface Standing {
  commit: string;
  /** What is pulled, merged or put under it where nothing is named; null: nothing. */
  readonly upstream: string | null;
}

/**
 * What revisions mean while commands of the line run, one after the other, each as a revision that means the same in the
 * repository as it is.
 */
export class MovingRevisions {
  readonly #top: string;
  /** What is checked out, and was before. */
  #head: Standing = { commit: 'HEAD', upstream: '@{upstream}' };
  #previous: Standing | null = null;
  /** Branches that the line makes or checks out: what they are then. */
  readonly #branches = new Map<string, Standing>();
  /** What FETCH_HEAD stands for. */
  #fetched: string | null = 'FETCH_HEAD';
  readonly #ask: Ask;

  /** @param top of the work tree that `ask` asks in */
  constructor(top: string, ask: Ask) {
    this.#top = top;
    this.#ask = ask;
  }

  /** What is checked out. */
  get head(): string {
    return this.#head.commit;
  }

  switchTo({ to, create, start }: SwitchIntent): void {
    const name = this.nameIn(to);
    const from = create ? (this.nameIn(start ?? null) ?? 'HEAD') : name;
    const standing = name === null || from === null ? null : create ? this.#made(from) : this.#named(from);
    if (name === null || standing === null || this.objectOf(`${standing.commit}^{commit}`) === null) {
      return;
    }
    if (create || this.objectOf(`refs/heads/${name}`) !== null) {
      this.#branches.set(name, standing);
    }
    [this.#previous, this.#head] = [this.#head, standing];
  }

  /** As far as it was fetched before, too. */
  fetch({ remote, refspecs }: FetchIntent): void {
    const from = textOf(remote);
    const fetched = (textsOf(refspecs) ?? []).map((refspec) => {
      const [source = '', target = ''] = refspec.replace(/^\+/, '').split(':');
      const name = source.replace(/^refs\/heads\//, '');
      const commit = from === '.' || /^refs\/|^[0-9a-f]{40}$/.test(name) ? name : `refs/remotes/${from}/${name}`;
      if (target !== '' && !/^refs\/(?!heads\/)/.test(target)) {
        this.#branches.set(target.replace(/^refs\/heads\//, ''), { commit, upstream: null });
      }
      return commit;
    });
    this.#fetched = refspecs.length === 0 ? this.#head.upstream : (fetched[0] ?? null);
  }

  /** git-config(1) "branch.autoSetupMerge": a new branch has an upstream where it begins at a remote's. */
  #made(from: string): Standing | null {
    const commit = this.revision(from);
    const isRemote =
      commit !== null && this.objectOf(`refs/remotes/${commit.replace(/^refs\/remotes\//, '')}`) !== null;
    return commit === null ? null : { commit, upstream: isRemote ? commit : null };
  }

  #named(name: string): Standing | null {
    if (name === '@{-1}') {
      return this.#previous ?? { commit: '@{-1}', upstream: '@{-1}@{upstream}' };
    }
    const commit = this.revision(this.guessed(name));
    return this.#branches.get(name) ?? (commit === null ? null : { commit, upstream: `${name}@{upstream}` });
  }

  /** git-checkout(1) "--guess": a branch that only the remote has is made here. */
  guessed(name: string): string {
    const ofRemote = `refs/remotes/origin/${name}`;
    const isHere =
      this.#branches.has(name) || /^(?:HEAD|FETCH_HEAD|-|.*@.*)$/.test(name) || this.objectOf(name) !== null;
    return isHere || this.objectOf(ofRemote) === null ? name : ofRemote;
  }

  /** The name that a word has, or that git prints in its place. */
  nameIn(word: Word | null): string | null {
    const printer = word?.kind === 'unknown' && word.prefix + word.suffix === '' ? word.printedBy : undefined;
    return printer === undefined || programName(printer.argv[0]) !== 'git' ? textOf(word) : this.#printed(printer);
  }

  #printed({ argv, cwd }: SimpleCommand): string | null {
    const invocation = readInvocation(argv.slice(1), cwd, () => null);
    const words = textsOf(invocation.words);
    if (words === null || !isInWorkTree(invocation.directory, this.#top) || !isRevisionQuery(words)) {
      return null;
    }
    const [name = 'HEAD', ...others] = words.slice(1).filter((word) => !word.startsWith('-'));
    if (words[0] === 'rev-parse' && others.length === 0 && !/^(?:HEAD|@)/.test(name)) {
      return this.revision(name);
    }
    // Where HEAD has moved, what it was when the question was put is not known.
    const isMoved = this.#previous !== null || this.#head.commit !== 'HEAD';
    const { exitCode, text } =
      isMoved && [name, ...others].some((word) => /HEAD|@/.test(word)) ? { exitCode: 128, text: '' } : this.#ask(words);
    return exitCode === 0 && !text.includes('\n') ? text : null;
  }

  /** What a word means now, as a revision that means the same in the repository as it is; null: nothing. */
  revision(name: string): string | null {
    const [, base = '', rest = ''] = /^([^~^]*)(.*)$/s.exec(name) ?? [];
    const meant = this.#baseOf(base);
    return meant === null ? null : meant + rest;
  }

  #baseOf(name: string): string | null {
    if (name === '-' || name === '@{-1}') {
      return this.#previous?.commit ?? '@{-1}';
    }
    if (/^(?:HEAD|@)?@\{u(?:pstream)?\}$/i.test(name)) {
      return this.#head.upstream;
    }
    if (name === 'FETCH_HEAD') {
      return this.#fetched;
    }
    return name === 'HEAD' || name === '@' ? this.#head.commit : (this.#branches.get(name)?.commit ?? name);
  }

  /** Where nothing but what is merged was added, the branch moves on to that. */
  moveOn({ source }: BringFilesIntent): void {
    const commits = source.kind === 'merge' ? source.commits : source.kind === 'commit' ? [source.commit] : [];
    const isJoined = source.kind === 'merge' || (source.kind === 'commit' && source.sparesAncestors !== undefined);
    const [name, ...others] = isJoined ? commits.map((word) => this.nameIn(word)) : [];
    const target = name == null || others.length > 0 ? null : this.revision(name);
    const base = this.baseWith(target);
    if (target !== null && base !== null && base === this.objectOf(this.#head.commit)) {
      this.#head.commit = target;
    }
  }

  baseWith(commit: string | null): string | null {
    const base = isAskable(commit) ? this.#ask(['merge-base', this.#head.commit, commit]) : null;
    return base?.exitCode === 0 ? base.text : null;
  }

  objectOf(revision: string | null): string | null {
    if (!isAskable(revision)) {
      return null;
    }
    const { exitCode, text } = this.#ask(['rev-parse', '--verify', '--quiet', revision]);
    return exitCode === 0 ? text : null;
  }
}

/** Is it in that work tree, and in none within? */
export function isInWorkTree(directory: Directory, top: string): directory is Extract<Directory, { kind: 'known' }> {
  return directory.kind === 'known' && workTreeAbove(realPath(directory.path) ?? directory.path) === top;
}

/** git takes it for nothing but one revision. */
export function isAskable(revision: string | null): revision is string {
  return revision !== null && !/^-|[\n\0]/.test(revision);
}
