import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import { implies } from '../../shell/path.ts';
import { isTemporaryPath } from '../../shell/script-overlay.ts';
import type { Origin, Path, Word } from '../../shell/simple-command.ts';
import { isBareRepository } from '../files/git-directory.ts';
import { workTreeAbove } from '../files/guarded-file.ts';
import type { Finding } from '../finding.ts';
import { normalizedKey } from '../git-command/invocation.ts';
import { optionTable } from '../git-command/option-table.ts';
import { type Arguments, parseOptions } from '../git-command/parse-options.ts';
import { known, textOf } from '../git-command/words.ts';

/** A repository in which nothing is anybody's work: made by this very line, or kept below the temporary directory. */
export interface ScratchRepository {
  /** Where it is, or will be: the top of its work tree, or the bare repository. */
  readonly directory: string;
  /**
   * `init` and `kept` have no history from elsewhere; `clone` and `copy` have, and what it was pushed to. `around` files
   * that the line has put there: a git directory may be among them.
   */
  readonly origin: 'init' | 'around' | 'clone' | 'copy' | 'kept';
  /** By normalized key, as far as it is known; null: it is set to something that is not known. */
  readonly settings: Map<string, string | null>;
  /** The branch that is checked out; `default`: the one that the cloned repository or the configuration has for it; null: not known. */
  head: { readonly branch: string } | 'default' | null;
  /** The line has committed something in it. */
  hasCommits?: boolean;
  /** Made around files that were there before, which nothing else has until they are committed. */
  readonly files?: FilesAround;
  /** What a copy was made of, absolute: a work tree or a git directory. */
  readonly copyOf?: string;
  /** A hook that the line has taken away or changed in it, or left out of the copy. */
  changedHook?: string;
  /** What was objected to at a commit there that no hook has checked: it counts once that leaves. */
  unchecked?: readonly Finding[];
  /** Made in a work tree that was there: unless the conditions of its making hold, what is done in it is done to that one. */
  readonly inOther?: { readonly madeUnder: Path };
}

/** By what the files are kept that a repository is made around; null: by nothing yet. */
export interface FilesAround {
  stagedBy: Origin | null;
  committedBy: Origin | null;
  /** What was committed of them is still in the work tree. */
  areInPlace: boolean;
}

/** git-config(1): the top of the work tree, for git as it finds the repository or is told of it. */
const ofWorkTree = 'core.worktree';

const initOptions = optionTable(
  'q|quiet bare template= separate-git-dir= object-format= ref-format= b|initial-branch= shared=?',
);
const cloneOptions =
  optionTable(`l|local no-local no-hardlinks s|shared reference= reference-if-able= dissociate q|quiet
  v|verbose progress server-option= n|no-checkout reject-shallow bare sparse filter= mirror o|origin= b|branch= revision=
  u|upload-pack= template= c|config= depth= shallow-since= shallow-exclude= single-branch tags recurse-submodules=?
  recursive shallow-submodules remote-submodules separate-git-dir= ref-format= j|jobs= also-filter-submodules bundle-uri=`);

/** What a command line makes where nothing was, and what lies below the temporary directory and belongs to nobody. */
export class ScratchRepositories {
  readonly #made = new Map<string, ScratchRepository>();
  /** Directories that are gone, each with the conditions of that. */
  readonly #removed: { readonly directory: string; readonly path: Path }[] = [];
  readonly #env: Environment;
  readonly #start: string;
  #temporaryDirectories: readonly string[] | undefined;

  /** @param start where the session works: what lies below a directory of temporary files is scratch only from outside */
  constructor(env: Environment, start: string) {
    this.#env = env;
    this.#start = start;
  }

