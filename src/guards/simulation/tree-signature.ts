import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import type { GitConfiguration } from '../../git/settings/configuration.ts';
import { configuredPath, excludesFile, personalDirectory } from '../../git/settings/personal-files.ts';

/** More files and directories than this are not looked at one by one: asking git costs less. */
const maxEntries = 300;
/** Milliseconds; the coarsest times that file systems keep are two seconds apart. */
const settled = 2000;

/**
 * What tells that git would answer anew about a work tree: the times of everything in it, ignored files included, of the
 * index, of the logs, and of the files that say what is ignored and how files are compared. What was just changed
 * can change again without a trace in its times, so it tells nothing.
 *
 * @param past has the configuration
 * @returns null where it can't be told, or would cost more than asking git
 */
export async function treeSignatureOf(
  { workTree, gitDir, commonDir, git }: Repository,
  past: Pick<Repository, 'config'>,
): Promise<string | null> {
  // Another index may lie anywhere.
  if (workTree === null || git.context.env.GIT_INDEX_FILE !== undefined) {
    return null;
  }
  const named = namedFiles(await past.config().catch(() => null), git.context.env);
  if (named === null) {
    return null;
  }
  const look = new Look(Date.now());
  try {
    const files = [
      workTree,
      gitDir,
      join(gitDir, 'index'),
      join(gitDir, 'info', 'sparse-checkout'),
      join(commonDir, 'info', 'exclude'),
      join(commonDir, 'info', 'attributes'),
      ...named,
    ];
    for (const path of files) {
      look.at(path);
    }
    look.below(workTree, '.git');
    for (const logs of new Set([join(gitDir, 'logs'), join(commonDir, 'logs')])) {
      if (look.at(logs) !== undefined) {
        look.below(logs);
      }
    }
    return look.signature;
  } catch {
    return null;
  }
}

/** gitignore(5), gitattributes(5): files outside of the repository. Null: their places can't be told. */
function namedFiles(config: GitConfiguration | null, env: Environment): readonly string[] | null {
  if (config === null) {
    return null;
  }
  const usual = personalDirectory(env);
  const named = [excludesFile, 'core.attributesfile'].flatMap((key) => config.getAll(key));
  const places = named.map((path) => configuredPath(path, env));
  return places.every(isAbsolute)
    ? [join(usual, 'ignore'), join(usual, 'attributes'), '/etc/gitattributes', ...places]
    : null;
}

/** Gathers the times of files; throws where they can't tell. */
class Look {
  readonly #now: number;
  readonly #seen: string[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  get signature(): string {
    return this.#seen.join('\n');
  }

  /** @returns what is there itself, links not followed */
  at(path: string): Stats | undefined {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const { mode, ino, size, mtimeMs = 0, ctimeMs = 0 }: Partial<Stats> = stat ?? {};
    if (this.#seen.length > maxEntries || this.#now - Math.max(mtimeMs, ctimeMs) < settled) {
      throw new RangeError(path);
    }
    this.#seen.push(`${path} ${mode} ${ino} ${size} ${mtimeMs} ${ctimeMs}`);
    return stat;
  }

  /** Everything in a directory, but for one name at its top. */
  below(directory: string, except = ''): void {
    for (const name of readdirSync(directory)) {
      if (name !== except) {
        this.#entry(join(directory, name), name);
      }
    }
  }

  #entry(path: string, name: string): void {
    const stat = this.at(path);
    // A repository of its own has a state of its own. Some versions of git follow a link that says what is ignored. A
    // name that is no text can't be asked for.
    if (stat === undefined || name === '.git' || (stat.isSymbolicLink() && name.startsWith('.git'))) {
      throw new RangeError(path);
    }
    if (stat.isDirectory()) {
      this.below(path);
    }
  }
}
