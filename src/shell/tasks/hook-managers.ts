import { quoteWord } from '../../quote.ts';
import type { ProgramReader } from '../call.ts';
import { runAsScript } from '../programs/program-script.ts';
import { beginningOf } from '../simple-command.ts';

/** What husky before 9 writes into a hook: `set FILE COMMAND`, `add FILE COMMAND`; what its starter does. */
const writes: Readonly<Record<string, (words: readonly string[]) => string | null>> = {
  husky: ([verb, file, command = '']) =>
    file !== undefined && (verb === 'set' || verb === 'add')
      ? `echo ${quoteWord(command)} ${verb === 'set' ? '>' : '>>'} ${quoteWord(file)}`
      : null,
  'husky-init': () => 'echo "npm test" > .husky/pre-commit',
};

/** Rows for the table of carriers. */
export const hookManagers: readonly (readonly [string, ProgramReader])[] = Object.entries(writes).map(
  ([name, scriptOf]) => [
    name,
    (call, shell) => {
      const script = scriptOf(call.argv.slice(1).map(beginningOf));
      return script === null ? null : runAsScript(script, name, call, shell);
    },
  ],
);
