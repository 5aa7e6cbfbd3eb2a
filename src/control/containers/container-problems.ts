import { OxideError } from '../../errors.ts';
import { noEngine } from './engine-search.ts';
import type { ContainerRow } from './store.ts';

/** @param reason why there is no engine */
export function isolationMissing(reason: string): OxideError {
  const { message, remedy } = noEngine(reason);
  return new OxideError(
    'isolation-required',
    `${message} A container is required here, and bubblewrap is not enough.`,
    {
      ...(remedy === null ? {} : { remedy }),
    },
  );
}

/** @param reason how the engine fails to answer */
export function engineGone({ tier }: ContainerRow, reason: string): OxideError {
  return new OxideError('engine-unreachable', `The container runs on ${tier}, which does not answer: ${reason}.`, {
    remedy: 'Start the engine again; or call the action stop once it answers.',
  });
}
