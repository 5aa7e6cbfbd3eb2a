import { messageOf } from '../error-message.ts';
import { OxideError } from '../errors.ts';
import { createCheckpoint, listCheckpoints } from '../git/checkpoints/checkpoint.ts';
import { undoTo } from '../git/checkpoints/undo.ts';
import { type SkippedFile, skipReasons } from '../git/checkpoints/work-tree-state.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { RestoredFiles } from '../tools/session-ports.ts';
import type { KeptCheckpoint } from './session/restore.ts';

export interface CheckpointsOptions {
  readonly repository: Repository;
  readonly session: string;
  /** Of a session that is resumed. */
  readonly kept: readonly KeptCheckpoint[];
  /** Milliseconds that one may take; default: that of {@link createCheckpoint}. */
  readonly budget?: number;
  /** Told of every checkpoint that is new. */
  readonly onCheckpoint: (checkpoint: {
    readonly id: string;
    readonly messageId: string;
    readonly reason: string;
  }) => void;
  /** Told when none could be taken before the first change for a message. */
  readonly onMissing: (messageId: string) => void;
  /** Told, once, why none could be taken, and what they leave out. */
  readonly onProblem: (problem: string) => void;
}

/** A work tree that is too large would cost every call the whole time budget. Milliseconds. */
const pauseAfterSlow = 5 * 60_000;

/** The checkpoints of one session: taken before what changes anything, each kept with the prompt that was worked on. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  /** In the order in which they were taken. */
  readonly #kept: KeptCheckpoint[];
  readonly #toldSkipped = new Set<string>();
  #hasFailed = false;
  /** Milliseconds since the epoch. */
  #notBefore = 0;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#kept = [...options.kept];
  }

  /**
   * Takes a checkpoint where something has changed since the last. A work tree that can't be snapshot (too large, a home
   * directory) is worked on all the same: it is said once.
   *
   * @param messageId of the user message that is worked on
   */
  async take(reason: string, messageId: string): Promise<string | null> {
    const { repository, session, budget, onCheckpoint, onProblem } = this.#options;
    if (Date.now() < this.#notBefore) {
      this.#miss(messageId);
      return null;
    }
    try {
      const checkpoint = await createCheckpoint(repository, {
        session: `agent-${session}`,
        reason: reason.slice(0, 500),
        ...(budget === undefined ? {} : { budget }),
      });
      this.#tellSkipped(checkpoint.skipped);
      const { id } = checkpoint;
      if (!this.#kept.some((kept) => kept.id === id && kept.messageId === messageId)) {
        this.#kept.push({ id, messageId });
        onCheckpoint({ id, messageId, reason });
      }
      return id;
    } catch (error) {
      this.#miss(messageId);
      if (error instanceof OxideError && error.code === 'checkpoint-too-slow') {
        this.#notBefore = Date.now() + pauseAfterSlow;
      }
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        onProblem(`No checkpoint could be taken: ${messageOf(error)}`);
      }
      return null;
    }
  }

  #miss(messageId: string): void {
    if (!this.#kept.some((kept) => kept.messageId === messageId)) {
      this.#kept.push({ id: null, messageId });
      this.#options.onMissing(messageId);
    }
  }

  /** Each file once: it is no news before every call. */
  #tellSkipped(skipped: readonly SkippedFile[]): void {
    const fresh = skipped.filter(({ path }) => !this.#toldSkipped.has(path));
    if (fresh.length === 0) {
      return;
    }
    for (const { path } of fresh) {
      this.#toldSkipped.add(path);
    }
    const some = fresh.slice(0, 5).map(({ path, reason }) => `${path} (${skipReasons[reason]})`);
    const more = fresh.length > some.length ? ` and ${fresh.length - some.length} more` : '';
    this.#options.onProblem(`Checkpoints leave out, so nothing brings back: ${some.join(', ')}${more}.`);
  }

  /**
   * Brings the files back to what they were before the first of these messages changed anything; the present is
   * snapshot first.
   *
   * @throws OxideError of undo, `checkpoint-gone` when it was pruned, and `checkpoint-missing` when none could be taken
   */
  async restoreBefore(messageIds: readonly string[]): Promise<RestoredFiles> {
    const { repository } = this.#options;
    const first = this.#kept.find(({ messageId }) => messageIds.includes(messageId));
    if (first === undefined) {
      return 'unchanged';
    }
    if (first.id === null) {
      throw new OxideError(
        'checkpoint-missing',
        'Before the first change no checkpoint could be taken, so the files can’t be brought back.',
        { remedy: 'Use restore_code: false to go back in the conversation only.' },
      );
    }
    const checkpoint = (await listCheckpoints(repository)).find(({ id }) => id === first.id);
    if (checkpoint === undefined) {
      throw new OxideError(
        'checkpoint-gone',
        `Checkpoint ${first.id} is not there any more, so nothing was restored.`,
        {
          remedy: 'Use restore_code: false to go back in the conversation only.',
        },
      );
    }
    const fresh = await openRepository({ cwd: repository.cwd, env: repository.git.context.env });
    const { files, before } = await undoTo(fresh ?? repository, checkpoint);
    return { checkpoint: first.id, files: files.length, undoneBy: before?.id ?? null };
  }
}
