import { dirname, join } from 'node:path';
import { literalPathspec } from '../git/contents/pathspec.ts';
import { isThere, readText } from '../git/files.ts';
import { excludesFile } from '../git/settings/personal-files.ts';
import { isWithin } from './files/guarded-file.ts';
import type { Before } from './gone-files.ts';
import { ignoredFiles, mayHaveIgnored } from './ignored-files.ts';
import { outsideIgnoreFiles } from './rules/uncommitted/ignore-files.ts';
import { fromTop, patternsOf } from './rules/uncommitted/ignore-patterns.ts';
import type { Scene } from './scene.ts';
import { isIgnoreFile } from './simulation/files/ignore-file.ts';
import { type IgnoreTexts, ignoreTexts, mergedText } from './simulation/files/ignore-texts.ts';
import type { OverlaidTree } from './simulation/line-changes.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import { asOpened } from './simulation/replaced.ts';
import { textAsWritten } from './written-ignore-texts.ts';

/** A work tree, and what the line does to it by other means than git. */
type Line = OverlaidTree & Before & Pick<Scene, 'writtenTexts'>;

/** Of more files it is not asked whether they are ignored. */
const maximumFiles = 500;

/** Paths from the work tree's root. */
export interface Revealed {
  readonly files: readonly string[];
  /** Repositories and linked work trees in this one, with a slash at the end. */
  readonly repositories: readonly string[];
}

/**
 * Ignored files that are ignored no more, since the line has changed or removed what says so (gitignore(5)): the ignore
 * files of another commit, those that it writes, or another core.excludesFile. Without those that tools make again.
 *
 * @param excluded patterns that a command is told itself
 */
export async function revealedFiles(line: Line, excluded: readonly string[] = []): Promise<Revealed> {
  const { workTree } = line.repository;
  const isHidden = workTree === null || !(await changesIgnores(line)) || !(await mayHaveIgnored(line.repository));
  const found = isHidden ? [] : await revealedAt(workTree, line, excluded);
  const isNested = (path: string) => isRepository(join(workTree ?? '/', path));
  return { files: found.filter((path) => !isNested(path)), repositories: found.filter(isNested) };
}

async function revealedAt(top: string, line: Line, excluded: readonly string[]): Promise<readonly string[]> {
  const { repository } = line;
  const rules = await IgnoreRules.of(line, top);
  const files = rules.isChanged ? await ignoredFiles(line, line) : [];
  const asked = files.filter((path) => rules.changeFor(path)).slice(0, maximumFiles);
  if (asked.length === 0) {
    return [];
  }
  const patterns = [...rules.patternsFor(asked), ...excluded].map((pattern) => `--exclude=${pattern}`);
  const list = ['ls-files', '-z', '--others', '--ignored', ...patterns, '--', ...asked.map(literalPathspec)];
  const output = patterns.length === 0 ? null : await repository.git.run(['-C', top, ...list]);
  const ignored = new Set(output?.stdout.toString('utf8').split('\0'));
  return asked.filter((path) => !ignored.has(path));
}

/** What ignore files hold when the commands so far have run, by their absolute paths; null: there is none. */
export async function ignoreTextsThen(line: Line): Promise<(path: string) => string | null> {
  const { workTree, cwd } = line.repository;
  const rules = await IgnoreRules.of(line, workTree ?? cwd);
  return (path) => rules.textThen(path);
}

function isRepository(path: string): boolean {
  return path.endsWith('/') && isThere(join(path, '.git'));
}

/** They are untracked from now on, like what a commit had that was undone: to be staged, and to be put away. */
export async function recordRevealed(line: Line): Promise<void> {
  const { overlay } = line;
  const { files } = await revealedFiles({ ...line, repository: overlaid(line.repository, overlay) });
  for (const path of files) {
    if (!overlay.restored.has(path) && !overlay.index.has(path)) {
      overlay.unversioned.add(path);
      overlay.revealed.add(path);
    }
  }
}

