/**
 * The words of a list that a program holds, separated by blanks and line ends. No regular expression: compiling one costs
 * an agent's hook more than the reading.
 */
export function listedWords(list: string): readonly string[] {
  return list
    .replaceAll('\n', ' ')
    .split(' ')
    .filter((word) => word !== '');
}
