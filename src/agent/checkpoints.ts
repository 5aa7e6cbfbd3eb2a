import { OxideError } from '../errors.ts';
import { createCheckpoint, listCheckpoints } from '../git/checkpoint.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { undoTo } from '../git/undo.ts';
import type { RewindOutcome } from '../tools/session-ports.ts';
import type { KeptCheckpoint } from './session/restore.ts';

type Restored = Extract<RewindOutcome, { ok: true }>['restored'];

export interface CheckpointsOptions {
  readonly repository: Repository;
  readonly session: string;
  /** Of a session that is resumed. */
  readonly kept: readonly KeptCheckpoint[];
  /** Told of every checkpoint that is new. */
  readonly onCheckpoint: (checkpoint: {
    readonly id: string;
    readonly messageId: string;
    readonly reason: string;
  }) => void;
  /** Told, once, why none could be taken. */
  readonly onProblem: (problem: string) => void;
}

/** The checkpoints of one session: taken before what changes anything, each kept with the prompt that was worked on. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #kept: KeptCheckpoint[];
  #hasFailed = false;

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
    const { repository, session, onCheckpoint, onProblem } = this.#options;
    try {
      const { id } = await createCheckpoint(repository, { session: `agent-${session}`, reason: reason.slice(0, 500) });
      if (!this.#kept.some((kept) => kept.id === id && kept.messageId === messageId)) {
        this.#kept.push({ id, messageId });
        onCheckpoint({ id, messageId, reason });
      }
      return id;
    } catch (error) {
      if (!this.#hasFailed) {
        this.#hasFailed = true;
        onProblem(`No checkpoint could be taken: ${error instanceof Error ? error.message : String(error)}`);
      }
      return null;
    }
  }

  /**
   * Brings the files back to what they were before the first of these messages changed anything; the present is
   * snapshot first. Null: none of them changed anything.
   *
   * @throws OxideError of undo, and `checkpoint-gone` when it was pruned
   */
  async restoreBefore(messageIds: readonly string[]): Promise<Restored> {
    const { repository } = this.#options;
    const first = this.#kept.find(({ messageId }) => messageIds.includes(messageId));
    if (first === undefined) {
      return null;
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
