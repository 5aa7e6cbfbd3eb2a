import { z } from 'zod';
import { OxideError } from '../../errors.ts';
import { defineAction, type StandaloneTool } from '../action.ts';
import { dockerfilePlaces } from './dockerfile.ts';
import type { Images } from './images.ts';

const schema = z.strictObject({
  project_id: z.string().min(1).optional().describe('Builds from the Dockerfile in its default workspace'),
  container_type: z.string().min(1).optional().describe('Builds the image of a type, as project_options lists them'),
});

/** The tool `image_rebuild`. */
export function imageRebuildTool(images: Pick<Images, 'rebuild'>): StandaloneTool {
  return {
    name: 'image_rebuild',
    description:
      `Builds the image that a project's containers run, from ${dockerfilePlaces.join(' or ')} in its default workspace, ` +
      'or that of a container type; name one of the two. Containers that run keep the old image until they are stopped.',
    action: defineAction(schema, async ({ project_id, container_type }, { progress, signal }) => {
      const target =
        project_id !== undefined && container_type === undefined
          ? ({ kind: 'project', projectId: project_id } as const)
          : container_type !== undefined && project_id === undefined
            ? ({ kind: 'type', type: container_type } as const)
            : null;
      if (target === null) {
        throw new OxideError('invalid-input', 'Name either project_id or container_type.');
      }
      const built = await images.rebuild(target, ({ text, done, total }) => progress(text, done, total), signal);
      const { tier, image, imageId, dockerfile, contextSize, leftOut, lines } = built;
      const without =
        leftOut.length === 0 ? '' : ` Not sent, because they look like secrets: ${leftOut.slice(0, 10).join(', ')}.`;
      return {
        text: `${image} was built on ${tier} from ${dockerfile}.${without}`,
        data: {
          tier,
          image,
          image_id: imageId,
          dockerfile,
          context_bytes: contextSize,
          left_out: leftOut,
          output: lines,
        },
      };
    }),
  };
}
