import type { Call, Shell } from './call.ts';
import { resolvePath } from './path-resolution.ts';
import type { ShellState } from './shell-state.ts';
import { knownWord, type Word } from './simple-command.ts';

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

/** `git foo` runs `git-foo` where git itself has no such command: git(1). */
export function plantedSubcommand({ argv, state }: Call, shell: Shell): Word | null {
  const [first, second] = argv;
  const isCommand = first?.kind === 'known' && first.value === 'git' && second?.kind === 'known';
  return isCommand && /^[\w-]+$/.test(second.value) ? onPath(`git-${second.value}`, state, shell) : null;
}

function onPath(name: string, state: ShellState, shell: Shell): Word | null {
  const path = state.variables.get('PATH');
  if (path?.kind !== 'scalar') {
    return null;
  }
  const usual = new Set((shell.environment.PATH ?? '').split(':'));
  const directories = (path.value.kind === 'known' ? path.value.value : path.value.prefix).split(':');
  for (const directory of directories) {
    const file = usual.has(directory)
      ? null
      : resolvePath(knownWord(`${directory === '' ? '.' : directory}/${name}`), state.cwd);
    if (file !== null && shell.overlay.texts(file).some(({ kind }) => kind !== 'missing')) {
      return knownWord(file);
    }
  }
  return null;
}