  /** Made when first needed. */
  get #temporary(): readonly string[] {
    this.#temporaryDirectories ??= this.#allTemporary().filter((directory) => !isBelow(this.#start, directory));
    return this.#temporaryDirectories;
  }

  #allTemporary(): readonly string[] {
    const own = this.#env.TMPDIR ? [resolve(this.#env.TMPDIR)] : [];
    return [...own, '/tmp', '/var/tmp', '/private/tmp'].filter((directory) => directory !== '/');
  }

  /** `rm -rf DIRECTORY` @param path the conditions under which it runs */
  remove(directory: string, path: Path): void {
    this.#removed.push({ directory, path });
    const isOf = (made: string) => isBelow(made, directory) || join(made, '.git') === directory;
    for (const made of [...this.#made.keys()].filter(isOf)) {
      this.#made.delete(made);
    }
  }

  /** Is something there, for a command that runs under these conditions? */
  isThere(place: string, path: Path): boolean {
    return !this.isRemoved(place, path) && existsSync(place);
  }

  /** Has the line removed what was there, for such a command? */
  isRemoved(place: string, path: Path): boolean {
    return this.#removed.some((removed) => isBelow(place, removed.directory) && implies(path, removed.path));
  }

  /**
   * `git init` and `git clone`, where no repository is yet.
   *
   * @param words the subcommand and what follows it
   * @param from the directory that git stands in
   * @param workTree absolute; the files for which it is made, where they are others than those around it
   * @param isTaken what the line has put there: files, among which a git directory may be, or a repository for sure
   */
  make(
    words: readonly Word[],
    from: string,
    path: Path,
    isTaken: (path: string) => 'files' | 'repository' | null,
    workTree: string | null = null,
  ): void {
    const isClone = textOf(words[0]) === 'clone';
    const args = parseOptions(isClone ? cloneOptions : initOptions, words.slice(1));
    if ('refused' in args || args.value('separate-git-dir') !== undefined) {
      return;
    }
    const [source, target] = isClone ? args.operands : [undefined, args.operands[0] ?? known('.')];
    const url = textOf(source);
    const isBare = args.has('bare') || args.has('mirror');
    const given = target === undefined ? nameOf(url, isBare) : textOf(target);
    if (given === null) {
      return;
    }
    const directory = resolve(from, given);
    const taken = isTaken(directory);
    // git-init(1): what is a repository already stays one, with its remotes.
    const stays = taken === 'repository' || (!isClone && this.#made.has(directory));
    const isFresh = this.#isFresh(directory, path);
    if (stays || (isClone && taken !== null) || !(isFresh || (!isClone && hasNoRepository(directory)))) {
      return;
    }
    const settings = settingsOf(args, source, from);
    if (workTree !== null) {
      settings.set(ofWorkTree, workTree);
    }
    const head = newHead(args.value(isClone ? 'branch' : 'initial-branch'));
    const origin = isClone ? this.#originOfClone(url, from) : taken === 'files' ? 'around' : 'init';
    const inOther = isFresh || workTreeAbove(directory) === null ? {} : { inOther: { madeUnder: path } };
    const isNobodys = isFresh || (this.isThrownAway(directory) && inOther.inOther === undefined);
    const files = isNobodys ? {} : { files: { stagedBy: null, committedBy: null, areInPlace: true } };
    this.#made.set(directory, { directory, origin, settings, head, ...files, ...inOther });
  }

  /** What is cloned from a repository that the line has made has no history from elsewhere either. */
  #originOfClone(url: string | null, from: string): ScratchRepository['origin'] {
    const path = url !== null && isPath(url) ? located(url, from) : null;
    const source = path === null ? undefined : (this.#made.get(path) ?? this.#made.get(`${path}.git`));
    return source?.origin ?? 'clone';
  }

  /** `cp -r SOURCE TARGET`, where nothing was. @param source null where it is not known */
  copy(directory: string, path: Path, source: string | null): void {
    if (this.#isFresh(directory, path)) {
      const copyOf = source === null ? {} : { copyOf: source };
      this.#made.set(directory, { directory, origin: 'copy', settings: new Map(), head: null, ...copyOf });
    }
  }

  /** A hook in what the line makes runs no more as it did, of the git directory and of its work tree. @param hook absolute */
  changeHook(hook: string): void {
    for (const made of this.#made.values()) {
      if (isBelow(hook, made.directory)) {
        made.changedHook ??= hook;
      }
    }
  }

  /** The repository that this line makes at a directory or above it; null: none. */
  madeAt(directory: string, path: Path): ScratchRepository | null {
    if (this.#made.size === 0) {
      return null;
    }
    for (let place = directory; ; place = dirname(place)) {
      const made = this.#made.get(place);
      if (made !== undefined || place === dirname(place) || this.isThere(join(place, '.git'), path)) {
        return made ?? null;
      }
    }
  }

  /**
   * The files that a call works on which is told of a git directory or a work tree, or finds one that is configured for
   * others; `own`: those of the repository itself, or none. Null: it is not known which.
   */
  filesOf(
    scratch: ScratchRepository,
    { from, gitDir, workTree, passing }: NamedPlaces,
    path: Path,
  ): 'own' | { readonly others: string | null } {
    const isOwn = (top: string) => this.madeAt(top, path) === scratch;
    // By a setting of the call alone git finds no work tree: setup.c, setup_explicit_git_dir().
    const isPassed = gitDir !== null && passing !== undefined;
    const configured = isPassed ? passing : scratch.settings.get(ofWorkTree);
    if (workTree !== null || configured !== undefined) {
      const top = workTree ?? configuredTop(configured ?? null, gitDir);
      return top !== null && isOwn(top) ? 'own' : { others: top };
    }
    // git(1) "--git-dir": without more the directory at hand is the work tree, unless the repository is bare.
    const isBare = gitDir === scratch.directory && !isFalse(scratch.settings.get('core.bare'));
    return gitDir === null || isBare || isOwn(from) ? 'own' : { others: from };
  }

  /** Has it a convention for its messages? What is made of nothing for a while has none. */
  isConventional({ origin, directory }: ScratchRepository): boolean {
    return origin === 'clone' || origin === 'copy' || !this.isThrownAway(directory);
  }

  /** Does a path lie below the temporary directory? Decided by its text alone. */
  isTemporary(path: string): boolean {
    return isTemporaryPath(path) || this.#temporary.some((directory) => isBelow(path, directory));
  }

  /**
   * Is what the line makes there made for a while? Below the temporary directory, though the session may work below it
   * as well: then in another directory of it.
   */
  isThrownAway(path: string): boolean {
    const isApart = (directory: string) => {
      const [first = ''] = path.slice(directory.length + 1).split('/');
      const isHere = this.#start === directory || isBelow(this.#start, join(directory, first));
      return first !== '' && isBelow(path, directory) && !isHere;
    };
    return isTemporaryPath(path) || this.#allTemporary().some(isApart);
  }

  /**
   * A repository that is there, below the temporary directory, and that knows of no other one outside of it; null for
   * every other one.
   *
   * @param directory what has to lie there of it, beside its git directory
   */
  async kept(
    repository: Repository,
    directory = repository.workTree ?? repository.gitDir,
  ): Promise<ScratchRepository | null> {
    const { gitDir, commonDir } = repository;
    if (!this.isTemporary(directory) || gitDir !== commonDir || !this.#isReallyTemporary(gitDir)) {
      return null;
    }
    const configuration = await repository.config();
    const urls = configuration.subsections('remote').flatMap((name) => configuration.get(`remote.${name}.url`) ?? []);
    return urls.every((url) => this.isScratchUrl(url, directory))
      ? {
          directory,
          origin: 'kept',
          settings: new Map(configuration.entries.map(({ key, value }) => [key, value ?? ''])),
          head: null,
        }
      : null;
  }

  /** Does a push there stay among what this line makes, or below the temporary directory? */
  isScratchUrl(url: string, from: string): boolean {
    const path = isPath(url) ? located(url, from) : null;
    return (
      path !== null &&
      (this.#made.has(path) ||
        this.#made.has(`${path}.git`) ||
        (this.isTemporary(path) && this.#isReallyTemporary(path)))
    );
  }

  #isReallyTemporary(path: string): boolean {
    const there = nearest(path);
    return this.#temporary.some(
      (directory) => existsSync(directory) && isBelow(realpathSync(there), realpathSync(directory)),
    );
  }

  #isFresh(directory: string, path: Path): boolean {
    return !this.isThere(directory, path) || isEmpty(directory);
  }
}

