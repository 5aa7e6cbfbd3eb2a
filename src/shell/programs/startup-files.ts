import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { knownWord, type Word } from '../simple-command.ts';
import { readParameter } from '../words/parameter.ts';
import { Expansion } from '../words/word-expansion.ts';

/** How a shell is started. */
export interface ShellStart {
  /** The shell's name. */
  readonly label: string;
  readonly interactive: boolean;
  readonly login: boolean;
  /** `--rcfile` */
  readonly startup: Word | null;
}

/** What a shell reads in the home directory before anything else: bash(1) "INVOCATION", zsh(1) "STARTUP/SHUTDOWN FILES". */
function homeFiles({ label, interactive, login, startup }: ShellStart): readonly string[] {
  if (label === 'zsh') {
    return ['.zshenv', ...(login ? ['.zprofile', '.zlogin'] : []), ...(interactive ? ['.zshrc'] : [])];
  }
  const rc = label === 'bash' && interactive && !login && startup === null ? ['.bashrc'] : [];
  return [...(login ? ['.bash_profile', '.bash_login', '.profile'] : []), ...rc];
}

/**
 * The files that a shell reads when it starts, with what they are named by; of those in the home directory only what the
 * line itself has written is of interest, as only what it sets is of BASH_ENV and ENV; where it has named another directory, all.
 */
export function startupFiles(start: ShellStart, call: Call, shell: Shell): readonly { label: string; file: Word }[] {
  const { state } = call;
  const name = start.label === 'bash' ? 'BASH_ENV' : 'ENV';
  const variable = state.variables.get(name);
  const isRead = variable?.kind === 'scalar' && variable.exported && start.interactive === (name === 'ENV');
  const value = isRead ? variable.value : null;
  const named = value?.kind === 'known' ? new Expansion(shell, state).expandValue(value.value) : value;
  const home = readParameter(start.label === 'zsh' ? 'ZDOTDIR' : 'HOME', null, state, shell.environment);
  const base = home.kind === 'value' ? home : readParameter('HOME', null, state, shell.environment);
  const directory = base.kind === 'value' && base.word.kind === 'known' ? base.word.value : null;
  const isOther = directory !== null && directory !== shell.environment.HOME;
  const written = homeFiles(start).filter((file) => {
    const path = directory === null ? null : resolvePath(knownWord(`${directory}/${file}`), state.cwd);
    return path !== null && (shell.overlay.wasWritten(path) || (isOther && shell.overlay.text(path) !== null));
  });
  return [
    ...(named === null || named === undefined ? [] : [{ label: name, file: named }]),
    ...(start.startup === null ? [] : [{ label: '--rcfile', file: start.startup }]),
    ...written.map((file) => ({ label: `~/${file}`, file: knownWord(`${directory}/${file}`) })),
  ];
}
