import { OxideError } from '../../errors.ts';
import type { Engine } from '../containers/engine.ts';
import type { PresentImage } from '../containers/engine-container.ts';
import type { ContainerSettings } from '../containers/settings.ts';
import { containerTypes } from './container-types.ts';

/** `localhost/` keeps every engine from looking for it in a registry. */
export function projectImage(projectId: string): string {
  return `localhost/oxide-guard/project-${projectId}:latest`;
}

export function typeImage(type: string): string {
  return `localhost/oxide-guard/type-${type}:latest`;
}

/**
 * What a project's containers run: its own image, once that was built, else that of its type.
 *
 * @throws OxideError `no-image`, `unknown-container-type`
 */
export async function imageOf(
  projectId: string,
  engine: Engine,
  types: ContainerSettings['types'],
  typeName: string,
): Promise<PresentImage> {
  const known = containerTypes(types);
  const type = known.get(typeName);
  if (type === undefined) {
    throw new OxideError('unknown-container-type', `There is no container type '${typeName}'.`, {
      remedy: `Types are: ${[...known.keys()].join(', ')}.`,
    });
  }
  const names = [projectImage(projectId), type.kind === 'image' ? type.image : typeImage(typeName)];
  const images = await Promise.all(names.map(async (name) => ({ name, id: await engine.imageId(name) })));
  for (const { name, id } of images) {
    if (id !== null) {
      return { name, id };
    }
  }
  throw new OxideError('no-image', `${engine.address} has no image for this project's containers yet.`, {
    remedy:
      type.kind === 'image'
        ? `The type '${typeName}' names '${type.image}': ${engine.tier} pull ${type.image}`
        : `Call image_rebuild, with the project_id (it needs a Dockerfile in the project) or with container_type '${typeName}'.`,
  });
}
