import { OxideError } from '../errors.ts';
import type { Tool } from './tool.ts';

/** The tools that a session has, by name. */
export interface Registry {
  /** @throws OxideError `duplicate-tool` when the name is taken */
  register(tool: Tool): void;
  /** @throws OxideError `unknown-tool` that lists the known ones */
  get(name: string): Tool;
  /** In the order of registration. */
  list(): readonly Tool[];
}

export function createRegistry(tools: readonly Tool[] = []): Registry {
  const byName = new Map<string, Tool>();
  const register = (tool: Tool) => {
    if (byName.has(tool.name)) {
      throw new OxideError('duplicate-tool', `A tool named '${tool.name}' is registered already.`, {
        remedy: 'Give one of the two another name.',
      });
    }
    byName.set(tool.name, tool);
  };
  tools.forEach(register);
  return {
    register,
    get: (name) => {
      const tool = byName.get(name);
      if (tool === undefined) {
        throw new OxideError('unknown-tool', `There is no tool '${name}'.`, {
          remedy: `The tools are: ${[...byName.keys()].join(', ')}.`,
        });
      }
      return tool;
    },
    list: () => [...byName.values()],
  };
}

/** A registry with tools that come and go besides its own; its own have the first say to a name. */
export function withLent(registry: Registry, lent: () => readonly Tool[]): Registry {
  const own = (name: string) => registry.list().some((tool) => tool.name === name);
  return {
    register: registry.register,
    get: (name) => lent().find((tool) => tool.name === name && !own(name)) ?? registry.get(name),
    list: () => [...registry.list(), ...lent().filter(({ name }) => !own(name))],
  };
}
