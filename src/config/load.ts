import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, OxideError } from '../errors.ts';
import { singleQuoted } from '../quote.ts';
import { type Configuration, defaultConfiguration } from './configuration.ts';

/** File names that are looked for in a repository's root, in this order; a package.json key `oxide-guard` comes last. */
export const configurationFileNames = [
  'oxide-guard.config.json',
  'oxide-guard.config.js',
  'oxide-guard.config.mjs',
  'oxide-guard.config.ts',
] as const;

/** Where a configuration was found. */
export interface ConfigurationSource {
  readonly path: string;
  readonly text: string;
}

/** Is the configuration a program, which has to run to be read? */
export function isProgram({ path }: Pick<ConfigurationSource, 'path'>): boolean {
  return !path.endsWith('.json');
}

/** Validates a configuration; supplied by the front, because it loads zod, which the hook bundles do not carry. */
export type Validate = (source: ConfigurationSource) => Promise<Configuration>;

/** May this configuration, which is a program, be run? Otherwise the defaults hold. */
export type MayRun = (source: ConfigurationSource) => boolean;

/**
 * The configuration of a repository. Hooks load it for every commit and push: a JSON text that was validated before is
 * taken from the stamp in the git directory, without loading the validator.
 *
 * @param root the work tree's root, or the git directory of a bare repository
 * @param stateDirectory `<commonDir>/oxide-guard`, where the stamp is kept
 * @throws OxideError naming the file and the key when the configuration is not valid
 */
export async function loadConfiguration(
  root: string,
  stateDirectory: string,
  validate: Validate,
  mayRun: MayRun = () => true,
): Promise<Configuration> {
  const source = findConfiguration(root);
  const isLeftOut = source !== null && isProgram(source) && !mayRun(source);
  const configuration = await configurationOf(isLeftOut ? null : source, stateDirectory, validate);
  return withHeldBranches(configuration, stateDirectory);
}

/**
 * Branches, one a line, that whoever runs this repository protects in all its work trees, besides what the repository's
 * own configuration says.
 */
export const heldBranchesFile = 'protected-branches';

/** The held branches come last, so that `!main` in a work tree takes none of them out. */
export function withHeldBranches(configuration: Configuration, stateDirectory: string): Configuration {
  const held = readText(join(stateDirectory, heldBranchesFile));
  return held === null
    ? configuration
    : {
        ...configuration,
        protectedBranches: [...configuration.protectedBranches, ...held.split('\n').filter(Boolean)],
      };
}

async function configurationOf(
  source: ConfigurationSource | null,
  stateDirectory: string,
  validate: Validate,
): Promise<Configuration> {
  if (source === null) {
    return defaultConfiguration;
  }
  const stamp = isProgram(source) ? null : join(stateDirectory, 'configuration.json');
  const stamped = stamp === null ? null : readStamp(stamp, source);
  if (stamped !== null) {
    return stamped;
  }
  const configuration = await validate(source);
  if (stamp !== null) {
    writeStamp(stamp, stateDirectory, source, configuration);
  }
  return configuration;
}

/**
 * The repository's configuration file; null when there is none.
 *
 * @throws OxideError when a file is there but can't be read: a guard that can't read its orders must not guess
 */
export function findConfiguration(root: string): ConfigurationSource | null {
  const present = new Set(namesIn(root));
  for (const name of configurationFileNames) {
    if (present.has(name)) {
      return { path: join(root, name), text: read(join(root, name)) };
    }
  }
  // A link that leads nowhere has no orders.
  const manifest = join(root, 'package.json');
  if (present.has('package.json') && statSync(manifest, { throwIfNoEntry: false }) !== undefined) {
    const text = read(manifest);
    // The key must be spelt out in the text: most manifests are told apart without being parsed.
    if (text.includes('"oxide-guard"') && hasOwnKey(manifest, text)) {
      return { path: manifest, text };
    }
  }
  return null;
}

function readText(path: string): string | null {
  try {
    // An error with its stack costs ten times as much as a look.
    return statSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return null;
    }
    throw unreadable(path, code ?? 'unknown error', cause);
  }
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    // Opening a named pipe waits for a writer, and a device may never end: the hook would hang.
    if (!statSync(path).isFile()) {
      throw unreadable(path, 'not a regular file');
    }
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    if (cause instanceof OxideError) {
      throw cause;
    }
    throw unreadable(path, (cause as NodeJS.ErrnoException).code ?? 'unknown error', cause);
  }
}

function unreadable(path: string, why: string, cause?: unknown): OxideError {
  return new OxideError('configuration-unreadable', `${path} can't be read (${why}).`, {
    remedy: `ls -ld ${singleQuoted(path)}`,
    exitCode: ExitCode.usage,
    cause,
  });
}

/** The guard's key in the text of a package.json, as text; null: there is none. */
export function manifestKey(text: string): string | null {
  try {
    const manifest: unknown = JSON.parse(text);
    const isRecord = typeof manifest === 'object' && manifest !== null;
    return isRecord && Object.hasOwn(manifest, ownKey)
      ? JSON.stringify((manifest as Record<string, unknown>)[ownKey])
      : null;
  } catch {
    return seemsToHoldKey(text) ? text : null;
  }
}

/** The guard's key in a package.json. */
export const ownKey = 'oxide-guard';

/** In a text that is no JSON: a dependency's or a script's name is followed by a text, ours by an object. */
function seemsToHoldKey(text: string): boolean {
  return /"oxide-guard"\s*:\s*(?:\{|$)/.test(text);
}

/**
 * A package.json that is no JSON is npm's to complain about, unless our key seems to stand in it: then it holds orders
 * that can't be read.
 *
 * @throws OxideError `configuration-invalid`
 */
function hasOwnKey(path: string, text: string): boolean {
  try {
    const manifest: unknown = JSON.parse(text);
    return typeof manifest === 'object' && manifest !== null && Object.hasOwn(manifest, ownKey);
  } catch (cause) {
    if (!seemsToHoldKey(text)) {
      return false;
    }
    throw new OxideError(
      'configuration-invalid',
      `${path} is no valid JSON, so its key "oxide-guard" can't be read: ${(cause as Error).message}.`,
      { remedy: 'npm pkg get name   # says what is wrong with it', exitCode: ExitCode.usage, cause },
    );
  }
}

interface Stamp {
  readonly version: number;
  readonly path: string;
  readonly text: string;
  readonly configuration: Configuration;
}

/** Raised whenever {@link Configuration} changes its shape: older stamps are validated anew. */
const stampVersion = 3;

function readStamp(path: string, source: ConfigurationSource): Configuration | null {
  try {
    const stamp = JSON.parse(readFileSync(path, 'utf8')) as Partial<Stamp>;
    const current = stamp.version === stampVersion && stamp.path === source.path && stamp.text === source.text;
    return current ? (stamp.configuration ?? null) : null;
  } catch {
    return null;
  }
}

/** Best effort: without a stamp the next hook validates again. */
function writeStamp(path: string, directory: string, source: ConfigurationSource, configuration: Configuration): void {
  try {
    mkdirSync(directory, { recursive: true });
    const temporary = `${path}.${process.pid}`;
    const stamp: Stamp = { version: stampVersion, ...source, configuration };
    writeFileSync(temporary, JSON.stringify(stamp));
    renameSync(temporary, path);
  } catch {
    // A read-only repository is judged just the same.
  }
}
