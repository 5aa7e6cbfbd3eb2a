import { dirname } from 'node:path';
import { type Call, type Frame, framed, jumpTarget, type Shell, through } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { eachText, noScript, openedInput, unknownPlace, unreadableScript } from '../programs/shell-invocation.ts';
import { changed, either, inScript, type Outcome, type ShellState } from '../shell-state.ts';
import type { Word } from '../simple-command.ts';

/** `source file args` and `. file args`: the script runs in this very shell. */
export function runSource(call: Call, shell: Shell): Outcome {
  const [, file, ...args] = call.argv;
  if (file === undefined) {
    return either(call.state);
  }
  const path = resolvePath(file, call.state.cwd);
  if (file.kind === 'unknown' || path === null) {
    return isEnvironmentFile(file, shell) ? noScript(call, shell) : unreadableScript(call, shell, unknownPlace(file));
  }
  const frame = through(call.frame, `source ${file.value}`);
  const run = (text: string, state: ShellState, changes: Partial<Frame>) => {
    const returns = jumpTarget();
    const positional = args.length === 0 ? state.positional : args;
    const inside = changed(state, { positional, variables: inScript(state.variables, file) });
    const { outcome } = shell.catchJumps(returns, () =>
      shell.runText(text, inside, framed(frame, { ...changes, returns })),
    );
    return restored(outcome, state, args.length > 0);
  };
  const input = openedInput(path, call);
  if (input === undefined) {
    if (isAbsentSettings(path, shell)) {
      return noScript(call, shell);
    }
    return eachText(path, call, shell, (text, state) => run(text, state, {}));
  }
  const text = input?.drain() ?? null;
  return text === null
    ? unreadableScript(call, shell, 'what it reads is not known')
    : run(text, call.state, { input: null });
}

/** What tools are started with that set up the shell that reads them, and run nothing else: `. "$NVM_DIR/nvm.sh"`. */
const environmentFiles =
  /(?:^|\/)(?:bin\/activate|nvm\.sh|sdkman-init\.sh|asdf\.sh|conda\.sh|oh-my-zsh\.sh|\.cargo\/env|emsdk_env\.sh|bash_completion(?:\.sh|\.d\/[^/]+)?)$/;

/** Is it one of those, in a directory that is not known, and none that the line writes? */
function isEnvironmentFile(file: Word, { overlay }: Shell): boolean {
  const ending = file.kind === 'known' ? file.value : file.suffix;
  return environmentFiles.test(ending) && !overlay.hasWritten(ending.slice(ending.lastIndexOf('/') + 1));
}

/** A person's or a checkout's own settings: `~/.bashrc`, `.env.local`, `.envrc`, `dev.env`. */
const settingsFile = /\/(?:\.(?:\w*rc|\w*profile|\w*login|bash_\w+|zshenv|env(?:\.[\w.-]+)?)|[\w-]+\.env)$/;

/**
 * Are there no such settings, in a directory that is there? Programs (`npm ci`, `pip install`) don't write them, unless
 * the line says so by their name.
 */
function isAbsentSettings(path: string, { overlay }: Shell): boolean {
  return (
    settingsFile.test(path) && !overlay.wasWritten(path) && !overlay.exists(path) && overlay.isDirectory(dirname(path))
  );
}

/** What the sourced text had for itself alone. */
function restored(outcome: Outcome, before: ShellState, replaced: boolean): Outcome {
  const restore = (state: ShellState | null) => {
    if (state === null) {
      return null;
    }
    const variables = new Map(state.variables);
    const source = before.variables.get('BASH_SOURCE');
    if (source === undefined) {
      variables.delete('BASH_SOURCE');
    } else {
      variables.set('BASH_SOURCE', source);
    }
    return changed(state, { variables, positional: replaced ? before.positional : state.positional });
  };
  return { success: restore(outcome.success), failure: restore(outcome.failure) };
}
