import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { quoteWord } from '../../quote.ts';
import type { Containers } from '../containers/containers.ts';
import type { Engine } from '../containers/engine.ts';
import { EngineRefusal } from '../containers/engine-http.ts';
import { type ContainerSettings, processLimits } from '../containers/settings.ts';
import { Turns } from '../containers/turns.ts';
import type { ProjectLookup } from '../services.ts';
import { type BuildContext, buildContext } from './build-context.ts';
import { type BuildOutcome, type BuildStep, readBuildOutput } from './build-output.ts';
import { containerTypes } from './container-types.ts';
import { type DockerfileNeeds, dockerfileNeeds, dockerfilePlaces } from './dockerfile.ts';
import { projectImage, typeImage } from './image-choice.ts';
import { tarArchive } from './tar-archive.ts';

/** Milliseconds. */
const buildLimit = 30 * 60_000;
const mebibyte = 1024 * 1024;

export interface ImagesOptions {
  readonly containers: Pick<Containers, 'findEngine' | 'settings'>;
  readonly projects: Pick<ProjectLookup, 'workspace'>;
  readonly env: Environment;
}

export type RebuildTarget =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'type'; readonly type: string };

export interface RebuiltImage {
  readonly tier: 'docker' | 'podman';
  /** The name by which containers are made from it. */
  readonly image: string;
  readonly imageId: string;
  readonly dockerfile: string;
  /** Bytes of the files that were sent. */
  readonly contextSize: number;
  /** Files that look like secrets, which were not sent. */
  readonly leftOut: readonly string[];
  readonly lines: readonly string[];
}

interface Recipe extends BuildContext {
  readonly name: string;
  readonly dockerfile: string;
  readonly text: string;
}

/** The images of projects and of types of containers. */
export class Images {
  readonly #options: ImagesOptions;
  readonly #turns = new Turns();

  constructor(options: ImagesOptions) {
    this.#options = options;
  }

  /**
   * Builds the image of a project, from the Dockerfile in its default workspace, or of a type. No registry is asked
   * unless the settings allow it, and then the steps have a network, too. Containers that run keep their image.
   *
   * @throws OxideError `no-engine`, `no-dockerfile`, `unknown-container-type`, `nothing-to-build`, `base-image-missing`,
   * `registry-not-allowed`, `context-too-large`, `build-failed`, `interrupted`, what the lookup throws
   */
  async rebuild(target: RebuildTarget, onStep: (step: BuildStep) => void, signal: AbortSignal): Promise<RebuiltImage> {
    const { containers } = this.#options;
    const recipe = target.kind === 'project' ? await this.#ofProject(target.projectId) : this.#ofType(target.type);
    const engine = await containers.findEngine();
    return this.#turns.take(recipe.name, () => this.#build(engine, recipe, onStep, signal));
  }

  async #ofProject(projectId: string): Promise<Recipe> {
    const { projects, env } = this.#options;
    const { directory } = await projects.workspace(projectId, null);
    const root = realPath(directory) ?? directory;
    const dockerfile = dockerfilePlaces.find((place) => isPlainFile(root, place));
    if (dockerfile === undefined) {
      throw new OxideError('no-dockerfile', `The project has neither ${dockerfilePlaces.join(' nor ')}.`, {
        remedy: 'Write one in the default workspace, or call image_rebuild with a container_type.',
      });
    }
    const context = await buildContext(root, dockerfile, env);
    // It may be one that git ignores.
    const isThere = context.entries.some(({ name }) => name === dockerfile);
    const text = readFileSync(join(root, dockerfile), 'utf8');
    const entries = isThere ? context.entries : [...context.entries, { kind: 'text', name: dockerfile, text } as const];
    return { ...context, entries, name: projectImage(projectId), dockerfile, text };
  }

  #ofType(name: string): Recipe {
    const types = containerTypes(this.#options.containers.settings.types);
    const type = types.get(name);
    if (type === undefined) {
      throw new OxideError('unknown-container-type', `There is no container type '${name}'.`, {
        remedy: `Types are: ${[...types.keys()].join(', ')}.`,
      });
    }
    if (type.kind === 'image') {
      throw new OxideError('nothing-to-build', `The type '${name}' is the image '${type.image}', which is not built.`);
    }
    const entry = { kind: 'text', name: 'Dockerfile', text: type.dockerfile } as const;
    return {
      entries: [entry],
      size: 0,
      leftOut: [],
      name: typeImage(name),
      dockerfile: 'Dockerfile',
      text: entry.text,
    };
  }

  async #build(
    engine: Engine,
    recipe: Recipe,
    onStep: (step: BuildStep) => void,
    signal: AbortSignal,
  ): Promise<RebuiltImage> {
    const { settings } = this.#options.containers;
    await refuseUnlessPresent(engine, recipe, settings);
    const before = await engine.imageId(recipe.name);
    const outcome = await send(engine, recipe, settings, onStep, signal);
    if (outcome.problem !== null) {
      throw new OxideError('build-failed', `The image could not be built: ${outcome.problem}\n${shown(outcome)}`);
    }
    const imageId = await engine.imageId(recipe.name);
    if (imageId === null) {
      throw new OxideError('build-failed', `The engine's build ended without an image.\n${shown(outcome)}`);
    }
    if (before !== null && before !== imageId) {
      await engine.removeImage(before);
    }
    return {
      tier: engine.tier,
      image: recipe.name,
      imageId,
      dockerfile: recipe.dockerfile,
      contextSize: recipe.size,
      leftOut: recipe.leftOut,
      lines: outcome.lines,
    };
  }
}

