import { z } from 'zod';
import type { JsonSchema } from '../../tools/tool.ts';
import type { Action, ControlTool } from '../action.ts';

/**
 * The JSON Schema of a tool's input: one flat object. A union of the actions' inputs at the top would be more exact, and
 * makes clients reject the whole list of tools; so each property says for which actions it is, and the server checks.
 */
export function inputSchema(tool: ControlTool): JsonSchema {
  if ('action' in tool) {
    const { properties, required } = objectSchema(tool.action);
    return { type: 'object', properties, required, additionalProperties: false };
  }
  const actions = Object.keys(tool.actions);
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actions, description: 'What to do' },
      ...mergedProperties(tool.actions),
    },
    required: ['action'],
    additionalProperties: false,
  };
}

const known = new WeakMap<Action, ObjectSchema>();

/** The names of the fields that an action's input may have. */
export function fieldNames(action: Action): readonly string[] {
  return Object.keys(objectSchema(action).properties);
}

interface Use {
  readonly action: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

function mergedProperties(actions: Readonly<Record<string, Action>>): Readonly<Record<string, JsonSchema>> {
  const uses = new Map<string, Use[]>();
  for (const [action, definition] of Object.entries(actions)) {
    const { properties, required } = objectSchema(definition);
    for (const [name, schema] of Object.entries(properties)) {
      const found = uses.get(name) ?? [];
      found.push({ action, schema, isRequired: required.includes(name) });
      uses.set(name, found);
    }
  }
  return Object.fromEntries([...uses].map(([name, of]) => [name, mergedProperty(of, Object.keys(actions).length)]));
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The property as the actions have it; where they differ, either. */
function mergedProperty(uses: readonly Use[], actionCount: number): JsonSchema {
  const forms = new Map(uses.map(({ schema: { description: _, ...form } }) => [JSON.stringify(form), form]));
  const descriptions = [...new Set(uses.flatMap(({ schema: { description } }) => description ?? []))];
  const names = uses.map(({ action, isRequired }) => `${action}${isRequired ? ' (required)' : ''}`).join(', ');
  const isForAll = uses.length === actionCount && !uses.some(({ isRequired }) => isRequired);
  const [form = {}] = forms.values();
  return {
    ...(forms.size === 1 ? form : { anyOf: [...forms.values()] }),
    description: [...descriptions, ...(isForAll ? [] : [`For ${names}`])].join('. '),
  };
}

function objectSchema(action: Action): ObjectSchema {
  const found = known.get(action) ?? readObjectSchema(action);
  known.set(action, found);
  return found;
}

/** Of an input that is one of several objects, what they have together. */
function readObjectSchema({ schema }: Action): ObjectSchema {
  const { properties, required, anyOf, oneOf } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  }) as Partial<ObjectSchema> & { readonly anyOf?: readonly ObjectSchema[]; readonly oneOf?: readonly ObjectSchema[] };
  const parts = anyOf ?? oneOf;
  return parts === undefined
    ? { properties: properties ?? {}, required: required ?? [] }
    : { properties: Object.assign({}, ...parts.map((part) => part.properties)), required: [] };
}
