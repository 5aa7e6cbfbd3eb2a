import { createHash } from 'node:crypto';
import { singleQuoted } from '../../quote.ts';
import type { Workspace } from '../services.ts';
import { execVariable, keeperCommand } from './container-scripts.ts';
import type { EngineFacts } from './engine.ts';
import { hostMounts, type WorkspaceMounts } from './mounts.ts';
import { type ContainerSettings, processLimits } from './settings.ts';

/** Labels by which containers are found again. */
export const labels = {
  /** Which installation made it: two on one machine leave each other's alone. */
  server: 'oxide-guard.server',
  workspace: 'oxide-guard.workspace',
  project: 'oxide-guard.project',
  /** A digest of everything that confines it. */
  confinement: 'oxide-guard.confinement',
} as const;

export interface ContainerSpecOptions {
  readonly workspace: Workspace;
  /** Who owns the workspace's files, on this machine. */
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Settings of git that name who commits: `user.name=Ada`. */
  readonly identity: readonly string[];
  readonly image: string;
  readonly server: string;
  readonly settings: ContainerSettings;
  readonly mounts: WorkspaceMounts;
  readonly tier: 'docker' | 'podman';
  readonly facts: EngineFacts;
}

/** The name of a workspace's container: the engine gives it to one only, so two starts at once make one container. */
export function containerName(workspaceId: string): string {
  return `oxide-guard-${workspaceId}`;
}

/** What `POST /containers/create` takes, hardened: Docker's API, "Create a container". */
export function containerSpec(options: ContainerSpecOptions): Readonly<Record<string, unknown>> {
  const { workspace, image, server, mounts, tier } = options;
  const confinement = confinementOf(options);
  return {
    Image: image,
    ...confinement,
    Env: [...environment, ...identityVariable(options.identity)],
    WorkingDir: mounts.directory,
    Labels: {
      [labels.server]: server,
      [labels.workspace]: workspace.workspaceId,
      [labels.project]: workspace.projectId,
      [labels.confinement]: confinementDigest(options),
    },
    HostConfig: { ...confinement.HostConfig, ...hostMounts(mounts.mounts, tier) },
  };
}

/**
 * Tells whether a container that is there is confined as a new one would be. The mounts do not count: which settings
 * files are to be protected changes with the workspace.
 */
export function confinementDigest(options: ContainerSpecOptions): string {
  const text = JSON.stringify([confinementOf(options), options.mounts.directory]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Nothing of this process's environment goes in: it may hold secrets. */
const environment: readonly string[] = [
  'HOME=/tmp',
  'LANG=C.UTF-8',
  'TERM=dumb',
  'PAGER=cat',
  'GIT_PAGER=cat',
  'GIT_TERMINAL_PROMPT=0',
  `${execVariable}=keeper`,
];

/** As git hands `-c` on to what it starts; a `-c` of the command's own comes after it, and wins. */
function identityVariable(identity: readonly string[]): readonly string[] {
  const words = identity.map(singleQuoted);
  return words.length === 0 ? [] : [`GIT_CONFIG_PARAMETERS=${words.join(' ')}`];
}

const mebibyte = 1024 * 1024;

function confinementOf({ owner, settings, facts }: ContainerSpecOptions) {
  const { pids, memory, processors, network, readOnlyRoot, idleStop } = settings;
  const half = Math.floor(memory / 2 / mebibyte);
  return {
    // In a rootless engine its root is the user who runs it, and other users inside are nobody's outside.
    User: facts.rootless ? '0:0' : `${owner.uid}:${owner.gid}`,
    Entrypoint: keeperCommand(idleStop),
    Cmd: [],
    StopSignal: 'SIGTERM',
    HostConfig: {
      AutoRemove: true,
      Privileged: false,
      ...(network === 'none' ? { NetworkMode: 'none' } : {}),
      ReadonlyRootfs: readOnlyRoot,
      // The size of /tmp counts to the container's memory as it is used.
      Tmpfs: {
        '/tmp': `rw,exec,nosuid,nodev,mode=1777,size=${half}m`,
        '/run': 'rw,nosuid,nodev,mode=755,size=64m',
      },
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: pids,
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.min(processors, facts.processors) * 1e9,
      IpcMode: 'private',
      CgroupnsMode: 'private',
      ...(facts.remapsUsers ? { UsernsMode: 'host' } : {}),
      Ulimits: processLimits.map(({ name, value }) => ({ Name: name, Soft: value, Hard: value })),
    },
  };
}
