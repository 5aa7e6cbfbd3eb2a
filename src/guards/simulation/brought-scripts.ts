import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { blobAtOnce } from '../../git/contents/blobs.ts';
import { realPath } from '../../git/files.ts';
import type { Ask } from '../../git/runner.ts';
import type { CallOfGit, FileText, ScriptFiles } from '../../shell/script-files.ts';
import type { Directory } from '../../shell/simple-command.ts';
import { workTreeAbove } from '../files/guarded-file.ts';
import { interpretOwn } from '../git-command/interpret.ts';
import { readInvocation } from '../git-command/invocation.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type { BringFilesIntent, ChangeFilesIntent, DiscardIntent, Intent, StashIntent } from '../intent.ts';
import type { AskSettled } from './answers/settled-questions.ts';
import { entryNumber } from './files/stash-changes.ts';
import { isAskable, isInWorkTree, MovingRevisions } from './refs/moving-revisions.ts';

/** A file of a commit, or of the index: its mode and the name of its contents; null: it is not there. */
type Entry = { readonly mode: string; readonly oid: string } | null;

/** What becomes of one file; null: it stays as it is. */
type Becoming = { readonly entry: Entry } | null;

/**
 * Scripts that git commands of the line bring into the work tree, or change there, read from the commits, the index and
 * the stashes where they lie. What is not known of a command leaves a file as it is.
 *
 * @param askSettled remembers what it has asked
 */
export function scriptsAfterGit(askSettled: AskSettled): NonNullable<ScriptFiles['afterGit']> {
  return (path, calls, limit) => {
    const place = realPath(dirname(path)) ?? dirname(path);
    const top = workTreeAbove(place);
    if (top === null) {
      return calls.map(() => null);
    }
    const ask: Ask = (args) => askSettled(args, top);
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
  const text = blobAtOnce(entry.oid, ask);
  if (text === null || text.length > limit) {
    return { kind: 'unreadable', reason: `${path} is too large to read here` };
  }
  if (text.includes('\0')) {
    return { kind: 'unreadable', reason: `${path} is a binary file` };
  }
  return { kind: 'text', text };
}

/** One file of a work tree while commands of git run, one after the other. */
class FileInTree {
  readonly #top: string;
  /** From the top. */
  readonly #path: string;
  readonly #revisions: MovingRevisions;
  readonly #ask: Ask;
  readonly #becomings: Becoming[] = [];
  /** Which calls have made stashes that are still there, the newest last. */
  readonly #stashes: number[] = [];
  /** How many stashes from before the line are gone. */
  #taken = 0;

  constructor(top: string, path: string, ask: Ask) {
    this.#top = top;
    this.#path = path;
    this.#revisions = new MovingRevisions(top, ask);
    this.#ask = ask;
  }

  /** What becomes of it with each of the calls. */
  after(calls: readonly CallOfGit[]): readonly Becoming[] {
    for (const { argv, cwd } of calls) {
      const { words, directory } = readInvocation(argv.slice(1), cwd, () => null);
      const interpretation = isInWorkTree(directory, this.#top) ? interpretOwn(words, null) : null;
      const intents = interpretation?.kind === 'intents' ? interpretation.intents : [];
      // What comes from elsewhere takes the place of what is only taken back.
      const isBack = ({ kind }: Intent) => kind === 'discard';
      const ordered = [...intents.filter(isBack), ...intents.filter((intent) => !isBack(intent))];
      this.#becomings.push(last(ordered.map((intent) => this.#afterIntent(intent, directory))));
      for (const intent of intents) {
        if (intent.kind === 'switch') {
          this.#revisions.switchTo(intent);
        } else if (intent.kind === 'fetch') {
          this.#revisions.fetch(intent);
        } else if (intent.kind === 'bring-files' && !words.some((word) => textOf(word) === '--squash')) {
          this.#revisions.moveOn(intent);
        }
      }
    }
    return this.#becomings;
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

  #brought({ source, forced }: BringFilesIntent, directory: Directory): Becoming {
    switch (source.kind) {
      case 'commit': {
        const name = this.#revisions.nameIn(source.commit);
        if (name === null) {
          return null;
        }
        if (source.sparesAncestors !== undefined) {
          // What is put on it keeps its own changes.
          return this.#merged(name);
        }
        return source.paths === undefined
          ? this.#moved(
              this.#revisions.head,
              this.#revisions.revision(source.mayBePath === undefined ? name : this.#revisions.guessed(name)),
              forced,
            )
          : this.#isMeant(textsOf(source.paths), directory)
            ? this.#as(this.#revisions.revision(name))
            : null;
      }
      case 'merge':
        return last(source.commits.map((word) => this.#merged(this.#revisions.nameIn(word))));
      case 'changes':
        return last(
          source.commits.map((word) => {
            const commit = this.#revisions.nameIn(word);
            const [from, to] = source.takenBack ? [`${commit}`, `${commit}^`] : [`${commit}^`, `${commit}`];
            return commit === null
              ? null
              : this.#moved(this.#revisions.revision(from), this.#revisions.revision(to), false);
          }),
        );
      case 'stash':
        // What is said of the stash itself tells it.
        return null;
    }
  }

  #changed({ paths, to }: ChangeFilesIntent, directory: Directory): Becoming {
    const commit = typeof to === 'object' ? this.#revisions.nameIn(to.commit) : null;
    return commit !== null && this.#isMeant(textsOf(paths), directory)
      ? this.#as(this.#revisions.revision(commit))
      : null;
  }

  #discarded({ what }: DiscardIntent, directory: Directory): Becoming {
    switch (what.kind) {
      case 'tracked':
        return this.#as(this.#revisions.head);
      case 'paths':
        return what.from === 'index' && this.#isMeant(textsOf(what.paths), directory) ? this.#inIndex() : null;
      case 'branch-or-path': {
        const words = textsOf(what.words);
        const isRevision =
          words?.[0] === undefined || this.#revisions.objectOf(this.#revisions.revision(words[0])) !== null;
        return !isRevision && this.#isMeant(words, directory) ? this.#inIndex() : null;
      }
      default:
        return null;
    }
  }

  #stashed({ action, entry, partial }: StashIntent): Becoming {
    if (action === 'push') {
      this.#stashes.push(this.#becomings.length);
      return partial ? null : this.#as(this.#revisions.head);
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
    const target = name === null ? null : this.#revisions.revision(name);
    const base = this.#revisions.baseWith(target);
    return base === null ? null : this.#moved(base, target, false);
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

  /** Do these pathspecs mean the file? What has patterns or magic may. */
  #isMeant(pathspecs: readonly string[] | null, directory: Directory): boolean {
    const cwd = directory.kind === 'known' ? (realPath(directory.path) ?? directory.path) : this.#top;
    return (pathspecs ?? []).some((pathspec) => {
      const way = relative(resolve(cwd, pathspec), resolve(this.#top, this.#path));
      return /[*?[]|^:/.test(pathspec) || way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
    });
  }
}

function last(becomings: readonly Becoming[]): Becoming {
  return becomings.findLast((becoming) => becoming !== null) ?? null;
}
