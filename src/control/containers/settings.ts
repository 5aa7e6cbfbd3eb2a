import type { ContainerType } from '../images/container-types.ts';

/** How containers are made: what whoever runs the server has configured, never what a workspace says. */
export interface ContainerSettings {
  /** `required`: without a container engine nothing runs. `preferred`: then it runs under bubblewrap. */
  readonly isolation: 'preferred' | 'required';
  /** Processes and threads of a container. */
  readonly pids: number;
  /** Bytes; no swap besides. */
  readonly memory: number;
  readonly processors: number;
  /** `none`: there is only the loopback interface. `default`: what the engine connects containers to. */
  readonly network: 'none' | 'default';
  /** Is everything but the workspace, its repository, /tmp and /run read-only? */
  readonly readOnlyRoot: boolean;
  /** Milliseconds without a call after which a container is stopped. */
  readonly idleStop: number;
  /** The kinds of container besides the built-in ones; one of the same name replaces it. */
  readonly types: Readonly<Record<string, ContainerType>>;
  /** What a project without an image of its own runs in. */
  readonly defaultType: string;
  /** May the engine ask a registry for base images? */
  readonly pull: boolean;
}

const mebibyte = 1024 * 1024;

export const defaultContainerSettings: ContainerSettings = {
  isolation: 'preferred',
  pids: 512,
  memory: 2048 * mebibyte,
  processors: 2,
  network: 'none',
  readOnlyRoot: true,
  idleStop: 15 * 60_000,
  types: {},
  defaultType: 'base',
  pull: false,
};

/** Limits of one process in a container: getrlimit(2). Some machines allow no more open files than this. */
export const processLimits = [
  { name: 'nofile', value: 20_000 },
  { name: 'nproc', value: 32_768 },
  { name: 'core', value: 0 },
] as const;
