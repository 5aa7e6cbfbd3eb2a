import { randomUUID } from 'node:crypto';
import { OxideError } from '../../errors.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import type { Convention } from '../../guards/scene.ts';
import { BoundedOutput } from '../../tools/bounded-output.ts';
import type { Clock } from '../clock.ts';
import type { Workspace } from '../services.ts';
import type { Database } from '../store/database.ts';
import type { BubblewrapTier } from './bubblewrap-tier.ts';
import { judgeForContainer } from './command-guard.ts';
import type { ExecOptions, ExecResult } from './container-calls.ts';
import type { ContainerLogs } from './container-logs.ts';
import { engineGone, isolationMissing } from './container-problems.ts';
import { execInContainer } from './engine-exec.ts';
import type { EngineLink } from './engine-link.ts';
import { ExecTranscript } from './exec-log.ts';
import type { ExecEnd, ExecRequest } from './exec-request.ts';
import { type ContainerRow, markContainer, readContainer, type Tier, touchContainer } from './store.ts';
import { workingDirectory } from './working-directory.ts';

/** Bytes of each of a command's outputs that a result holds: half from its beginning, half from its end. */
const resultOutput = 256 * 1024;
/** How often one exec starts a container that goes away under it. */
const mostStarts = 2;
const startedAgain =
  'The container did not run any more and was started again: what was in /tmp, and what ran, is gone.';

export interface WorkspaceCommandsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly env: Environment;
  /** A repository's configuration, for the guard; null: where the repository can't be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
  readonly bubblewrap: BubblewrapTier;
  readonly engines: EngineLink;
  readonly logs: ContainerLogs;
  /** Milliseconds after which a container that nobody uses is stopped. */
  readonly idleStop: number;
  /** Starts the container of a workspace; one that runs already is fine. */
  readonly start: (workspace: Workspace, isolationRequired: boolean) => Promise<unknown>;
  /** Whether bubblewrap is not enough for a workspace. */
  readonly isRequired: (isolationRequired: boolean, workspace: Workspace) => boolean;
}

/** Runs commands where workspaces' containers are. */
export class WorkspaceCommands {
  readonly #parts: WorkspaceCommandsParts;

  constructor(parts: WorkspaceCommandsParts) {
    this.#parts = parts;
  }

  /** As `Containers.exec` says. */
  async exec(workspace: Workspace, options: ExecOptions): Promise<ExecResult> {
    const { command, timeout, isolationRequired, signal } = options;
    const directory = workingDirectory(options.workingDirectory, workspace.directory);
    const { env, convention } = this.#parts;
    await this.#refuseUnlessStarted(workspace, isolationRequired);
    await judgeForContainer(command, directory, { env, convention });
    const outputs = { stdout: new BoundedOutput(resultOutput), stderr: new BoundedOutput(resultOutput) };
    const execId = randomUUID();
    const transcript = new ExecTranscript(this.#parts.logs.of(workspace.workspaceId), execId, () =>
      this.#parts.clock.now(),
    );
    const stopTouching = this.#keepInUse(workspace.workspaceId);
    try {
      transcript.begin(command);
      const request: ExecRequest = {
        workspace,
        command,
        directory,
        timeout,
        signal,
        take: (chunk, stream) => {
          outputs[stream].write(chunk);
          transcript.write(chunk, stream);
        },
      };
      const { tier, end } = await this.#run(request, isolationRequired);
      // A workspace that was deleted meanwhile has no log any more.
      if ((await readContainer(this.#parts.database, workspace.workspaceId)) !== null) {
        transcript.end(describeEnd(end, timeout));
      }
      if (end.stopped === 'interrupted') {
        throw new OxideError('interrupted', 'The command was interrupted, and its processes were ended.');
      }
      return {
        workspaceId: workspace.workspaceId,
        tier,
        execId,
        stdout: outputs.stdout.text(),
        stderr: outputs.stderr.text(),
        exitCode: end.exitCode,
        timedOut: end.stopped === 'timed-out',
        truncated: outputs.stdout.size > resultOutput || outputs.stderr.size > resultOutput,
        notes: end.notes,
      };
    } finally {
      stopTouching();
      outputs.stdout.close();
      outputs.stderr.close();
    }
  }

  async #refuseUnlessStarted(workspace: Workspace, isolationRequired: boolean): Promise<void> {
    const row = await readContainer(this.#parts.database, workspace.workspaceId);
    if (row === null || row.status === 'stopped') {
      throw new OxideError('container-not-running', 'The container of this workspace is not running.', {
        remedy: 'Call the action start first.',
      });
    }
    if (row.tier === 'bwrap' && this.#parts.isRequired(isolationRequired, workspace)) {
      throw isolationMissing('the workspace was started under bubblewrap');
    }
  }

  /** Runs it where the store says; starts what has gone meanwhile, twice at most. */
  async #run(
    request: ExecRequest,
    isolationRequired: boolean,
  ): Promise<{ readonly tier: Tier; readonly end: ExecEnd }> {
    const { workspaceId } = request.workspace;
    for (let starts = 0; ; starts += 1) {
      const row = await readContainer(this.#parts.database, workspaceId);
      // What was started just now need not be said to run: it is tried.
      const end = row?.status === 'running' || starts === mostStarts ? await this.#runAt(row, request) : null;
      if (row !== null && end !== null) {
        await this.#afterwards(row, end);
        const notes = starts === 0 ? end.notes : [startedAgain, ...end.notes];
        return { tier: row.tier, end: { ...end, notes } };
      }
      if (starts === mostStarts) {
        throw containerLost();
      }
      await this.#parts.start(request.workspace, isolationRequired);
    }
  }

  /** Null: the container has gone. */
  async #runAt(row: ContainerRow | null, request: ExecRequest): Promise<ExecEnd | null> {
    if (row?.tier === 'bwrap') {
      return this.#parts.bubblewrap.exec(request);
    }
    if (row === null || row.engineId === null) {
      return null;
    }
    const found = await this.#parts.engines.last();
    if (!found.ok) {
      throw engineGone(row, found.reason);
    }
    try {
      return await execInContainer(found.engine, row.engineId, request);
    } catch (error) {
      if (error instanceof OxideError && error.code === 'engine-unreachable') {
        this.#parts.engines.forget();
      }
      throw error;
    }
  }

  async #afterwards({ workspaceId, tier }: ContainerRow, { containerEnded }: ExecEnd): Promise<void> {
    const { database } = this.#parts;
    const row = await readContainer(database, workspaceId);
    if (containerEnded && tier !== 'bwrap' && row?.status === 'running') {
      await markContainer(database, workspaceId, 'idle');
    }
  }

  /** While a command runs the container is in use, for the servers beside this one, too. */
  #keepInUse(workspaceId: string): () => void {
    const { clock, database } = this.#parts;
    let cancel = () => {};
    const touch = () => {
      void touchContainer(database, workspaceId, clock.now()).catch(() => undefined);
      cancel = clock.after(this.#parts.idleStop / 3, touch);
    };
    touch();
    return () => {
      cancel();
      void touchContainer(database, workspaceId, clock.now()).catch(() => undefined);
    };
  }
}

function containerLost(): OxideError {
  return new OxideError('container-lost', 'The container ends as soon as it was started.', {
    remedy: 'Look at its image: it needs /bin/sh and sleep.',
  });
}

function describeEnd({ exitCode, stopped }: ExecEnd, timeout: number): string {
  return stopped === null
    ? `Exit code ${exitCode}.`
    : stopped === 'timed-out'
      ? `Ended after ${timeout} ms.`
      : 'Interrupted.';
}
