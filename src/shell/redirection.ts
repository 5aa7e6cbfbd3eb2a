import { dirname } from 'node:path';
import type { Redirection } from 'unbash';
import { type Call, type Frame, framed, inEachDirectory, originOf, type ScriptShell, type Shell } from './call.ts';
import { isDevicePath } from './device-path.ts';
import { mergeOutcome } from './merged-states.ts';
import { resolvePath } from './path-resolution.ts';
import { changed, either, type Outcome, parted, type ShellState } from './shell-state.ts';
import { type FileWrite, knownWord, type Word } from './simple-command.ts';
import { Capture, InputStream } from './stream.ts';
import { withEnd } from './words/field.ts';
import { unknownWord } from './words/parameter.ts';
import { Expansion } from './words/word-expansion.ts';

/** A command's redirections, done: how its frame changes, and where its output goes. */
export interface Redirected {
  readonly state: ShellState;
  readonly frame: Frame;
  /** The write that receives standard output, to be told its content once it is known. */
  readonly target: { readonly step: number; readonly write: FileWrite; readonly capture: Capture } | null;
  /** Could a file not be opened? One that is read is not there, or the directory of one that is written. */
  readonly mayFail: () => boolean;
}

/** Opens the files in order (bash(1) "REDIRECTION"): each file opened for writing is a step. */
export function applyRedirections(
  redirections: readonly Redirection[],
  state: ShellState,
  frame: Frame,
  shell: ScriptShell,
): Redirected {
  if (redirections.length === 0) {
    return { state, frame, target: null, mayFail: isCertain };
  }
  const printsPlainly = frame.printsPlainly && redirections.every(isPlain);
  const isSame = printsPlainly === frame.printsPlainly;
  let result: Redirected = {
    state,
    frame: isSame ? frame : framed(frame, { printsPlainly }),
    target: null,
    mayFail: isCertain,
  };
  for (const redirection of redirections) {
    const expansion = new Expansion(shell, result.state);
    const next = shell.expanding(frame, () => applyOne(redirection, result, expansion, shell));
    result = { ...next, state: expansion.state };
  }
  return result;
}

const isCertain = () => false;

/** It reads, exchanges output and errors, or throws them away: what is printed then can be printed. */
function isPlain(redirection: Redirection): boolean {
  const isInput = redirection.descriptor === undefined || isDescriptor(redirection, 0);
  if (redirection.type !== 'Redirect') {
    return isInput;
  }
  const { operator, target } = redirection;
  const text = target?.text ?? '';
  switch (operator) {
    case '<':
    case '<>':
      return isInput;
    case '>&':
      return /^[12]$/.test(text);
    default:
      return text === '/dev/null';
  }
}

function isDescriptor({ descriptor }: Redirection, value: number): boolean {
  return descriptor?.type === 'FileDescriptor' && descriptor.value === value;
}

function applyOne(redirection: Redirection, before: Redirected, expansion: Expansion, shell: ScriptShell): Redirected {
  const descriptor = redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : null;
  const named = redirection.descriptor?.type === 'FileDescriptorVariable';
  const stream = named ? 'another' : (streams[descriptor ?? 1] ?? 'another');
  const isInput = descriptor === 0 || (redirection.descriptor === undefined && !named);
  const reads = (input: () => InputStream | null) => {
    if (isInput) {
      return withInput(before, input());
    }
    expansion.state = descriptor === null ? expansion.state : withDescriptor(expansion.state, descriptor, input());
    return before;
  };
  if (redirection.type === 'HereDoc') {
    return reads(() => new InputStream(hereDocument(redirection, expansion)));
  }
  if (redirection.target === undefined) {
    return before;
  }
  const target = expansion.value(redirection.target);
  if (redirection.type === 'HereString') {
    return reads(() => new InputStream(withEnd(target, '\n')));
  }
  switch (redirection.operator) {
    case '<>':
      if (!isInput) {
        return openForWriting(
          target,
          'append',
          stream,
          reads(() => fileInput(target, expansion.state, shell)),
          shell,
        );
      }
      return withFile(
        reads(() => fileInput(target, expansion.state, shell)),
        target,
        shell,
      );
    case '<':
      return withFile(
        reads(() => fileInput(target, expansion.state, shell)),
        target,
        shell,
      );
    case '<&':
      return reads(() => descriptorInput(target, before, expansion.state));
    case '>&':
      return /^(?:\d+|-)-?$/.test(redirection.target.text)
        ? led(before, stream, redirection.target.text)
        : openForWriting(target, 'make', 'both', before, shell);
    case '&>':
      return openForWriting(target, 'make', 'both', before, shell);
    case '&>>':
      return openForWriting(target, 'append', 'both', before, shell);
    case '>|':
      return openForWriting(target, 'replace', stream, before, shell);
    case '>':
      return openForWriting(target, 'make', stream, before, shell);
    case '>>':
      return openForWriting(target, 'append', stream, before, shell);
  }
}

