import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { realPath } from '../../git/files.ts';
import { askAtOnce } from '../../git/runner.ts';
import type { CallOfGit, FileText, ScriptFiles } from '../../shell/script-files.ts';
import { type Directory, programName, type SimpleCommand, type Word } from '../../shell/simple-command.ts';
import { workTreeAbove } from '../files/guarded-file.ts';
import { interpretOwn } from '../git-command/interpret.ts';
import { readInvocation } from '../git-command/invocation.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type {
  BringFilesIntent,
  ChangeFilesIntent,
  DiscardIntent,
  FetchIntent,
  Intent,
  StashIntent,
  SwitchIntent,
} from '../intent.ts';
import { entryNumber } from './index-changes.ts';
import { isRevisionQuery } from './revision-queries.ts';

/** A file of a commit, or of the index: its mode and the name of its contents; null: it is not there. */
type Entry = { readonly mode: string; readonly oid: string } | null;

/** What becomes of one file; null: it stays as it is. */
type Becoming = { readonly entry: Entry } | null;

/** What is checked out, as revisions that can be asked for in the repository as it is. */
interface Standing {
  commit: string;
  /** What is pulled, merged or put under it where nothing is named; null: nothing. */
  readonly upstream: string | null;
}

type Ask = (args: readonly string[]) => ReturnType<typeof askAtOnce>;

/**
 * Scripts that git commands of the line bring into the work tree, or change there, read from the commits, the index and
 * the stashes where they lie. What is not known of a command leaves a file as it is. Each question is put once.
 */
export function scriptsAfterGit(): NonNullable<ScriptFiles['afterGit']> {
  const answers = new Map<string, ReturnType<typeof askAtOnce>>();
  const askIn =
    (top: string): Ask =>
    (args) => {
      const question = [top, ...args].join('\0');
      const answer = answers.get(question) ?? askAtOnce(args, top);
      answers.set(question, answer);
      return answer;
    };
  return (path, calls, limit) => {
    const place = realPath(dirname(path)) ?? dirname(path);
    const top = workTreeAbove(place);
    if (top === null) {
      return calls.map(() => null);
    }
    const ask = askIn(top);
    const file = new FileInTree(top, relative(top, join(place, basename(path))), ask);
    return file
      .after(calls)
      .map((becoming) => (becoming === null ? null : textOfEntry(becoming.entry, path, limit, ask)));
  };
}

function textOfEntry(entry: Entry, path: string, limit: number, ask: Ask): FileText {
  if (entry === null) {
    return { kind: 'missing' };
  }
  if (entry.mode === '120000' || entry.mode === '160000') {
    return { kind: 'unreadable', reason: `${path} is no regular file` };
  }
  const { exitCode, text } = ask(['cat-file', 'blob', entry.oid]);
  if (exitCode !== 0 || text.length > limit) {
    return { kind: 'unreadable', reason: `${path} is too large to read here` };
  }
  if (text.includes('\0')) {
    return { kind: 'unreadable', reason: `${path} is a binary file` };
  }
  // The ends of what git answers were left out.
  return { kind: 'text', text: text === '' ? '' : `${text}\n` };
}

/** One file of a work tree while commands of git run, one after the other. */
class FileInTree {
  readonly #top: string;
  /** From the top. */
  readonly #path: string;
  /** What is checked out, and was before. */
  #head: Standing = { commit: 'HEAD', upstream: '@{upstream}' };
  #previous: Standing | null = null;
  /** Branches that the line makes or checks out: what they are then. */
  readonly #branches = new Map<string, Standing>();
  /** What FETCH_HEAD stands for. */
  #fetched: string | null = 'FETCH_HEAD';
  readonly #ask: Ask;
  readonly #becomings: Becoming[] = [];
  /** Which calls have made stashes that are still there, the newest last. */
  readonly #stashes: number[] = [];
  /** How many stashes from before the line are gone. */
  #taken = 0;

  constructor(top: string, path: string, ask: Ask) {
    this.#top = top;
    this.#path = path;
    this.#ask = ask;
  }

