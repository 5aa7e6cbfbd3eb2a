/** A kind of container: an image that the engine has, or how to build one. */
export type ContainerType =
  | { readonly kind: 'image'; readonly image: string; readonly description: string }
  | { readonly kind: 'dockerfile'; readonly dockerfile: string; readonly description: string };

/** The kinds there are without any configuration. Both bases have git, a shell and the usual tools. */
export const builtInTypes: Readonly<Record<string, ContainerType>> = {
  base: {
    kind: 'dockerfile',
    dockerfile: 'FROM buildpack-deps:bookworm-scm\n',
    description: 'Debian with git and curl',
  },
  node: {
    kind: 'dockerfile',
    dockerfile: 'FROM node:22-bookworm\n',
    description: 'Node.js 22 on Debian, with git and what compiles native modules',
  },
};

/** The built-in kinds and the configured ones, by name. */
export function containerTypes(
  configured: Readonly<Record<string, ContainerType>>,
): ReadonlyMap<string, ContainerType> {
  return new Map(Object.entries({ ...builtInTypes, ...configured }));
}
