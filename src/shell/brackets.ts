/** By how much a character of a program's text changes how deep in brackets what follows stands. */
export function bracketStep(character: string): 1 | -1 | 0 {
  if (/[([{]/.test(character)) {
    return 1;
  }
  return /[)\]}]/.test(character) ? -1 : 0;
}