  /** What becomes of it with each of the calls. */
  after(calls: readonly CallOfGit[]): readonly Becoming[] {
    for (const { argv, cwd } of calls) {
      const { words, directory } = readInvocation(argv.slice(1), cwd, () => null);
      const interpretation = this.#isHere(directory) ? interpretOwn(words, null) : null;
      const intents = interpretation?.kind === 'intents' ? interpretation.intents : [];
      // What comes from elsewhere takes the place of what is only taken back.
      const isBack = ({ kind }: Intent) => kind === 'discard';
      const ordered = [...intents.filter(isBack), ...intents.filter((intent) => !isBack(intent))];
      this.#becomings.push(last(ordered.map((intent) => this.#afterIntent(intent, directory))));
      for (const intent of intents) {
        if (intent.kind === 'switch') {
          this.#switch(intent);
        } else if (intent.kind === 'fetch') {
          this.#fetch(intent);
        } else if (intent.kind === 'bring-files' && !words.some((word) => textOf(word) === '--squash')) {
          this.#moveOn(intent);
        }
      }
    }
    return this.#becomings;
  }

  #isHere(directory: Directory): directory is Extract<Directory, { kind: 'known' }> {
    return directory.kind === 'known' && workTreeAbove(realPath(directory.path) ?? directory.path) === this.#top;
  }

  #afterIntent(intent: Intent, directory: Directory): Becoming {
    switch (intent.kind) {
      case 'bring-files':
        return this.#brought(intent, directory);
      case 'discard':
        return this.#discarded(intent, directory);
      case 'change-files':
        return this.#changed(intent, directory);
      case 'stash':
        return this.#stashed(intent);
      default:
        return null;
    }
  }

  #switch({ to, create, start }: SwitchIntent): void {
    const name = this.#nameIn(to);
    const from = create ? (this.#nameIn(start ?? null) ?? 'HEAD') : name;
    const standing = name === null || from === null ? null : create ? this.#made(from) : this.#named(from);
    if (name === null || standing === null || this.#objectOf(`${standing.commit}^{commit}`) === null) {
      return;
    }
    if (create || this.#objectOf(`refs/heads/${name}`) !== null) {
      this.#branches.set(name, standing);
    }
    [this.#previous, this.#head] = [this.#head, standing];
  }

  /** As far as it was fetched before, too. */
  #fetch({ remote, refspecs }: FetchIntent): void {
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
    const commit = this.#revision(from);
    const isRemote =
      commit !== null && this.#objectOf(`refs/remotes/${commit.replace(/^refs\/remotes\//, '')}`) !== null;
    return commit === null ? null : { commit, upstream: isRemote ? commit : null };
  }

  #named(name: string): Standing | null {
    if (name === '-' || name === '@{-1}') {
      return this.#previous ?? { commit: '@{-1}', upstream: '@{-1}@{upstream}' };
    }
    const commit = this.#revision(this.#guessed(name));
    return this.#branches.get(name) ?? (commit === null ? null : { commit, upstream: `${name}@{upstream}` });
  }

  /** git-checkout(1) "--guess": a branch that only the remote has is made here. */
  #guessed(name: string): string {
    const ofRemote = `refs/remotes/origin/${name}`;
    const isHere =
      this.#branches.has(name) || /^(?:HEAD|FETCH_HEAD|-|.*@.*)$/.test(name) || this.#objectOf(name) !== null;
    return isHere || this.#objectOf(ofRemote) === null ? name : ofRemote;
  }

  /** The name that a word has, or that git prints in its place. */
  #nameIn(word: Word | null): string | null {
    const printer = word?.kind === 'unknown' && word.prefix + word.suffix === '' ? word.printedBy : undefined;
    return printer === undefined || programName(printer.argv[0]) !== 'git' ? textOf(word) : this.#printed(printer);
  }

  #printed({ argv, cwd }: SimpleCommand): string | null {
    const invocation = readInvocation(argv.slice(1), cwd, () => null);
    const words = textsOf(invocation.words);
    if (words === null || !this.#isHere(invocation.directory) || !isRevisionQuery(words)) {
      return null;
    }
    const [name = 'HEAD', ...others] = words.slice(1).filter((word) => !word.startsWith('-'));
    if (words[0] === 'rev-parse' && others.length === 0 && !/^(?:HEAD|@)/.test(name)) {
      return this.#revision(name);
    }
    // Where HEAD has moved, what it was when the question was put is not known.
    const isMoved = this.#previous !== null || this.#head.commit !== 'HEAD';
    const { exitCode, text } =
      isMoved && [name, ...others].some((word) => /HEAD|@/.test(word)) ? { exitCode: 128, text: '' } : this.#ask(words);
    return exitCode === 0 && !text.includes('\n') ? text : null;
  }

  /** What a word means now, as a revision that means the same in the repository as it is; null: nothing. */
  #revision(name: string): string | null {
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

  #brought({ source, forced }: BringFilesIntent, directory: Directory): Becoming {
    switch (source.kind) {
      case 'commit': {
        const name = this.#nameIn(source.commit);
        if (name === null) {
          return null;
        }
        if (source.sparesAncestors !== undefined) {
          // What is put on it keeps its own changes.
          return this.#merged(name);
        }
        return source.paths === undefined
          ? this.#moved(
              this.#head.commit,
              this.#revision(source.mayBePath === undefined ? name : this.#guessed(name)),
              forced,
            )
          : this.#isMeant(textsOf(source.paths), directory)
            ? this.#as(this.#revision(name))
            : null;
      }
      case 'merge':
        return last(source.commits.map((word) => this.#merged(this.#nameIn(word))));
      case 'changes':
        return last(
          source.commits.map((word) => {
            const commit = this.#nameIn(word);
            const [from, to] = source.takenBack ? [`${commit}`, `${commit}^`] : [`${commit}^`, `${commit}`];
            return commit === null ? null : this.#moved(this.#revision(from), this.#revision(to), false);
          }),
        );
      case 'stash':
        // What is said of the stash itself tells it.
        return null;
    }
  }

  #changed({ paths, to }: ChangeFilesIntent, directory: Directory): Becoming {
    const commit = typeof to === 'object' ? this.#nameIn(to.commit) : null;
    return commit !== null && this.#isMeant(textsOf(paths), directory) ? this.#as(this.#revision(commit)) : null;
  }

  #discarded({ what }: DiscardIntent, directory: Directory): Becoming {
    switch (what.kind) {
      case 'tracked':
        return this.#as(this.#head.commit);
      case 'paths':
        return what.from === 'index' && this.#isMeant(textsOf(what.paths), directory) ? this.#inIndex() : null;
      case 'branch-or-path': {
        const words = textsOf(what.words);
        const isRevision = words?.[0] === undefined || this.#objectOf(this.#revision(words[0])) !== null;
        return !isRevision && this.#isMeant(words, directory) ? this.#inIndex() : null;
      }
      default:
        return null;
    }
  }

  #stashed({ action, entry, partial }: StashIntent): Becoming {
    if (action === 'push') {
      this.#stashes.push(this.#becomings.length);
      return partial ? null : this.#as(this.#head.commit);
    }
    const name = entry === null ? '0' : textOf(entry);
    const number = name === null ? null : entryNumber(name);
    if (number === null || action === 'store') {
      return null;
    }
    const at = this.#stashes.length - 1 - number;
    if (at < 0) {
      const before = number - this.#stashes.length + this.#taken;
      this.#taken += action === 'apply' ? 0 : 1;
      return this.#popped(`stash@{${before}}`);
    }
    // It is again as it was before the line has put it away.
    const call = this.#stashes[at];
    if (call !== undefined) {
      this.#becomings[call] = null;
    }
    this.#stashes.splice(at, action === 'apply' ? 0 : 1);
    return null;
  }

  #popped(stash: string): Becoming {
    const untracked = this.#entryOf(`${stash}^3`);
    return untracked === undefined || untracked === null
      ? this.#moved(`${stash}^1`, stash, false)
      : { entry: untracked };
  }

  #merged(name: string | null): Becoming {
    const target = name === null ? null : this.#revision(name);
    const base = this.#baseWith(target);
    return base === null ? null : this.#moved(base, target, false);
  }

  /** Where nothing but what is merged was added, the branch moves on to that. */
  #moveOn({ source }: BringFilesIntent): void {
    const commits = source.kind === 'merge' ? source.commits : source.kind === 'commit' ? [source.commit] : [];
    const isJoined = source.kind === 'merge' || (source.kind === 'commit' && source.sparesAncestors !== undefined);
    const [name, ...others] = isJoined ? commits.map((word) => this.#nameIn(word)) : [];
    const target = name == null || others.length > 0 ? null : this.#revision(name);
    const base = this.#baseWith(target);
    if (target !== null && base !== null && base === this.#objectOf(this.#head.commit)) {
      this.#head.commit = target;
    }
  }

  #baseWith(commit: string | null): string | null {
    const base = isAskable(commit) ? this.#ask(['merge-base', this.#head.commit, commit]) : null;
    return base?.exitCode === 0 ? base.text : null;
  }

  /** What comes from one commit to another: a file that both have stays as it is, unless that is forced. */
  #moved(from: string | null, to: string | null, forced: boolean): Becoming {
    if (!isAskable(from) || !isAskable(to)) {
      return null;
    }
    const { exitCode, text } = this.#ask([
      '--literal-pathspecs',
      'diff-tree',
      '-r',
      '--no-renames',
      from,
      to,
      '--',
      this.#path,
    ]);
    const [, mode, oid] = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) /.exec(text) ?? [];
    if (exitCode !== 0 || mode === undefined || oid === undefined) {
      return forced && exitCode === 0 ? this.#as(to) : null;
    }
    return { entry: mode === '000000' ? null : { mode, oid } };
  }

  /** It becomes what it is there, whatever it is now. */
  #as(revision: string | null): Becoming {
    const entry = this.#entryOf(revision);
    return entry === undefined || entry === null ? null : { entry };
  }

  #inIndex(): Becoming {
    const { exitCode, text } = this.#ask(['--literal-pathspecs', 'ls-files', '-s', '--', this.#path]);
    const [, mode, oid] = /^(\d{6}) ([0-9a-f]+) 0\t/.exec(text) ?? [];
    return exitCode !== 0 || mode === undefined || oid === undefined ? null : { entry: { mode, oid } };
  }

  /** Undefined: there is no such commit. */
  #entryOf(revision: string | null): Entry | undefined {
    if (!isAskable(revision)) {
      return undefined;
    }
    const listed = ['--literal-pathspecs', 'ls-tree', '--full-tree', revision, '--', this.#path];
    const { exitCode, text } = this.#ask(listed);
    const [, mode, oid] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(text) ?? [];
    return exitCode !== 0 ? undefined : mode === undefined || oid === undefined ? null : { mode, oid };
  }

  #objectOf(revision: string | null): string | null {
    if (!isAskable(revision)) {
      return null;
    }
    const { exitCode, text } = this.#ask(['rev-parse', '--verify', '--quiet', revision]);
    return exitCode === 0 ? text : null;
  }

  /** Do these pathspecs mean the file? What has patterns or magic may. */
  #isMeant(pathspecs: readonly string[] | null, directory: Directory): boolean {
    const cwd = directory.kind === 'known' ? (realPath(directory.path) ?? directory.path) : this.#top;
    return (pathspecs ?? []).some((pathspec) => {
      const way = relative(resolve(cwd, pathspec), resolve(this.#top, this.#path));
      return /[*?[]|^:/.test(pathspec) || way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
    });
  }
}

function isAskable(revision: string | null): revision is string {
  return revision !== null && !/^-|[\n\0]/.test(revision);
}

function last(becomings: readonly Becoming[]): Becoming {
  return becomings.findLast((becoming) => becoming !== null) ?? null;
}