/** What a redirection leads elsewhere. */
type Stream = 'output' | 'errors' | 'both' | 'another';

const streams: Readonly<Record<number, Stream>> = { 1: 'output', 2: 'errors' };

/** `>&2`, `2>&1`, `2>&-`: one stream goes where another one does, or nowhere. */
function led(before: Redirected, stream: Stream, to: string): Redirected {
  const { frame } = before;
  const number = to.replace(/(?<=\d)-$/, '');
  const reader = number === '1' ? frame.output : number === '2' ? frame.errors : null;
  if ((stream === 'output' && number === '1') || (stream === 'errors' && number === '2')) {
    return before;
  }
  switch (stream) {
    case 'output':
      return { ...before, frame: framed(frame, { output: reader }), target: null };
    case 'errors':
      return { ...before, frame: framed(frame, { errors: reader }) };
    case 'both':
      return { ...before, frame: framed(frame, { output: reader, errors: reader }), target: null };
    case 'another':
      return before;
  }
}

function withFile(before: Redirected, target: Word, shell: ScriptShell): Redirected {
  const path = resolvePath(target, before.state.cwd);
  const isMissing = () => path !== null && shell.overlay.texts(path).some(({ kind }) => kind === 'missing');
  return { ...before, mayFail: () => before.mayFail() || isMissing() };
}

/** Runs a command where all of its files can be opened: it does not run where one can't. */
export function whereOpened({ state, mayFail }: Redirected, run: (state: ShellState) => Outcome): Outcome {
  if (!mayFail()) {
    return run(state);
  }
  const { success, failure } = parted(either(state));
  return mergeOutcome(run(success ?? state), { success: null, failure });
}

/** How a command ends that does not run where its files can't be opened. */
export function withFailure(outcome: Outcome, { mayFail }: Redirected, state: ShellState): Outcome {
  return outcome.failure === null && mayFail() ? { ...outcome, failure: state } : outcome;
}

function withInput(before: Redirected, input: InputStream | null): Redirected {
  return { ...before, frame: framed(before.frame, { input }) };
}

function withDescriptor(state: ShellState, descriptor: number, input: InputStream | null): ShellState {
  const descriptors = new Map(state.descriptors);
  if (input === null) {
    descriptors.delete(descriptor);
  } else {
    descriptors.set(descriptor, input);
  }
  return changed(state, { descriptors });
}

/** What another descriptor leads to. @param target a number, or `-` to close */
function descriptorInput(target: Word, { frame }: Redirected, { descriptors }: ShellState): InputStream | null {
  const text = target.kind === 'known' ? target.value.replace(/(?<=\d)-$/, '') : '?';
  if (text === '0' || text === '-') {
    return text === '0' ? frame.input : null;
  }
  const unknown = () =>
    new InputStream(unknownWord(`<&${text}`, `what descriptor ${text} leads to is not known`, false));
  return descriptors.get(Number(text)) ?? unknown();
}

/** What a command's redirections have opened is closed after it. */
export function closeDescriptors(outcome: Outcome, { descriptors }: ShellState): Outcome {
  const close = (state: ShellState | null) =>
    state === null || state.descriptors === descriptors ? state : changed(state, { descriptors });
  return { success: close(outcome.success), failure: close(outcome.failure) };
}

function hereDocument(redirection: Extract<Redirection, { type: 'HereDoc' }>, expansion: Expansion): Word {
  const { body, delimiter, operator } = redirection;
  const text = body?.text ?? '';
  const stripped = operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
  if (delimiter?.quoted ?? false) {
    return knownWord(stripped);
  }
  const parts = body?.parts;
  if (operator !== '<<-' || parts === undefined) {
    return expansion.hereDocument(stripped, parts);
  }
  const first = parts[0];
  return expansion.hereDocument(
    text,
    parts.map((part) =>
      part.type === 'Literal'
        ? { ...part, value: part.value.replace(part === first ? /(^|\n)\t+/g : /(\n)\t+/g, '$1') }
        : part,
    ),
  );
}

