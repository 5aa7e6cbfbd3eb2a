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
 * What a project's containers run: its own image, once that was built, else the default type's.
 *
 * @throws OxideError `no-image`
 */
export async function imageOf(
  projectId: string,
  engine: Engine,
  { types, defaultType }: Pick<ContainerSettings, 'types' | 'defaultType'>,
): Promise<PresentImage> {
  const type = containerTypes(types).get(defaultType);
  const names = [projectImage(projectId), type?.kind === 'image' ? type.image : typeImage(defaultType)];
  for (const name of names) {
    const id = await engine.imageId(name);
    if (id !== null) {
      return { name, id };
    }
  }
  throw new OxideError('no-image', `${engine.address} has no image for this project's containers yet.`, {
    remedy:
      type?.kind === 'image'
        ? `The type '${defaultType}' names '${type.image}': docker pull ${type.image}`
        : `Call image_rebuild, with the project_id (it needs a Dockerfile in the project) or with container_type '${defaultType}'.`,
  });
}
