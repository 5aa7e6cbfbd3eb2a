import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { existing } from '../../agent/sandbox/repository-paths.ts';
import { OxideError } from '../../errors.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Environment } from '../../git/runner.ts';
import { packageRoot } from '../../githooks/package-place.ts';
import type { Workspace } from '../services.ts';
import { confinementDigest, containerName, containerSpec, labels } from './container-spec.ts';
import type { ContainerState, Engine } from './engine.ts';
import { EngineRefusal } from './engine-http.ts';
import { type Mount, workspaceMounts } from './mounts.ts';
import type { ContainerSettings } from './settings.ts';

/** An image that the engine has. */
export interface PresentImage {
  readonly name: string;
  readonly id: string;
}

export interface StartOptions {
  readonly engine: Engine;
  readonly workspace: Workspace;
  readonly image: PresentImage;
  readonly settings: ContainerSettings;
  /** This installation, as its containers' labels name it. */
  readonly server: string;
  readonly env: Environment;
}

export interface StartedContainer {
  readonly id: string;
  /** False: it was there already. */
  readonly created: boolean;
  /** It runs another image than a new one would. */
  readonly outdated: boolean;
}

/** While a container is being removed its name is taken, and it can't be started. */
const attempts = 40;
const pause = 100;

/**
 * Makes and starts the container of a workspace, or adopts the one that is there: one that another call or process is
 * just making, or that a server left which was killed halfway. One that is confined otherwise is replaced.
 *
 * @throws OxideError `container-name-taken`, `image-without-shell`, `container-start-failed`, `engine-unreachable`
 */
export async function startContainer(options: StartOptions): Promise<StartedContainer> {
  const { engine, workspace, image, settings, server, env } = options;
  const [own, facts] = await Promise.all([workspaceMounts(workspace.directory, env), engine.facts()]);
  const mounts = { ...own, mounts: [...own.mounts, ...hookPrograms()] };
  const { uid, gid } = statSync(mounts.directory);
  const identity = await identityOf(mounts.directory, env);
  const wanted = {
    workspace,
    owner: { uid, gid },
    identity,
    image: image.name,
    server,
    settings,
    mounts,
    tier: engine.tier,
    facts,
  };
  const name = containerName(workspace.workspaceId);
  const digest = confinementDigest(wanted);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const present = await engine.inspectContainer(name);
    const adopted = present === null ? null : await adopt(present, { engine, name, digest, image, server });
    if (adopted !== null) {
      return adopted;
    }
    const id = await create(engine, name, containerSpec(wanted), image);
    if (id !== null) {
      await startNew(engine, id, image);
      return { id, created: true, outdated: false };
    }
    await delay(pause);
  }
  throw startFailed(image, `the name '${name}' stays taken by a container that is neither running nor goes`);
}

/** Who commits, for git: the person's own settings can't be seen inside. */
async function identityOf(directory: string, env: Environment): Promise<readonly string[]> {
  const configuration = await (await openRepository({ cwd: directory, env }))?.config();
  return ['user.name', 'user.email'].flatMap((key) => {
    const value = configuration?.get(key) ?? null;
    return value === null ? [] : [`${key}=${value}`];
  });
}

/** The guard's hooks run inside, too, where there is a node: a commit must not pass because it was made in a container. */
function hookPrograms(): readonly Mount[] {
  const root = packageRoot();
  const places = ['dist', 'package.json'].map((name) => join(root, name));
  return existing(places).map((path) => ({ path, readOnly: true }));
}

interface Adoption {
  readonly engine: Engine;
  readonly name: string;
  readonly digest: string;
  readonly image: PresentImage;
  readonly server: string;
}

/** Null: it was not fit, and has been removed. */
async function adopt(
  present: ContainerState,
  { engine, name, digest, image, server }: Adoption,
): Promise<StartedContainer | null> {
  if (present.labels[labels.server] !== server) {
    throw new OxideError(
      'container-name-taken',
      `A container named '${name}' is there already, and this installation did not make it.`,
      { remedy: `Look at it, and remove it if nobody needs it: docker rm -f ${name}` },
    );
  }
  const isSameImage = bareId(present.image) === bareId(image.id);
  const isFit = present.labels[labels.confinement] === digest && (present.running || isSameImage);
  if (isFit && (present.running || (await canStart(engine, present.id)))) {
    return { id: present.id, created: false, outdated: !isSameImage };
  }
  await engine.removeContainer(present.id);
  return null;
}

async function canStart(engine: Engine, id: string): Promise<boolean> {
  try {
    await engine.startContainer(id);
    return true;
  } catch (error) {
    if (error instanceof EngineRefusal) {
      return false;
    }
    throw error;
  }
}

async function create(engine: Engine, name: string, spec: unknown, image: PresentImage): Promise<string | null> {
  try {
    return await engine.createContainer(name, spec);
  } catch (error) {
    throw error instanceof EngineRefusal ? startFailed(image, error.message, error) : error;
  }
}

/** What could not be started is of no use to anybody. */
async function startNew(engine: Engine, id: string, image: PresentImage): Promise<void> {
  try {
    await engine.startContainer(id);
  } catch (error) {
    await engine.removeContainer(id).catch(() => undefined);
    throw error instanceof EngineRefusal ? startFailed(image, error.message, error) : error;
  }
}

function startFailed(image: PresentImage, why: string, cause?: unknown): OxideError {
  if (/\/bin\/sh\b.*(no such file|not found)/is.test(why)) {
    return new OxideError('image-without-shell', `The image '${image.name}' has no /bin/sh, which runs commands.`, {
      remedy: 'Base the Dockerfile on an image that has a shell, and call image_rebuild.',
      cause,
    });
  }
  return new OxideError('container-start-failed', `The container could not be started from '${image.name}': ${why}`, {
    cause,
  });
}

/** Podman leaves out what Docker puts before an id. */
function bareId(id: string): string {
  return id.replace(/^sha256:/, '');
}
