import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One process: its own words and who started it. */
interface Process {
  readonly argv: readonly string[];
  readonly parent: number;
}

/** A hook manager, its shell and ours stand between git and this process; a deeper chain is nothing we know. */
const maximumDepth = 12;

/**
 * The command lines of the processes that started this one, nearest first; as far up as they can be read.
 *
 * @param pid where to begin
 */
export function ancestorCommands(
  pid = process.ppid,
  read: (pid: number) => Process | null = readProcess,
): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let current: Process | null = read(pid);
  while (current !== null && found.length < maximumDepth) {
    found.push(current.argv);
    current = current.parent > 1 ? read(current.parent) : null;
  }
  return found;
}

/**
 * The command line of the git that pushes: the nearest ancestor that is a `git … push` or `git-push`. Git tells its
 * hooks the refs, but only this tells a lease from plain force.
 *
 * An alias shows its expansion here: git starts the command that an alias stands for as a process of its own.
 *
 * @returns its words after `git`; null when it can't be read (another user's process, no /proc and no `ps`)
 */
export function pushingCommand(ancestors: readonly (readonly string[])[]): readonly string[] | null {
  return ancestors.map(gitWords).find((words) => words?.includes('push')) ?? null;
}

/** The words after the program's name if the program is git; `git-push` is git's own name for `git push`. */
function gitWords(argv: readonly string[]): readonly string[] | null {
  const [program = '', ...words] = argv;
  const name = basename(program).replace(/\.exe$/i, '');
  if (name === 'git') {
    return words;
  }
  return name === 'git-push' ? ['push', ...words] : null;
}

function readProcess(pid: number): Process | null {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
  } catch {
    return null;
  }
}

/** proc(5): words end with NUL; in `stat` the parent follows the state, after a name that may hold anything but its last `)`. */
function readFromProc(pid: number): Process {
  const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { argv, parent: Number(parent) };
}

/** `ps` joins the words with spaces: a word that holds a space comes apart, which no option of git push does. */
function readFromPs(pid: number): Process {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const line = execFileSync('ps', ['-ww', '-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const [parent, ...argv] = line.split(/\s+/);
  return { argv, parent: Number(parent) };
}
