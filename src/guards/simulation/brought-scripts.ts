import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { realPath } from '../../git/files.ts';
import { askAtOnce } from '../../git/runner.ts';
import type { CallOfGit, FileText, ScriptFiles } from '../../shell/script-files.ts';
import type { Directory } from '../../shell/simple-command.ts';
import { workTreeAbove } from '../files/guarded-file.ts';
import { interpretOwn } from '../git-command/interpret.ts';
import { readInvocation } from '../git-command/invocation.ts';
import { textOf, textsOf } from '../git-command/words.ts';
import type {
  BringFilesIntent,
  ChangeFilesIntent,
  DiscardIntent,
  Intent,
  StashIntent,
  SwitchIntent,
} from '../intent.ts';
import { entryNumber } from './index-changes.ts';

/** A file of a commit, or of the index: its mode and the name of its contents; null: it is not there. */
type Entry = { readonly mode: string; readonly oid: string } | null;

/** What becomes of one file; null: it stays as it is. */
type Becoming = { readonly entry: Entry } | null;

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
  /** What is checked out, and was before: as a revision that can be asked for. */
  #head = 'HEAD';
  #previous: string | null = null;
  /** Branches that the line makes, and what they stand for. */
  readonly #made = new Map<string, string>();
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
    const name = textOf(to);
    const from = create ? (textOf(start ?? null) ?? 'HEAD') : name;
    const target = from === null ? null : this.#revision(from);
    if (target === null || name === null || this.#objectOf(`${target}^{commit}`) === null) {
      return;
    }
    if (create) {
      this.#made.set(name, target);
    }
    [this.#previous, this.#head] = [this.#head, target];
  }

  /** What a word means now, as a revision that means the same in the repository as it is. */
  #revision(name: string): string {
    if (name === '-' || name === '@{-1}') {
      return this.#previous ?? '@{-1}';
    }
    const [, base = '', rest = ''] = /^([^~^]*)(.*)$/s.exec(name) ?? [];
    return (base === 'HEAD' || base === '@' ? this.#head : (this.#made.get(base) ?? base)) + rest;
  }

  #brought({ source, forced }: BringFilesIntent, directory: Directory): Becoming {
    switch (source.kind) {
      case 'commit': {
        const name = textOf(source.commit);
        if (name === null) {
          return null;
        }
        return source.paths === undefined
          ? this.#moved(this.#head, this.#revision(name), forced)
          : this.#isMeant(textsOf(source.paths), directory)
            ? this.#as(this.#revision(name))
            : null;
      }
      case 'merge':
        return last(source.commits.map((word) => this.#merged(textOf(word))));
      case 'changes':
        return last(
          source.commits.map((word) => {
            const commit = textOf(word);
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
    const commit = typeof to === 'object' ? textOf(to.commit) : null;
    return commit !== null && this.#isMeant(textsOf(paths), directory) ? this.#as(this.#revision(commit)) : null;
  }

  #discarded({ what }: DiscardIntent, directory: Directory): Becoming {
    switch (what.kind) {
      case 'tracked':
        return this.#as(this.#head);
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
      return partial ? null : this.#as(this.#head);
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
    const base = target === null ? null : this.#ask(['merge-base', this.#head, target]);
    return target === null || base === null || base.exitCode !== 0 ? null : this.#moved(base.text, target, false);
  }

  /** What comes from one commit to another: a file that both have stays as it is, unless that is forced. */
  #moved(from: string, to: string, forced: boolean): Becoming {
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
  #as(revision: string): Becoming {
    const entry = this.#entryOf(revision);
    return entry === undefined || entry === null ? null : { entry };
  }

  #inIndex(): Becoming {
    const { exitCode, text } = this.#ask(['--literal-pathspecs', 'ls-files', '-s', '--', this.#path]);
    const [, mode, oid] = /^(\d{6}) ([0-9a-f]+) 0\t/.exec(text) ?? [];
    return exitCode !== 0 || mode === undefined || oid === undefined ? null : { entry: { mode, oid } };
  }

  /** Undefined: there is no such commit. */
  #entryOf(revision: string): Entry | undefined {
    if (!isAskable(revision)) {
      return undefined;
    }
    const listed = ['--literal-pathspecs', 'ls-tree', '--full-tree', revision, '--', this.#path];
    const { exitCode, text } = this.#ask(listed);
    const [, mode, oid] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(text) ?? [];
    return exitCode !== 0 ? undefined : mode === undefined || oid === undefined ? null : { mode, oid };
  }

  #objectOf(revision: string): string | null {
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

function isAskable(revision: string): boolean {
  return !/^-|[\n\0]/.test(revision);
}

function last(becomings: readonly Becoming[]): Becoming {
  return becomings.findLast((becoming) => becoming !== null) ?? null;
}
