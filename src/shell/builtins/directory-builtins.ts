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
  const named = state.options.cdableVars ? namedBy(target, state, shell) : null;
  if (named !== null) {
    return destination(named, state, shell);
  }
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

/** `shopt -s cdable_vars`: the value of the variable, where no directory is called so. */
function namedBy(target: Word, state: ShellState, shell: Shell): Word | null {
  const name = target.kind === 'known' && /^[A-Za-z_]\w*$/.test(target.value) ? target.value : null;
  const plain = name === null ? null : destination(target, state, shell);
  if (name === null || (plain?.kind === 'known' && shell.overlay.isDirectory(plain.path))) {
    return null;
  }
  const value = readParameter(name, null, state, shell.environment);
  return value.kind === 'value' || value.kind === 'unknown' ? value.word : null;
}

/** Where a directory's name leads from the one in which the shell stands. */
export function destination(target: Word, state: ShellState, shell: Shell): Directory {
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

/** What comes of going there. */
export function enter(directory: Directory, state: ShellState, shell: Shell): Outcome {
  const inside = changed(state, { cwd: directory, previousCwd: state.cwd });
  if (directory.kind === 'unknown') {
    return { success: inside, failure: state };
  }
  const { overlay } = shell;
  const isRemoved = overlay.isRemoved(directory.path);
  if (overlay.isDirectory(directory.path) && !isRemoved) {
    return succeeds(inside);
  }
  return isRemoved || overlay.mayCreate || overlay.mayBeDirectory(directory.path)
    ? { success: inside, failure: state }
    : fails(state);
}
