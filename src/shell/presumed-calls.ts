import { directoryNamed } from './builtins/presumed-directory.ts';
import { type Call, framed, type Shell } from './call.ts';
import { subcommandAt } from './git-words.ts';
import { newFork, taking } from './path.ts';
import { findCarrier } from './programs/carriers.ts';
import { readingPrograms } from './programs/reading-programs.ts';
import { changed, doubtful, withPath } from './shell-state.ts';
import { type Fork, knownWord, type Path, type UnknownWord, type Word } from './simple-command.ts';
import { placingOptions } from './tasks/manager-options.ts';

/** `--prefix=` */
const attached = new RegExp(`^(?:${placingOptions.filter((option) => option.startsWith('--')).join('|')})=`);

/**
 * The call once for each directory in which it may well be made, where that is not known: what it does in one of them
 * counts, beside what it does wherever it is.
 */
export function presumedCalls(program: string, call: Call, shell: Shell): readonly Call[] {
  if (readingPrograms.has(program)) {
    return [];
  }
  const { cwd, path } = call.state;
  if (cwd.kind === 'known') {
    return callsElsewhere(program, call, shell);
  }
  const { among = [], presumed, candidates } = cwd;
  const isThere = presumed !== undefined && shell.overlay.isDirectory(presumed.path);
  const presumedCall = isThere ? [madeIn(presumed.path, call, taking(path, presumed.fork, true))] : [];
  if (findCarrier(program) === null && !program.includes('/')) {
    // What looks for no files has a step in each of the others, or in one that is not known.
    return presumedCall;
  }
  return [
    ...presumedCall,
    ...among.map((one) => madeIn(one, call, doubtful(call.state).path)),
    ...(candidates?.paths ?? []).map((one) => madeIn(one, call, taking(path, candidates?.fork ?? newFork(), true))),
  ];
}

function madeIn(directory: string, call: Call, path: Path): Call {
  const state = withPath(changed(call.state, { cwd: { kind: 'known', path: directory } }), path);
  return { ...call, state, frame: framed(call.frame, { output: null }), lookup: 'programs' };
}

/** By the options of git, make and package managers that name a directory: `git -C "$ROOT" status`, `make -C "${DIR:-.}"`, `npm --prefix="$ROOT" test` */
function callsElsewhere(program: string, call: Call, shell: Shell): readonly Call[] {
  const { argv, state } = call;
  const end = program === 'git' ? subcommandAt(argv) : undefined;
  const options = argv.slice(0, end);
  const at = options.findIndex((word, index) => word.kind === 'unknown' && namesPlace(word, argv[index - 1]));
  const word = argv[at];
  if (word?.kind !== 'unknown') {
    return [];
  }
  const [option = ''] = attached.exec(word.prefix) ?? [];
  const named = directoryNamed({ ...word, prefix: word.prefix.slice(option.length) }, state.cwd, shell);
  const frame = framed(call.frame, { output: null });
  const placed = (path: string, fork: Fork): Call => {
    const words = argv.with(at, knownWord(option + path));
    return { ...call, argv: words, state: withPath(state, taking(state.path, fork, true)), frame, lookup: 'programs' };
  };
  const { presumed, candidates } = named.kind === 'known' ? {} : named;
  // git works in one that is not known: what could be done there is asked about.
  const others = program === 'git' ? undefined : candidates;
  return [
    ...(presumed === undefined ? [] : [placed(presumed.path, presumed.fork)]),
    ...(others?.paths ?? []).map((path) => placed(path, others?.fork ?? newFork())),
  ];
}

function namesPlace({ prefix }: UnknownWord, before: Word | undefined): boolean {
  return attached.test(prefix) || (before?.kind === 'known' && placingOptions.includes(before.value));
}
