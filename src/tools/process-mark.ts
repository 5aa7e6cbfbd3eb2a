import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A name for what runs sessions in this process, which tells other processes of this machine whether it still runs:
 * `HOST/PID-NAMESPACE/PID/START/NONCE`.
 */
export function runnerName(): string {
  return `${processName()}/${randomBytes(4).toString('hex')}`;
}

/** The same for this process as a whole: `HOST/PID-NAMESPACE/PID/START`. */
export function processName(): string {
  return [place(), process.pid, startOf(process.pid) ?? ''].join('/');
}

/** Has the process behind a name ended? Null: it is on another machine, from where that can't be seen. */
export function hasEnded(runner: string): boolean | null {
  const [host, namespace, pid, start = ''] = runner.split('/');
  return `${host}/${namespace}` === place() ? hasProcessEnded(Number(pid), start) : null;
}

/**
 * Has a process of this machine ended?
 *
 * @param start as {@link startOf} gave it; '' where it gave none: then only the number tells
 */
export function hasProcessEnded(pid: number, start: string): boolean {
  if (start !== '') {
    return startOf(pid) !== start;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/** Process numbers mean something on one machine, within one PID namespace (pid_namespaces(7)). */
function place(): string {
  return `${hostname().replaceAll('/', '-')}/${namespaceOf()}`;
}

function namespaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'pid';
  }
}

/**
 * Fields 3 and 22 of /proc/PID/stat (proc(5)): its state and when it started, for the number may be another process's
 * later. Null where there is none, or it was killed and nobody has asked how it ended yet.
 */
export function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
