import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration } from '../config/configuration.ts';
import { type ConfigurationSource, loadConfiguration, type MayRun } from '../config/load.ts';
import { messageOf } from '../error-message.ts';
import type { OxideError } from '../errors.ts';
import type { Location } from '../git/discovery.ts';
import { ownDirectory } from '../git/own-directory.ts';
import type { Environment } from '../git/runner.ts';
import type { Paint } from '../ui/paint.ts';

/** What git and scripts are told: it may go on, it is refused, or nobody could answer the question. */
export type HookExit = 0 | 1 | 3;

/** What a hook needs of the process it runs in. */
export interface HookProcess {
  readonly cwd: string;
  readonly env: Environment;
  /** Looked at when there is something to say. */
  readonly paint: Paint;
  /** Of the terminal that `say` writes to, if it is one. Looked at when there is something to say. */
  readonly columns: number | undefined;
  /** Writes one line to standard error. */
  readonly say: (line: string) => void;
  /** What is to be done where something else ends the process: a configuration that is a program. */
  readonly whenEnded: (lastWork: () => void) => void;
}

/** Where the guard keeps its state: shared by all worktrees. */
export function stateDirectory({ commonDir }: Pick<Location, 'commonDir'>): string {
  return join(commonDir, 'oxide-guard');
}

/**
 * The configuration of the repository a hook runs in. The validator is a file of the CLI, loaded when it is needed.
 *
 * @param mayRun decides on configurations that are programs; absent: all are run
 */
export function hookConfiguration(repository: Location, mayRun?: MayRun): Promise<Configuration> {
  return loadConfiguration(ownDirectory(repository), stateDirectory(repository), validateWithCli, mayRun);
}

async function validateWithCli(source: ConfigurationSource): Promise<Configuration> {
  const { validateConfiguration } = (await importCli('validate')) as typeof import('../config/validate.ts');
  return validateConfiguration(source);
}

/**
 * A module of dist/cli, from the hook bundles in dist/hook. Its path is computed, so that the bundler leaves it alone.
 *
 * @param name as in tsdown's entries
 */
export function importCli(name: 'cli' | 'validate' | 'commitlint'): Promise<unknown> {
  const { importModule } = neighbour('module-import') as typeof import('./module-import.entry.ts');
  return importModule(pathToFileURL(join(__dirname, '..', 'cli', `${name}.mjs`)).href);
}

/** What explains and corrects messages: most are right, and their hook does not pay for it. */
export function loadCorrections(): typeof import('./corrections.entry.ts') {
  return neighbour('corrections') as typeof import('./corrections.entry.ts');
}

/** A bundle beside this one. */
function neighbour(name: 'corrections' | 'module-import'): unknown {
  const { createRequire } = process.getBuiltinModule('node:module');
  return createRequire(__filename)(`./${name}.cjs`);
}

/**
 * The two lines that tell a person why a hook could not do its work. Never a stack trace, unless asked for. An error of
 * a module of dist/cli is of another copy of the class: what it carries tells.
 */
export function failureLines(hook: string, error: unknown): readonly string[] {
  const known = error instanceof Error && error.name === 'OxideError' ? (error as OxideError) : null;
  const message = messageOf(error);
  const debug = process.env.OXIDE_GUARD_DEBUG === '1' && error instanceof Error ? [error.stack ?? ''] : [];
  return [
    `oxide-guard: the ${hook} hook could not do its work, so it refuses: ${message}`,
    `  → ${known?.remedy ?? 'npx oxide-guard doctor'}`,
    ...debug,
  ];
}
