import { dirname, join, resolve } from 'node:path';
import { readText } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { gitDirectoriesOf } from './git-directories.ts';

/** A line that sets `core.hooksPath`, whatever its section: one more only makes the configuration be read. */
const setting = /(?:^|\])\s*hookspath\s*=\s*"?([^"\n#;]*)/gim;

/** A section that takes settings from another file. */
const including = /^\s*\[include/im;

/**
 * Directories in which git may look for the hooks of a work tree besides its usual one, absolute. Read from the texts of
 * the repository's and the person's configuration (git-config(1) "FILES"), without a process: what changes files may be
 * none of git's business. What only an included file or the system's says is not seen.
 *
 * @param workTree absolute
 */
export function configuredHooks(workTree: string, env: Environment): readonly string[] {
  return configurationTexts(workTree, env)
    .flatMap((text) => valuesIn(text))
    .map((value) => hooksAt(value, workTree, env));
}

/**
 * Files from which a work tree's configuration takes settings, absolute; those of conditions as well, whether they hold
 * or not: git-config(1) "Includes".
 *
 * @param workTree absolute; null: what holds everywhere
 */
export function includedFiles(workTree: string | null, env: Environment): ReadonlySet<string> {
  const found = new Set<string>();
  const open = configurationFiles(workTree, env).map((file) => ({ file, text: readText(file) ?? '' }));
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const { file, text } = each;
    for (const path of including.test(text) ? pathsIn(text).map((path) => hooksAt(path, dirname(file), env)) : []) {
      if (!found.has(path)) {
        found.add(path);
        open.push({ file: path, text: readText(path) ?? '' });
      }
    }
  }
  return found;
}

/** Values of `path` in the sections that include. */
function pathsIn(text: string): readonly string[] {
  const sections = text.split(/^[ \t]*(?=\[)/m).filter((section) => including.test(section));
  return sections.flatMap((section) =>
    Array.from(section.matchAll(/(?:^|\])\s*path\s*=\s*"?([^"\n]*)/gim), ([, value = '']) => value.trim()),
  );
}

/** Where a value of `core.hooksPath` leads; git-config(1) "pathname". */
export function hooksAt(value: string, workTree: string, env: Environment): string {
  return resolve(workTree, value.replace(/^~(?=\/)/, env.HOME ?? '/'));
}

/**
 * The value of `core.hooksPath` that holds in a work tree, as the same files say it.
 *
 * @returns null where it is not set; undefined where other files or variables could say so as well
 */
export function hooksPathIn(workTree: string, env: Environment): string | null | undefined {
  const system = env.GIT_CONFIG_NOSYSTEM === undefined ? (env.GIT_CONFIG_SYSTEM ?? '/etc/gitconfig') : null;
  const texts = [system === null ? '' : (readText(system) ?? ''), ...configurationTexts(workTree, env)];
  const hasVariables = env.GIT_CONFIG_COUNT !== undefined || env.GIT_CONFIG_PARAMETERS !== undefined;
  const isOpen = hasVariables || texts.some((text) => including.test(text));
  return isOpen ? undefined : (texts.flatMap(valuesIn).at(-1) ?? null);
}

/** In the order in which git reads them: the last one decides. */
function configurationTexts(workTree: string, env: Environment): readonly string[] {
  return configurationFiles(workTree, env).map((file) => readText(file) ?? '');
}

function configurationFiles(workTree: string | null, env: Environment): readonly string[] {
  const directories = workTree === null ? null : gitDirectoriesOf(workTree);
  const home = env.HOME ?? '/';
  const own = [join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'config'), join(home, '.gitconfig')];
  return [
    ...(env.GIT_CONFIG_GLOBAL === undefined ? own : [env.GIT_CONFIG_GLOBAL]),
    ...(directories === null
      ? []
      : [join(directories.commonDir, 'config'), join(directories.gitDir, 'config.worktree')]),
  ];
}

function valuesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(setting), ([, value = '']) => value.trim());
}
