import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerSettings } from './settings.ts';

/** A control group of its own for one command: what it starts stays in it. */
export interface ControlGroup {
  /** Files to which a process writes its id to join. */
  readonly joins: readonly string[];
  /** Removes it, once everything in it has ended. */
  remove(): Promise<void>;
}

type Limits = Pick<ContainerSettings, 'pids' | 'memory' | 'processors'>;

/** Microseconds. */
const period = 100_000;

/** What is written to which file: cgroups(7), version 2, and in the kernel's Documentation/admin-guide/cgroup-v1. */
function limitsOfVersion2({ pids, memory, processors }: Limits) {
  return [
    ['pids.max', pids],
    ['memory.max', memory],
    ['memory.swap.max', 0],
    ['cpu.max', `${processors * period} ${period}`],
  ] as const;
}

function limitsOfVersion1({ pids, memory, processors }: Limits) {
  return [
    ['pids', 'pids.max', pids],
    ['memory', 'memory.limit_in_bytes', memory],
    // To move a process into a group takes the kernel milliseconds: not where the limit is no limit.
    ...(processors < availableParallelism() ? [['cpu', 'cpu.cfs_quota_us', processors * period] as const] : []),
  ] as const;
}

const mountPoint = '/sys/fs/cgroup';

/**
 * Makes a control group with these limits. As a rule only root may, outside of containers.
 *
 * @returns null where that is not possible, or not for the number of processes
 */
export function makeControlGroup(limits: Limits): ControlGroup | null {
  const name = `oxide-guard-${randomUUID()}`;
  const made = existsSync(join(mountPoint, 'cgroup.controllers'))
    ? makeVersion2(join(mountPoint, name), limits)
    : makeVersion1(name, limits);
  if (made === null) {
    return null;
  }
  return {
    joins: made.map((directory) => join(directory, 'cgroup.procs')),
    remove: async () => {
      for (let attempt = 0; attempt < 50 && !made.map(removed).every(Boolean); attempt += 1) {
        await delay(20);
      }
    },
  };
}

function makeVersion2(directory: string, limits: Limits): readonly string[] | null {
  tryTo(() => writeFileSync(join(mountPoint, 'cgroup.subtree_control'), '+pids +memory +cpu'));
  if (!tryTo(() => mkdirSync(directory))) {
    return null;
  }
  const [pids] = limitsOfVersion2(limits).map(([file, value]) => tryTo(() => write(join(directory, file), value)));
  if (pids !== true) {
    removed(directory);
    return null;
  }
  return [directory];
}

function makeVersion1(name: string, limits: Limits): readonly string[] | null {
  const made = limitsOfVersion1(limits).flatMap(([controller, file, value]) => {
    const directory = join(mountPoint, controller, name);
    if (!tryTo(() => mkdirSync(directory))) {
      return [];
    }
    const isSet = tryTo(() => write(join(directory, file), value));
    return isSet || !removed(directory) ? [{ controller, directory }] : [];
  });
  if (made.some(({ controller }) => controller === 'pids')) {
    return made.map(({ directory }) => directory);
  }
  for (const { directory } of made) {
    removed(directory);
  }
  return null;
}

/** A file that the kernel does not have is not made. */
function write(file: string, value: string | number): void {
  writeFileSync(file, String(value), { flag: 'r+' });
}

function tryTo(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

function removed(directory: string): boolean {
  return !existsSync(directory) || tryTo(() => rmdirSync(directory));
}
