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
