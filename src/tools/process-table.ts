import { readdirSync, readFileSync } from 'node:fs';

/*
 * Linux tells about processes in /proc: proc(5). Elsewhere these functions find nothing.
 */

/** The children of a process. */
export function childrenOf(parent: number): readonly number[] {
  return processes().filter((pid) => statOf(pid)?.parent === parent);
}

/** Has a process group a member that runs? One that has ended, but that nobody has waited for yet, does not. */
export function isGroupRunning(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  const known = processes();
  return known.length === 0 || known.some((pid) => isRunning(pid, group));
}

function isRunning(pid: number, group: number): boolean {
  const stat = statOf(pid);
  return stat?.group === group && stat.state !== 'Z' && stat.state !== 'X';
}

/** The processes that were started with this variable in their environment; those of other users can't be read. */
export function processesWith(variable: string, value: string): readonly number[] {
  const entry = `${variable}=${value}`;
  return processes().filter((pid) => pid !== process.pid && (read(pid, 'environ') ?? '').split('\0').includes(entry));
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
}

/** The program's name, in parentheses, may hold anything: fields are counted behind the last one. */
function statOf(pid: number): ProcessStat | null {
  const stat = read(pid, 'stat');
  if (stat === null) {
    return null;
  }
  const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent), group: Number(group) };
}

function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return null;
  }
}
