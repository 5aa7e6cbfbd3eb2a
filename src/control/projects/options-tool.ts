import { z } from 'zod';
import { type ControlTool, defineAction } from '../action.ts';
import { defaultLimits } from '../limits.ts';

/** What a caller can choose from. */
export interface ProjectOptions {
  /** Models by alias; null: none is configured as the one to use. */
  readonly models: { readonly default: string | null; readonly aliases: Readonly<Record<string, string>> };
  readonly containerTypes: readonly string[];
}

const scopeFormats = ['admin', 'admin:ro', 'project:<project_id>', 'project:<project_id>:ro'];

/** The `project_options` tool: defaults, models, container types, forms of scopes. Never a secret. */
export function projectOptionsTool(options: { read(): Promise<ProjectOptions> }): ControlTool {
  return {
    name: 'project_options',
    description: 'What projects, sessions and tokens can be given: default limits, models, container types, scopes.',
    action: defineAction(z.strictObject({}), async () => {
      const { models, containerTypes } = await options.read();
      const names = Object.keys(models.aliases).join(', ');
      const limits = Object.entries(defaultLimits)
        .map(([name, value]) => `${name} ${value ?? 'none'}`)
        .join(', ');
      return {
        text: `Models: ${names}; default: ${models.default ?? 'none'}. Limits: ${limits}. Container types: ${containerTypes.join(', ')}. Scopes: ${scopeFormats.join(', ')}.`,
        data: {
          default_limits: defaultLimits,
          models: { default: models.default, aliases: models.aliases },
          container_types: containerTypes,
          token_scopes: scopeFormats,
        },
      };
    }),
  };
}
