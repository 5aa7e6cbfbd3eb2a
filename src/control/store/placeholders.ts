const numbered = new Map<string, string>();

/**
 * A statement as PostgreSQL has it: its places for values `$1`, `$2` in place of `?`. Strings, quoted names and
 * comments stay as they are (PostgreSQL manual, 4.1 Lexical Structure; escape strings and dollar quotes are not used).
 */
export function withNumberedPlaces(sql: string): string {
  let text = numbered.get(sql);
  if (text === undefined) {
    let place = 0;
    text = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g, (found) =>
      found === '?' ? `$${++place}` : found,
    );
    if (numbered.size < 1000) {
      numbered.set(sql, text);
    }
  }
  return text;
}