/** Has the line done anything to ignore files, or to what names one? */
async function changesIgnores(line: Line): Promise<boolean> {
  const { overlay, patches, writtenTexts, moved, repository } = line;
  const { settings, shared } = overlay;
  if (
    overlay.ignoreChanges.length > 0 ||
    settings.some(({ key }) => key === excludesFile) ||
    shared.removed.some(({ isMeant }) => isMeant(excludesFile))
  ) {
    return true;
  }
  if (writtenTexts.size === 0 && patches.leavesFiles) {
    return false;
  }
  const outside = await outsideIgnoreFiles(repository);
  const takesAny = (path: string) => isIgnoreFile(path) || outside.some((file) => isWithin(file, path));
  return (
    [...writtenTexts.keys()].some((path) => isIgnoreFile(path) || outside.includes(path)) ||
    patches.removesAny(takesAny) ||
    moved.into('/').some(takesAny)
  );
}

/** What is ignored when the commands so far have run. */
class IgnoreRules {
  readonly #top: string;
  readonly #line: Line;
  readonly #tracked: IgnoreTexts;
  readonly #outside: readonly string[];
  /** Whether rules for any file are different ones. */
  readonly #isOtherOutside: boolean;

  private constructor(
    line: Line,
    top: string,
    tracked: IgnoreTexts,
    [before, outside]: readonly (readonly string[])[],
  ) {
    this.#line = line;
    this.#top = top;
    this.#tracked = tracked;
    this.#outside = outside ?? [];
    this.#isOtherOutside =
      before?.join('\0') !== this.#outside.join('\0') || this.#outside.some((path) => this.#isOther(path));
  }

  static async of(line: Line, top: string): Promise<IgnoreRules> {
    const { repository, overlay } = line;
    const tracked = await ignoreTexts(overlay, repository);
    const outside = [await outsideIgnoreFiles(asOpened(repository)), await outsideIgnoreFiles(repository)];
    return new IgnoreRules(line, top, tracked, outside);
  }

  get isChanged(): boolean {
    const { patches, writtenTexts, moved } = this.#line;
    return (
      this.#isOtherOutside ||
      this.#tracked.texts.size > 0 ||
      [...writtenTexts.keys(), ...moved.into('/')].some(isIgnoreFile) ||
      patches.removesAny(isIgnoreFile)
    );
  }

  /** Are there other rules than before for a file? */
  changeFor(path: string): boolean {
    return this.#isOtherOutside || this.#above(path).some((file) => this.#isOther(join(this.#top, file)));
  }

  /** Of all rules for these files, the one that counts most last: gitignore(5). */
  patternsFor(paths: readonly string[]): readonly string[] {
    const outside = this.#outside.flatMap((path) => patternsOf(this.textThen(path) ?? ''));
    const above = [...new Set(paths.flatMap((path) => this.#above(path)))].sort(
      (one, other) => depth(one) - depth(other),
    );
    const inside = above.flatMap((file) => {
      const directory = dirname(file);
      const text = this.textThen(join(this.#top, file)) ?? '';
      return patternsOf(text).map((pattern) => fromTop(pattern, directory === '.' ? '' : directory));
    });
    return [...outside, ...inside];
  }

  /** The ignore files that count for a path, wherever they are there or not. */
  #above(path: string): readonly string[] {
    const directory = dirname(path.replace(/\/$/, ''));
    return directory === '.' ? ['.gitignore'] : [...this.#above(directory), `${directory}/.gitignore`];
  }

  #isOther(path: string): boolean {
    return (this.textThen(path) ?? '') !== (readText(path) ?? '');
  }

  /** What an ignore file holds; null: it is not there. @param path absolute */
  textThen(path: string): string | null {
    const { texts, written } = this.#tracked;
    const [present, inside] = [readText(path), relativeTo(this.#top, path)];
    const swapped = texts.get(inside);
    const text = swapped === undefined ? present : swapped;
    const last = textAsWritten(path, this.#line);
    const taken = written.get(inside);
    if (last === undefined || last === taken) {
      return text;
    }
    return last === null ? null : mergedText(text, taken === undefined ? present : taken, last);
  }
}

function relativeTo(top: string, path: string): string {
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path;
}

function depth(path: string): number {
  return path.split('/').length;
}
