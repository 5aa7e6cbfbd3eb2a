import { messageOf } from '../error-message.ts';
import { OxideError } from '../errors.ts';
import type { Location } from '../git/discovery.ts';
import type { Environment, Git } from '../git/runner.ts';
import { clientHooks, type HookName, serverHooks } from './hook-name.ts';
import { gitAtTop } from './hooks-directory.ts';
import { openForHooks } from './install.ts';
import { type ManifestEntry, readManifest } from './manifest.ts';

/** What every check looks at. */
export interface Examined {
  /** Absolute: where the doctor was called. */
  readonly cwd: string;
  readonly env: Environment;
  readonly repository: Location;
  /** Stands where hooks stand. */
  readonly git: Git;
  readonly manifest: readonly ManifestEntry[];
  /** The hooks this repository should have: those that were installed, else the usual ones. */
  readonly hooks: readonly HookName[];
}

export interface Diagnosis {
  /** Stable name for `--json`: `hook-installed`. */
  readonly check: string;
  readonly status: 'fine' | 'warning' | 'failure';
  /** One line: what was found. */
  readonly message: string;
  /** A command that can be pasted, or what to do; null when all is well. */
  readonly remedy: string | null;
}

/** One examination. It may change nothing; what it throws is shown as its failure. */
export interface Check {
  readonly name: string;
  examine(examined: Examined): Promise<readonly Diagnosis[]>;
}

/**
 * Examines a repository's guard.
 *
 * @param checks in the order in which they are shown
 * @throws OxideError `not-a-repository`, `outside-work-tree`
 */
export async function diagnose(checks: readonly Check[], cwd: string, env: Environment): Promise<readonly Diagnosis[]> {
  const repository = await openForHooks(cwd, env);
  const manifest = readManifest(repository.commonDir);
  const usual = repository.workTree === null ? serverHooks : clientHooks;
  const installed = [...new Set(manifest.map(({ hook }) => hook))];
  const hooks = installed.length === 0 ? usual : installed;
  const examined: Examined = { cwd, env, repository, git: gitAtTop(repository, env), manifest, hooks };
  const diagnoses: Diagnosis[] = [];
  for (const check of checks) {
    diagnoses.push(...(await check.examine(examined).catch((error: unknown) => [failureOf(check.name, error)])));
  }
  return diagnoses.filter((diagnosis, at) => !diagnoses.slice(0, at).some((before) => saysTheSame(before, diagnosis)));
}

/** Where git itself is missing, every check would say so. */
function saysTheSame(before: Diagnosis, { status, message, remedy }: Diagnosis): boolean {
  return status === 'failure' && before.message === message && before.remedy === remedy;
}

/** Puts the hooks that a repository lacks where they belong. */
export function installCommand({ repository }: Pick<Examined, 'repository'>): string {
  return `npx oxide-guard install${repository.workTree === null ? ' --server' : ''}`;
}

export function fine(check: string, message: string): Diagnosis {
  return { check, status: 'fine', message, remedy: null };
}

export function warning(check: string, message: string, remedy: string): Diagnosis {
  return { check, status: 'warning', message, remedy };
}

export function failure(check: string, message: string, remedy: string): Diagnosis {
  return { check, status: 'failure', message, remedy };
}

function failureOf(check: string, error: unknown): Diagnosis {
  const message = messageOf(error);
  const remedy = error instanceof OxideError ? error.remedy : null;
  return failure(check, message, remedy ?? 'Run it again with OXIDE_GUARD_DEBUG=1 to see where it failed.');
}
