/** By how much a character of a program's text changes how deep in brackets what follows stands. */
export function bracketStep(character: string): 1 | -1 | 0 {
  switch (character) {
    case '(':
    case '[':
    case '{':
      return 1;
    case ')':
    case ']':
    case '}':
      return -1;
    default:
      return 0;
  }
}

/** Where the bracket opens that a position stands in; -1: in none. */
export function bracketAround(code: string, position: number): number {
  let level = 0;
  let index = position - 1;
  for (; index >= 0 && level >= 0; index -= 1) {
    level -= bracketStep(code.charAt(index));
  }
  return level < 0 ? index + 1 : -1;
}

/** Where the bracket closes whose content begins at a position; the end of the code where it does not. */
export function endOfBracket(code: string, from: number): number {
  let level = 1;
  for (let index = from; index < code.length; index += 1) {
    level += bracketStep(code.charAt(index));
    if (level === 0) {
      return index;
    }
  }
  return code.length;
}

/** Where a value ends that is a name or stands between brackets. */
export function endOfValue(code: string, from: number): number {
  const name = /^[\w$]+/.exec(code.slice(from))?.[0].length ?? 0;
  let level = 0;
  for (let index = from; name === 0 && index < code.length; index += 1) {
    level += bracketStep(code.charAt(index));
    if (level <= 0) {
      return index + 1;
    }
  }
  return from + name;
}
