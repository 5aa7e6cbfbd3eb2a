import { openPart, openVariable } from './simple-command.ts';
import { withReferences } from './words/variable-reference.ts';

/** What one variable is set to, a comment, or nothing: none of it runs anything, whatever the values are. */
const setting =
  /^[ \t]*(?:#.*|(?:export[ \t]+)?[A-Za-z_]\w*=(?:"[^"`$\\]*"|'[^']*'|[^\s"'`$\\;&|<>()#]*)[ \t]*(?:[ \t]#.*)?)?$/;

/**
 * `echo "TOKEN=$TOKEN" > .env; . ./.env`: a script that only sets variables, with values that are not known. They are
 * taken for values, not for code, as those in the strings of an inline program are.
 *
 * @param shape the script, with {@link openPart} for each of them
 * @returns the script with variables in their place; null where it does anything else
 */
export function settingsScript(shape: string): string | null {
  if (!shape.split('\n').every((line) => setting.test(line))) {
    return null;
  }
  const parts = shape.split(openPart);
  return withReferences(
    parts,
    parts.map(() => openVariable),
  );
}
