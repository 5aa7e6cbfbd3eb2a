import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ExitCode, OxideError } from '../errors.ts';
import { discoverRepository, type Location } from '../git/discovery.ts';
import { refuseInsideGitDirectory } from '../git/inside-git-directory.ts';
import type { Environment } from '../git/runner.ts';
import { quoteWord } from '../quote.ts';
import { removeLeftovers, writeAtomically } from './atomic-file.ts';
import { clientHooks, type HookName, serverHooks } from './hook-name.ts';
import { digest, type PackagePlace, renderHookScript } from './hook-script.ts';
import { type HookState, readHookState } from './hook-state.ts';
import { findHooksDirectory, gitAtTop, type HooksDirectory } from './hooks-directory.ts';
import { withInstallLock } from './install-lock.ts';
import type { InstalledHook } from './installed-hook.ts';
import {
  aliasOf,
  goesByName,
  type HookFile,
  inspectHook,
  keepHook,
  keptPath,
  makeAlias,
  shellForName,
} from './kept-hook.ts';
import { type ManifestEntry, manifestPath, readManifest, writeManifest } from './manifest.ts';
import { noticesAbout } from './neighbours.ts';
import { findPackagePlace } from './package-place.ts';

export interface InstallRequest {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** Null: commit-msg and pre-push, or pre-receive with `server`, and what was installed before. */
  readonly hooks: readonly HookName[] | null;
  readonly server: boolean;
  readonly dryRun: boolean;
  /** Absolute path of the node that hooks should use. */
  readonly node: string;
  /** Absolute root of the package whose programs hooks start. */
  readonly packageRoot: string;
}

export interface InstallReport {
  readonly directory: string;
  readonly hooks: readonly InstalledHook[];
  /** Absolute path of the file that records what was there before. */
  readonly manifest: string;
  readonly notices: readonly string[];
}

/**
 * Writes the guard's hooks where git looks for them, and keeps the hooks that are there. Safe to repeat, to run twice
 * at once and to kill.
 *
 * @throws OxideError `not-a-repository`, `bare-needs-server`, `outside-work-tree`, `hook-obstructed`,
 *   `package-incomplete`, and what {@link findHooksDirectory} and {@link withInstallLock} throw
 */
export async function install(request: InstallRequest): Promise<InstallReport> {
  const repository = await openForHooks(request.cwd, request.env);
  if (repository.workTree === null && !request.server && request.hooks === null) {
    throw new OxideError(
      'bare-needs-server',
      `${repository.gitDir} is a bare repository: nobody commits here, so it needs the hook for what is pushed to it.`,
      { remedy: 'oxide-guard install --server', exitCode: ExitCode.usage },
    );
  }
  if (!existsSync(join(request.packageRoot, 'dist', 'hook'))) {
    throw new OxideError(
      'package-incomplete',
      `${request.packageRoot} lacks dist/hook, which the hooks start: they would refuse everything.`,
      { remedy: 'npm install --save-dev oxide-guard   # in a checkout of the project: npm run build' },
    );
  }
  const directory = await findHooksDirectory(repository, request.env);
  const place = findPackagePlace(request.packageRoot, request.cwd, repository.workTree);
  const work = () => new Installation(request, repository, directory, place).run();
  const hooks = request.dryRun ? work() : await withInstallLock(repository.commonDir, work);
  const notices = noticesAbout(repository, directory, hooks, place);
  return { directory: directory.path, hooks, manifest: manifestPath(repository.commonDir), notices };
}

/**
 * The repository that hooks are for.
 *
 * @throws OxideError `not-a-repository`, `outside-work-tree`
 */
export async function openForHooks(cwd: string, env: Environment): Promise<Location> {
  const repository = await discoverRepository({ cwd, env });
  if (repository === null) {
    throw new OxideError('not-a-repository', `${cwd} is not in a git repository, so it has no hooks.`, {
      remedy: 'Go to a repository, or make one: git init',
      exitCode: ExitCode.usage,
    });
  }
  if (repository.workTree === null) {
    await refuseInsideGitDirectory(gitAtTop(repository, env), cwd);
  }
  return repository;
}

class Installation {
  readonly #request: InstallRequest;
  readonly #repository: Location;
  readonly #directory: HooksDirectory;
  readonly #place: PackagePlace;
  readonly #isNewDirectory: boolean;
  #manifest: readonly ManifestEntry[];

  constructor(request: InstallRequest, repository: Location, directory: HooksDirectory, place: PackagePlace) {
    this.#request = request;
    this.#repository = repository;
    this.#directory = directory;
    this.#place = place;
    this.#isNewDirectory = !existsSync(directory.path);
    this.#manifest = readManifest(repository.commonDir);
  }