function fileInput(target: Word, state: ShellState, shell: ScriptShell): InputStream {
  const path = resolvePath(target, state.cwd);
  if (path === null) {
    const reason = target.kind === 'unknown' ? target.reason : 'the directory of the file is not known';
    return new InputStream({
      kind: 'unknown',
      source: target.kind === 'unknown' ? target.source : target.value,
      reason,
      prefix: '',
      suffix: '',
      mayExpandToSeveral: false,
    });
  }
  const written =
    path === '/dev/null' ? knownWord('') : shell.overlay.wasWritten(path) ? shell.overlay.word(path) : null;
  const isOpen = written?.kind === 'unknown' || isDevicePath(path);
  return written !== null && isOpen
    ? new InputStream(written)
    : new InputStream({ path }, (name) => shell.overlay.text(name));
}

/** How a file is opened for writing; with `set -C`, one that is there can't be made. */
type Opening = 'make' | 'replace' | 'append';

function openForWriting(
  target: Word,
  opening: Opening,
  stream: Stream,
  before: Redirected,
  shell: ScriptShell,
): Redirected {
  const { state, frame } = before;
  if (target.kind === 'known' && isDevicePath(resolvePath(target, state.cwd) ?? '')) {
    return led(before, stream, deviceNumber(target.value));
  }
  const write: FileWrite = {
    kind: 'write',
    path: target,
    cwd: state.cwd,
    append: opening === 'append',
    refusesExisting: opening === 'make' && state.options.noclobber,
    content: null,
    origin: originOf(frame.text, state, frame),
  };
  const path = resolvePath(target, state.cwd);
  const mayFail = () =>
    before.mayFail() ||
    (path !== null && (!shell.overlay.isDirectory(dirname(path)) || shell.overlay.isDirectory(path)));
  const step = shell.steps.length;
  shell.emit(write);
  if (stream === 'errors' || stream === 'another') {
    record(write, null, shell);
    return { ...(stream === 'errors' ? led(before, stream, '-') : before), mayFail };
  }
  finishRedirections(before, shell);
  const capture = new Capture(state.path);
  const errors = stream === 'both' ? capture : frame.errors;
  return { ...before, frame: framed(frame, { output: capture, errors }), target: { step, write, capture }, mayFail };
}

/** Which stream a device stands for: bash(1) "REDIRECTION"; `-` for what nobody reads. */
function deviceNumber(path: string): string {
  return /^\/dev\/(?:stdout|fd\/1)$/.test(path) ? '1' : /^\/dev\/(?:stderr|fd\/2)$/.test(path) ? '2' : '-';
}

/** Tells the write that received standard output what it was. Call it when the command is done. */
export function finishRedirections(redirected: Redirected, shell: ScriptShell): void {
  if (redirected.target === null) {
    return;
  }
  const { step, write, capture } = redirected.target;
  const output = capture.word('');
  const content = output.kind === 'known' ? output.value : null;
  const printedBy = output.kind === 'unknown' ? output.printedBy : undefined;
  const told = { ...write, content, ...(printedBy === undefined ? {} : { printedBy }) };
  for (const [at, one] of inEachDirectory(told).entries()) {
    shell.steps[step + at] = one;
  }
  record(write, output, shell);
}

/** A program writes a file by itself, as a redirection would: what it holds then is not known. */
export function writeUnread(path: Word, { state, frame, source }: Call, shell: Shell): void {
  if (path.kind === 'known' && isDevicePath(resolvePath(path, state.cwd) ?? '')) {
    return;
  }
  const write: FileWrite = {
    kind: 'write',
    path,
    cwd: state.cwd,
    append: false,
    refusesExisting: false,
    content: null,
    origin: originOf(source, state, frame),
  };
  shell.emit(write);
  record(write, null, shell);
}

function record(write: FileWrite, content: Word | null, { overlay }: Shell): void {
  for (const { path: name, cwd, origin } of inEachDirectory(write)) {
    const path = resolvePath(name, cwd);
    if (path !== null) {
      overlay.during(origin.path, () => overlay.write(path, content, write.append));
    }
  }
}
