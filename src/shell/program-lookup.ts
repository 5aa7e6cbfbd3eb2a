import type { Call, Shell } from './call.ts';
import { resolvePath } from './path-resolution.ts';
import type { ShellState } from './shell-state.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';

/**
 * The file that a program's name leads to where the line itself says so: by `hash -p`, by directories that it has put
 * on the PATH, or by zsh's `=git` (zshexpn(1)). Null: a program as it is installed.
 */
export function plantedProgram(call: Call, shell: Shell): Word | null {
  const [first] = call.argv;
  if (first?.kind !== 'known' || first.value.includes('/')) {
    return null;
  }
  const { state } = call;
  if (state.options.zshLists && /^=[\w-]/.test(first.value)) {
    return knownWord(first.value.slice(1));
  }
  const hashed = state.hashed.get(first.value);
  return hashed ?? onPath(first.value, state, shell);
}

/**
 * `git foo` runs `git-foo` where git itself has no such command, from the PATH or from where `--exec-path` or
 * GIT_EXEC_PATH say that git's own programs are: git(1).
 *
 * @returns the file and its arguments
 */
export function plantedSubcommand({ argv, state }: Call, shell: Shell): readonly Word[] | null {
  let at = 1;
  let programs = exportedText('GIT_EXEC_PATH', state);
  for (; beginningOf(argv[at]).startsWith('-'); at += /^-[cC]$/.test(beginningOf(argv[at])) ? 2 : 1) {
    programs = /^--exec-path=(.+)$/s.exec(beginningOf(argv[at]))?.[1] ?? programs;
  }
  const name = argv[at];
  if (name?.kind !== 'known' || !/^[\w-]+$/.test(name.value)) {
    return null;
  }
  const own = programs === null ? null : plantedIn([programs], `git-${name.value}`, state, shell);
  const file = own ?? onPath(`git-${name.value}`, state, shell);
  return file === null ? null : [file, ...argv.slice(at + 1)];
}

function exportedText(name: string, { variables }: ShellState): string | null {
  const variable = variables.get(name);
  return variable?.kind === 'scalar' && variable.exported ? beginningOf(variable.value) : null;
}

function onPath(name: string, state: ShellState, shell: Shell): Word | null {
  const path = state.variables.get('PATH');
  if (path?.kind !== 'scalar') {
    return null;
  }
  const usual = new Set((shell.environment.PATH ?? '').split(':'));
  const directories = beginningOf(path.value).split(':');
  return plantedIn(
    directories.filter((directory) => !usual.has(directory)),
    name,
    state,
    shell,
  );
}

function plantedIn(directories: readonly string[], name: string, { cwd }: ShellState, shell: Shell): Word | null {
  for (const directory of directories) {
    const file = resolvePath(knownWord(`${directory === '' ? '.' : directory}/${name}`), cwd);
    if (file !== null && shell.overlay.texts(file).some(({ kind }) => kind !== 'missing')) {
      return knownWord(file);
    }
  }
  return null;
}
