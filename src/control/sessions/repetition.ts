import { messageOf } from '../../error-message.ts';
import type { SessionParts } from './parts.ts';

/**
 * Does work over and over, one time after the other and at least so long apart. What goes wrong is told once, not each
 * time: a store that is away is asked five times a second.
 *
 * @param milliseconds from the end of one time to the next, and until the first
 * @returns stops it; what is under way goes on
 */
export function repeat(
  milliseconds: number,
  work: () => Promise<void>,
  { clock, onProblem }: Pick<SessionParts, 'clock' | 'onProblem'>,
): () => void {
  let told = '';
  let isStopped = false;
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(milliseconds, () => {
      void once().finally(() => {
        if (!isStopped) {
          next();
        }
      });
    });
  };
  const once = async () => {
    try {
      await work();
      told = '';
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== told) {
        onProblem(problem);
      }
      told = problem;
    }
  };
  next();
  return () => {
    isStopped = true;
    cancel();
  };
}
