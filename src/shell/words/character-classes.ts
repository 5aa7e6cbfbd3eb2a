/** POSIX character classes, as they stand in a list of a JavaScript expression: `[[:alpha:]]` is `[a-zA-Z]`. */
const classes: ReadonlyMap<string, string> = new Map([
  ['alpha', 'a-zA-Z'],
  ['digit', '0-9'],
  ['alnum', 'a-zA-Z0-9'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['space', '\\s'],
  ['blank', ' \\t'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['xdigit', '0-9a-fA-F'],
  ['word', '\\w'],
  ['cntrl', '\\0-\\x1f\\x7f'],
  ['graph', '!-~'],
  ['print', ' -~'],
]);

/** The members of a bracket list for a JavaScript expression; null: it has a class that there is not. */
export function listMembers(inside: string): string | null {
  let isKnown = true;
  const members = inside.replace(/\[:(\w+):\]|[\\\]^[]/g, (found, name: string | undefined) => {
    const members = name === undefined ? `\\${found}` : classes.get(name);
    isKnown &&= members !== undefined;
    return members ?? '';
  });
  return isKnown ? members : null;
}
