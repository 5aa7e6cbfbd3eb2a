import type { Intent } from '../../intent.ts';

/** Does a call make messages that neither stand on the line nor are left to a person's editor? */
export function mayMakeMessages(intent: Intent): boolean {
  switch (intent.kind) {
    case 'commit':
      return intent.message.kind !== 'text' && intent.isLoose !== true;
    case 'grow':
      return intent.edits !== undefined;
    case 'rewrite':
      return intent.editsList === true && intent.range !== 'head';
    case 'go-on':
      return intent.editsMessage === true;
    default:
      return false;
  }
}
