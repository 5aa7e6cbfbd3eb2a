import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OxideError } from '../../errors.ts';
import { homeDirectory, realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import type { ContainerSettings } from './settings.ts';

const mebibyte = 1024 * 1024;

const description = z.string().default('');
const containerType = z.union([
  z.strictObject({ image: z.string().min(1), description }).transform((type) => ({ kind: 'image', ...type }) as const),
  z
    .strictObject({ dockerfile: z.string().min(1), description })
    .transform((type) => ({ kind: 'dockerfile', ...type }) as const),
]);

/** The name becomes a part of an image's. */
const typeName = z.string().regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/, 'has other characters than a-z, 0-9, ., _ and -');

const schema = z
  .strictObject({
    isolation: z.enum(['preferred', 'required']),
    pids: z.int().min(16),
    memory_mib: z.int().min(64),
    processors: z.number().min(0.1),
    network: z.enum(['none', 'default']),
    read_only_root: z.boolean(),
    idle_stop_minutes: z.number().min(1),
    types: z.record(typeName, containerType),
    default_type: typeName,
    pull: z.boolean(),
  })
  .partial();

/** Where whoever runs the server says how containers are made. */
export function containerSettingsFile(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(homeDirectory(), '.config'), 'oxide-guard', 'containers.json');
}

/**
 * What the file says; nothing where there is none.
 *
 * @throws OxideError `container-settings` naming the file and what is wrong in it
 */
export function readContainerSettings(env: Environment): Partial<ContainerSettings> {
  const file = containerSettingsFile(env);
  const text = textOf(file);
  if (text === null) {
    return {};
  }
  const { memory_mib, read_only_root, idle_stop_minutes, default_type, ...rest } = parse(schema, text, file);
  return defined({
    ...rest,
    memory: memory_mib === undefined ? undefined : memory_mib * mebibyte,
    readOnlyRoot: read_only_root,
    idleStop: idle_stop_minutes === undefined ? undefined : idle_stop_minutes * 60_000,
    defaultType: default_type,
  });
}

/** What a project may say of its containers: no more than a restriction, and which of the server's types it needs. */
export interface ProjectContainerSettings {
  readonly isolation: 'preferred' | 'required';
  /** Null: the server's default one. */
  readonly type: string | null;
}

const projectSchema = z.strictObject({
  isolation: z.enum(['preferred', 'required']).default('preferred'),
  type: typeName.nullable().default(null),
});

/**
 * Reads `.oxide-guard/containers.json` in a workspace, which commands in containers can't change.
 *
 * @throws OxideError `container-settings`
 */
export function projectContainerSettings(workspace: string): ProjectContainerSettings {
  const file = join(realPath(workspace) ?? workspace, '.oxide-guard', 'containers.json');
  // What is behind a link could be anything of this machine, and would be quoted in the error.
  const text = realPath(file) === file ? textOf(file) : null;
  return text === null ? { isolation: 'preferred', type: null } : parse(projectSchema, text, file);
}

function textOf(file: string): string | null {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null;
}

function parse<Schema extends z.ZodType>(wanted: Schema, text: string, file: string): z.output<Schema> {
  const invalid = (what: string) =>
    new OxideError('container-settings', `The settings of containers in '${file}' are not valid: ${what}.`, {
      remedy: 'docs/containers.md lists them.',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is no JSON');
  }
  const parsed = wanted.safeParse(value);
  if (!parsed.success) {
    throw invalid(
      parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`).join('; '),
    );
  }
  return parsed.data;
}

/** Without what is undefined. */
function defined(settings: { readonly [Name in keyof ContainerSettings]?: ContainerSettings[Name] | undefined }) {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as Partial<ContainerSettings>;
}
