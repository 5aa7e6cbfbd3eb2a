import type { Statement } from 'unbash';

/** `return`, `exit $?`: does a statement leave with the status of the one before it, and what? null: it does something else. */
export function leavingAsBefore(statement: Statement | undefined): 'return' | 'exit' | null {
  const command = statement?.background === true ? undefined : statement?.command;
  if (command?.type !== 'Command' || command.prefix.length > 0) {
    return null;
  }
  const name = command.name?.text;
  const [status, ...others] = command.suffix;
  const isOfBefore = status === undefined || (status.type === 'Word' && /^(?:\$\?|"\$\?")$/.test(status.text));
  return isOfBefore && others.length === 0 && (name === 'return' || name === 'exit') ? name : null;
}