/** Where a call of git stands and what it is told of, absolute; null: it is not told. */
export interface NamedPlaces {
  readonly from: string;
  readonly gitDir: string | null;
  readonly workTree: string | null;
  /** `-c core.worktree=VALUE`, as it is given; null: its value is not known; undefined: there is none. */
  readonly passing: string | null | undefined;
}

/** What is configured is from the git directory. Where that is of one which git finds, nobody can ask yet. */
function configuredTop(value: string | null, gitDir: string | null): string | null {
  if (value === null || (gitDir === null && !isAbsolute(value))) {
    return null;
  }
  return resolve(gitDir ?? '/', value);
}

/** git-config(1) "Values"; one that is not known may be. */
function isFalse(value: string | null | undefined): boolean {
  return value === null || (value !== undefined && /^(?:false|no|off|0|)$/i.test(value));
}

function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path));
}

/** What lies around it does not count: git-init(1) makes another one in a directory of a work tree. */
function hasNoRepository(directory: string): boolean {
  return !existsSync(join(directory, '.git')) && !isBareRepository(directory);
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}

function settingsOf(args: Arguments, source: Word | undefined, from: string): Map<string, string | null> {
  const remote = textOf(args.value('origin')) ?? 'origin';
  const settings = new Map<string, string | null>(args.values('config').map(settingOf));
  const url = textOf(source);
  if (source !== undefined) {
    settings.set(`remote.${remote}.url`, url === null ? null : located(url, from));
  }
  if (args.has('mirror')) {
    settings.set(`remote.${remote}.mirror`, 'true');
  }
  return settings;
}

/** `git clone -c KEY=VALUE`; one that is not known may be any. */
function settingOf(word: Word): readonly [string, string] {
  const [key = '', ...value] = (textOf(word) ?? 'push.default=?').split('=');
  return [normalizedKey(key), value.length === 0 ? 'true' : value.join('=')];
}

/** git-clone(1): the last part of the source, without `.git`. */
function nameOf(url: string | null, isBare: boolean): string | null {
  const name =
    url
      ?.replace(/\/+$/, '')
      .replace(/\/?\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? '';
  return name === '' || name === '.' || name === '..' ? null : isBare ? `${name}.git` : name;
}

/** @param chosen by `git clone --branch` or `git init --initial-branch` */
function newHead(chosen: Word | undefined): ScratchRepository['head'] {
  const branch = textOf(chosen);
  if (chosen === undefined) {
    return 'default';
  }
  return branch === null ? null : { branch };
}

/** A URL that is a path, as that is from everywhere: git-clone(1) "GIT URLS". */
export function located(url: string, from: string): string {
  return isPath(url) ? resolve(from, url.replace(/^file:\/\//, '')) : url;
}

/** A remote's URL that is a path of this machine: git-clone(1) "GIT URLS". */
function isPath(url: string): boolean {
  return url.startsWith('file://') || /^(?:\/|\.{1,2}(?:\/|$)|[^:]*$|[^:]*\/.*:)/.test(url);
}