  run(): readonly InstalledHook[] {
    const states = this.#hooks().map((hook) => ({ hook, state: this.#stateOf(hook) }));
    if (!this.#request.dryRun) {
      mkdirSync(this.#directory.path, { recursive: true });
      removeLeftovers(this.#directory.path);
    }
    return states.map(({ hook, state }) => this.#installHook(hook, state));
  }

  #hooks(): readonly HookName[] {
    const { hooks, server } = this.#request;
    if (hooks !== null) {
      return hooks;
    }
    const before = this.#manifest.map((entry) => entry.hook);
    return [...new Set([...(server ? serverHooks : clientHooks), ...before])];
  }

  /** Every hook is looked at before the first one is written. */
  #stateOf(hook: HookName): HookState {
    const path = join(this.#directory.path, hook);
    const state = readHookState(path);
    if (state.kind === 'obstacle') {
      throw new OxideError('hook-obstructed', `${path} is a directory, so no hook can be put there.`, {
        remedy: `mv ${quoteWord(path)} ${quoteWord(`${path}.moved`)}`,
        exitCode: ExitCode.usage,
      });
    }
    return state;
  }

  #installHook(hook: HookName, state: HookState): InstalledHook {
    const path = join(this.#directory.path, hook);
    const target = state.kind === 'behind-pre-commit' ? state.path : path;
    const before = this.#before(hook, path, state);
    const content = before === null ? null : contentOf(state.kind === 'foreign' ? path : keptPath(path));
    const hasAlias = before !== null && content !== null && goesByName(content, before);
    const keptName = hasAlias ? aliasOf(hook) : basename(keptPath(path));
    const script = this.#render(hook, before === null ? null : keptName, content);
    const isCurrent = 'sha256' in state && state.sha256 === digest(script) && (state.mode & 0o111) === 0o111;
    const edited = 'sha256' in state && !isCurrent ? this.#editedName(hook, target, state.sha256) : null;
    let retired: string | null = null;
    if (!this.#request.dryRun) {
      this.#record({ hook, before, sha256: digest(script) });
      if (edited !== null) {
        writeAtomically(edited, readFileSync(target, 'utf8'), 0o644);
      }
      if (state.kind === 'foreign') {
        retired = keepHook(path, state.file).retired;
      }
      if (hasAlias) {
        makeAlias(path);
      }
      if (!isCurrent) {
        writeAtomically(target, script, 0o755);
      }
    }
    return {
      hook,
      path: target,
      change: isCurrent ? 'unchanged' : 'sha256' in state ? 'updated' : 'written',
      kept: before === null ? null : keptPath(path),
      keptIsIgnored: before?.kind === 'file' && (before.mode & 0o111) === 0,
      retired,
      edited,
    };
  }

  /** What was at the hook's path before the guard: now if it is another's, else as it is recorded or still lies there. */
  #before(hook: HookName, path: string, state: HookState): HookFile | null {
    if (state.kind === 'foreign') {
      return state.file;
    }
    const kept = inspectKept(path);
    return kept ?? (state.kind === 'absent' ? null : (this.#entry(hook)?.before ?? null));
  }

  #render(hook: HookName, kept: string | null, content: Buffer | null): string {
    const keptShell = content === null ? null : shellForName(content);
    const { node, packageRoot: root } = this.#request;
    return renderHookScript({ hook, node, packagePlace: this.#place, kept, keptShell }, root);
  }

  /** A script of ours that somebody has changed is not lost. */
  #editedName(hook: HookName, path: string, sha256: string): string | null {
    const written = this.#entry(hook)?.sha256;
    return written === undefined || written === sha256 ? null : `${path}.edited`;
  }

  #entry(hook: HookName): ManifestEntry | undefined {
    return this.#manifest.find((entry) => entry.hook === hook && entry.directory === this.#directory.path);
  }

  #record(entry: Pick<ManifestEntry, 'hook' | 'before' | 'sha256'>): void {
    const former = this.#entry(entry.hook);
    const createdDirectory = former?.createdDirectory ?? this.#isNewDirectory;
    const others = this.#manifest.filter((other) => other !== former);
    this.#manifest = [...others, { ...entry, directory: this.#directory.path, createdDirectory }];
    writeManifest(this.#repository.commonDir, this.#manifest);
  }
}

/** Null for a link that leads nowhere. */
function contentOf(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

function inspectKept(path: string): HookFile | null {
  const kept = inspectHook(keptPath(path));
  return kept === 'directory' ? null : kept;
}
