import { posix } from 'node:path';
import type { Call, ProgramReader, Shell } from '../call.ts';
import { within } from '../path-resolution.ts';
import { changed, fails, type Outcome, type ShellState, succeeds } from '../shell-state.ts';
import { type Directory, hostPath, isForeign, type Word } from '../simple-command.ts';
import { readParameter } from '../words/parameter.ts';
import { settledText } from '../words/read-again.ts';
import { directoryNamed } from './presumed-directory.ts';

/** `cd`: succeeds where the directory is there, fails where it can't be, and both where that can't be told. */
export const changeDirectory: ProgramReader = (call, shell) => {
  const [target = null, another] = operands(call);
  const directory = target === null ? home(call.state, shell) : searched(target, call.state, shell);
  const outcome = enter(directory, call.state, shell);
  // "too many arguments", says bash, and other shells do without the rest.
  return another === undefined ? outcome : { success: outcome.success, failure: call.state };
};

export const pushDirectory: ProgramReader = (call, shell) => {
  const { state } = call;
  const [target = null] = operands(call);
  const [top] = state.directoryStack;
  const directory = target === null ? (top ?? state.cwd) : destination(target, state, shell);
  const stack = [state.cwd, ...(target === null ? state.directoryStack.slice(1) : state.directoryStack)];
  const outcome = enter(directory, state, shell);
  return { ...outcome, success: outcome.success && { ...outcome.success, directoryStack: stack } };
};

export const popDirectory: ProgramReader = ({ state }, shell) => {
  const [top, ...rest] = state.directoryStack;
  if (top === undefined) {
    return fails(state);
  }
  const outcome = enter(top, state, shell);
  return { ...outcome, success: outcome.success && { ...outcome.success, directoryStack: rest } };
};

function operands(call: Call): readonly Word[] {
  const words = call.argv.slice(1);
  const first = words.findIndex((word) => !(word.kind === 'known' && /^-[LPe@n]+$|^--$/.test(word.value)));
  return first === -1 ? [] : words.slice(first);
}

function home(state: ShellState, shell: Shell): Directory {
  if (isForeign(state.cwd)) {
    return state.cwd;
  }
  const variable = state.variables.get('HOME');
  const value = variable?.kind === 'scalar' && variable.value.kind === 'known' ? variable.value.value : undefined;
  const path = variable === undefined ? shell.environment.HOME : value;
  return path === undefined ? { kind: 'unknown', reason: '$HOME has no known value' } : { kind: 'known', path };
}

/** CDPATH: where a plain name is looked for first (bash(1) "cd"). */
function searched(target: Word, state: ShellState, shell: Shell): Directory {
  const isPlain = target.kind === 'known' && !/^(?:\/|-$|\.{1,2}(?:\/|$))/.test(target.value);
  const list = isPlain ? readParameter('CDPATH', null, state, shell.environment) : null;
  if (!isPlain || list?.kind !== 'value' || list.word.kind === 'unknown') {
    return destination(target, state, shell);
  }
  for (const entry of list.word.value.split(':').filter(Boolean)) {
    const base = destination({ kind: 'known', value: entry }, state, shell);
    const found = base.kind === 'known' ? destination(target, changed(state, { cwd: base }), shell) : base;
    if (found.kind === 'known' && shell.overlay.isDirectory(found.path)) {
      return found;
    }
  }
  return destination(target, state, shell);
}

function destination(target: Word, state: ShellState, shell: Shell): Directory {
  if (isForeign(state.cwd) && (target.kind === 'unknown' || /^[/-]/.test(target.value))) {
    return state.cwd;
  }
  const settled = settledText(target);
  if (target.kind === 'unknown') {
    return settled === null ? directoryNamed(target, state.cwd, shell) : within(state.cwd, settled);
  }
  if (target.value === '-') {
    return state.previousCwd ?? { kind: 'unknown', reason: '$OLDPWD has no known value' };
  }
  if (target.value.startsWith('/')) {
    const path = hostPath(posix.resolve(target.value), state.cwd);
    return state.cwd.kind === 'known' ? { ...state.cwd, path } : { kind: 'known', path };
  }
  return within(state.cwd, target.value);
}

function enter(directory: Directory, state: ShellState, shell: Shell): Outcome {
  const inside = changed(state, { cwd: directory, previousCwd: state.cwd });
  if (directory.kind === 'unknown') {
    return { success: inside, failure: state };
  }
  if (shell.overlay.isDirectory(directory.path)) {
    return succeeds(inside);
  }
  const { overlay } = shell;
  return overlay.mayCreate || overlay.mayBeDirectory(directory.path)
    ? { success: inside, failure: state }
    : fails(state);
}