/** The classic builder of Docker asks a registry for every image that is missing, whatever it is told. */
async function refuseUnlessPresent(engine: Engine, { text, dockerfile }: Recipe, { pull }: ContainerSettings) {
  if (pull) {
    return;
  }
  const needs = dockerfileNeeds(text);
  refuseNetwork(needs, dockerfile);
  for (const image of needs.images) {
    await refuseTriggers(engine, image, dockerfile);
    if ((await engine.imageId(image)) === null) {
      throw new OxideError(
        'base-image-missing',
        `${dockerfile} begins with '${image}', which ${engine.tier} does not have, and this server asks no registry.`,
        { remedy: `${engine.tier} pull ${quoteWord(image)}   # then call image_rebuild again` },
      );
    }
  }
}

function refuseNetwork({ unknown, downloads }: Omit<DockerfileNeeds, 'images'>, who: string): void {
  const [first] = [...unknown.map((name) => `the image '${name}'`), ...downloads.map((url) => `'${url}'`)];
  if (first !== undefined) {
    throw new OxideError(
      'registry-not-allowed',
      `${who} may need the network for ${first}, and this server asks no registry.`,
      { remedy: 'Name images that are on this machine, in full, and copy files from the project.' },
    );
  }
}

/** What a base image wants to be done in a build (ONBUILD) is held to the same. */
async function refuseTriggers(engine: Engine, image: string, dockerfile: string): Promise<void> {
  const { images, unknown, downloads } = dockerfileNeeds((await engine.triggers(image)).join('\n'));
  const present = await Promise.all(images.map(async (name) => (await engine.imageId(name)) !== null));
  const missing = images.filter((_, index) => present[index] !== true);
  refuseNetwork({ unknown: [...unknown, ...missing], downloads }, `The base '${image}' of ${dockerfile}, by ONBUILD,`);
}

async function send(
  engine: Engine,
  { name, dockerfile, entries }: Recipe,
  { pull, memory, processors }: ContainerSettings,
  onStep: (step: BuildStep) => void,
  signal: AbortSignal,
): Promise<BuildOutcome> {
  const limit = AbortSignal.timeout(buildLimit);
  const either = AbortSignal.any([signal, limit]);
  const context = tarArchive(entries);
  try {
    const answer = await engine.build(
      new URLSearchParams({
        t: name,
        dockerfile,
        rm: '1',
        forcerm: '1',
        pull: pull ? '1' : '0',
        memory: String(memory),
        memswap: String(memory),
        cpuperiod: '100000',
        cpuquota: String(Math.min(processors, (await engine.facts()).processors) * 100_000),
        ...(engine.tier === 'docker' ? forDocker(pull) : forPodman(pull)),
      }),
      context,
      buildLimit,
      either,
    );
    return await readBuildOutput(answer, onStep);
  } catch (error) {
    if (signal.aborted) {
      throw new OxideError('interrupted', 'The build was interrupted.', { cause: error });
    }
    if (limit.aborted) {
      throw new OxideError('build-failed', `The build did not end in ${buildLimit / 60_000} minutes.`, {
        cause: error,
      });
    }
    if (error instanceof EngineRefusal) {
      throw new OxideError('build-failed', `The image could not be built: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    context.destroy();
  }
}

/** What a build is told besides: Docker's API, "Build an image". */
function forDocker(pull: boolean): Readonly<Record<string, string>> {
  const ulimits = processLimits.map(({ name, value }) => ({ Name: name, Soft: value, Hard: value }));
  return { ulimits: JSON.stringify(ulimits), ...(pull ? {} : { networkmode: 'none' }) };
}

/**
 * Podman passes over `networkmode=none`. Its own client sends what buildah has instead: 1 for a network that is not
 * configured, in a namespace that is not this machine's.
 */
function forPodman(pull: boolean): Readonly<Record<string, string>> {
  const ulimits = JSON.stringify(processLimits.map(({ name, value }) => `${name}=${value}:${value}`));
  const nsoptions = JSON.stringify([{ Name: 'network', Host: false, Path: '' }]);
  return { ulimits, ...(pull ? {} : { networkmode: '1', nsoptions, pullpolicy: 'never' }) };
}

function shown({ lines }: BuildOutcome): string {
  return lines.slice(-15).join('\n');
}

/** A link could lead to any file of the machine, whose text would then show in a build's output. */
function isPlainFile(root: string, place: string): boolean {
  const path = join(root, place);
  return realPath(path) === path && lstatSync(path).isFile() && lstatSync(path).size <= mebibyte;
}

/** @see Images */
export function createImages(options: ImagesOptions): Images {
  return new Images(options);
}
