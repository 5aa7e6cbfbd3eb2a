import { posix } from 'node:path';
import { perhaps, placeOf } from '../builtins/presumed-directory.ts';
import { type Call, framed, type Shell, through } from '../call.ts';
import { listedFiles } from '../outputs/listed-files.ts';
import { newFork, taking } from '../path.ts';
import { resolvePath } from '../path-resolution.ts';
import { changed, doubtful, either, type Outcome, withPath } from '../shell-state.ts';
import { type Directory, knownWord, type UnknownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { replaceKnown, runWithUnknown } from './argument-feeders.ts';
import type { Candidate } from './find-evaluation.ts';
import { type FindExpression, type OpenPatterns, readFind } from './find-expression.ts';

/**
 * `find`: a command of its own, and those that its actions run for what it finds. What that is can't be known, but where
 * it lies, and which files could be among it.
 */
export function runFind(call: Call, shell: Shell): Outcome {
  const words = call.argv.slice(1);
  const find = readFind(words, 'nothing');
  const possible = find.hasOpenPattern ? readFind(words, openPatterns(find, call)) : find;
  shell.emitCommand(call, printed(possible, call, shell));
  shell.overlay.mayCreate = true;
  runActions(find, call, shell);
  if (find.hasOpenPattern) {
    const { state } = call;
    const guess = withPath(state, taking(state.path, newFork(null, true), true));
    const mayReach: FindExpression['mayReach'] = (...one) => possible.mayReach(...one) && !find.mayReach(...one);
    runActions({ ...possible, mayReach }, { ...call, state: guess }, shell);
  }
  return either(call.state);
}

/** In the whole work tree nobody means git's own files by a value; in a hidden directory they may be meant. */
function openPatterns({ starts }: FindExpression, { state: { cwd } }: Call): OpenPatterns {
  const isWorkTree = cwd.kind === 'known' && !cwd.path.includes('/.');
  return isWorkTree && starts.every((start) => start.kind === 'known' && /^\.\/?$/.test(start.value))
    ? 'empty'
    : 'anything';
}

function runActions(find: FindExpression, call: Call, shell: Shell): void {
  for (const action of find.actions) {
    if (action.name === '-delete') {
      const command = [knownWord('rm'), knownWord('-d'), knownWord('--'), knownWord('{}')];
      runAction({ ...action, command }, find, call, shell);
    } else if (action.command.length > 0) {
      runAction(action, find, call, shell);
    }
  }
}

function runAction(
  { name, at, command }: FindExpression['actions'][number],
  find: FindExpression,
  call: Call,
  shell: Shell,
): void {
  const inDirectory = name.endsWith('dir');
  const { cwd } = call.state;
  const frame = framed(through(call.frame, `find ${name}`), { input: null });
  for (const start of find.starts) {
    const below = foundBelow(start, at, find, call, shell);
    const state = inDirectory ? changed(call.state, { cwd: directoryFrom(start, below, cwd, shell) }) : call.state;
    const placed = { ...call, state, frame, argv: command, lookup: 'programs' } as const;
    const top = candidate(start, start.kind === 'known' ? start.value : '', call, shell);
    const isFile = name !== '-delete' || top.isDirectory === false;
    if (start.kind === 'known' && isFile && find.mayReach(at, top)) {
      const path = inDirectory ? (resolvePath(start, cwd) ?? start.value) : start.value;
      shell.run({ ...placed, argv: command.map((part) => replaceKnown(part, '{}', path)) });
    }
    const absolute = inDirectory && start.kind === 'known' ? resolvePath(start, cwd) : null;
    runWithUnknown(placed, '{}', absolute === null ? below : moved(below, absolute), shell);
    if (absolute !== null && !command.some((part) => part.kind === 'known' && part.value.includes('{}'))) {
      // What lies in the place itself is found from there.
      const { state: found } = call;
      shell.run({ ...placed, state: doubtful({ ...found, cwd: { kind: 'known', path: absolute } }) });
    }
  }
}

/** `-execdir`: where what is found lies, which may be where the line stands, if that is below the start. */
function directoryFrom(start: Word, found: UnknownWord, cwd: Directory, { overlay }: Shell): Directory {
  const reason = 'find chooses the directory';
  const top = resolvePath(start, cwd);
  if (cwd.kind === 'known' && top !== null && top !== cwd.path && `${cwd.path}/`.startsWith(`${top}/`)) {
    return perhaps(reason, cwd);
  }
  const places = (listedFiles(found, cwd, overlay, 'own') ?? []).map((path) =>
    posix.dirname(resolvePath(knownWord(path), cwd) ?? path),
  );
  const paths = [...new Set(places)];
  return { kind: 'unknown', reason, ...(paths.length > 0 && { candidates: { paths, fork: newFork() } }) };
}

/** The paths below one start that an action (null: printing) may be done to. */
function foundBelow(start: Word, action: number | null, find: FindExpression, call: Call, shell: Shell): UnknownWord {
  const word = unknownWord(call.source, 'what find finds is not known', false);
  if (start.kind === 'unknown') {
    return { ...word, prefix: start.prefix };
  }
  return {
    ...word,
    prefix: start.value.endsWith('/') ? start.value : `${start.value}/`,
    suffix: find.suffix,
    fits: (path) => find.mayReach(action, candidate(start, path, call, shell)),
  };
}

function candidate(start: Word, path: string, call: Call, shell: Shell): Candidate {
  const top = start.kind === 'known' ? start.value : start.prefix;
  const place = placeOf(call.state.cwd);
  const absolute = resolvePath(knownWord(path), place === null ? call.state.cwd : { kind: 'known', path: place });
  return {
    path,
    depth: path.slice(top.length).split('/').filter(Boolean).length,
    isDirectory: absolute === null ? null : shell.files.isDirectory(absolute),
    isEmpty: () => {
      const text = absolute === null ? null : shell.files.readText(absolute, 0);
      return text?.kind === 'text'
        ? true
        : text?.kind === 'unreadable' && !shell.files.isDirectory(absolute ?? '')
          ? false
          : null;
    },
    entry: () => (absolute === null ? null : shell.files.entry(absolute)),
    isWritten: () => absolute !== null && !shell.overlay.texts(absolute).some(({ kind }) => kind === 'missing'),
  };
}

/** The same paths from the root: `-execdir` runs its command elsewhere. */
function moved(found: UnknownWord, top: string): UnknownWord {
  const { prefix, fits } = found;
  const beginning = top.endsWith('/') ? top : `${top}/`;
  return {
    ...found,
    prefix: beginning,
    ...(fits === undefined ? {} : { fits: (path: string) => fits(prefix + path.slice(beginning.length)) }),
  };
}

/** What find prints. */
function printed(find: FindExpression, call: Call, shell: Shell): Word {
  const paths = unknownWord(call.source, 'what find finds is not known');
  const printing = find.actions.filter(({ name }) => /^-print0?$/.test(name));
  const isPrinted = find.actions.length === printing.length && printing.length <= 1;
  const [start, ...others] = find.starts;
  if (start?.kind !== 'known' || others.length > 0 || !isPrinted) {
    return paths;
  }
  const action = printing[0]?.at ?? null;
  const below = foundBelow(start, action, find, call, shell);
  return {
    ...paths,
    prefix: below.prefix,
    suffix: `${below.suffix}\n`,
    whenNothing: '',
    ...(below.fits === undefined ? {} : { fits: below.fits }),
  };
}

/** `fd PATTERN [DIRECTORY…] -x COMMAND…`: what it finds lies in these directories; fd(1). */
export function runFd(call: Call, shell: Shell): Outcome | null {
  const words = call.argv.slice(1);
  const at = words.findIndex((word) => word.kind === 'known' && /^(?:-x|-X|--exec|--exec-batch)$/.test(word.value));
  if (at < 0) {
    return null;
  }
  shell.emitCommand(call);
  const operands = words.slice(0, at).filter((word) => !(word.kind === 'known' && word.value.startsWith('-')));
  const command = words.slice(at + 1);
  const findsHidden = words
    .slice(0, at)
    .some((word) => (word.kind === 'unknown' ? mayBeOptions(word) : asksForHidden.test(word.value)));
  const isOpen = !command.some((word) => word.kind === 'known' && word.value.includes('{'));
  for (const start of operands.length > 1 ? operands.slice(1) : [knownWord('.')]) {
    const prefix = start.kind === 'known' && start.value !== '.' ? `${start.value.replace(/\/$/, '')}/` : '';
    const found = {
      ...unknownWord('{}', 'what fd finds is not known', false),
      prefix,
      fits: findsHidden || start.kind === 'unknown' ? () => true : (path: string) => isShown(path.slice(prefix.length)),
    };
    const argv = isOpen ? [...command, knownWord('{}')] : command;
    const frame = framed(through(call.frame, 'fd'), { input: null });
    runWithUnknown({ ...call, argv, frame, lookup: 'programs' }, '{}', found, shell);
  }
  return either(call.state);
}

const asksForHidden = /^(?:-[a-zA-Z]*[Hu]|--hidden|--unrestricted)/;

/** A word in quotes is a pattern or a directory. */
function mayBeOptions({ prefix, mayExpandToSeveral }: UnknownWord): boolean {
  return prefix.startsWith('-') || (mayExpandToSeveral && prefix === '');
}

/** fd(1): without `-H` nothing is found whose name begins with a dot, nor what lies below it. */
function isShown(path: string): boolean {
  return !/(?:^|\/)\.[^./]/.test(path);
}
