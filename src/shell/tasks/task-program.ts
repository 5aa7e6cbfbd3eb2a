/**
 * What a runner of tasks does that are functions of a language: the words of the interpreter's call that would do it.
 *
 * @param names the tasks that are asked for, with what each is given in brackets
 * @param words what follows the runner's name, '' for a word that is not known
 * @returns null where there is no such task
 */
export type TaskProgram = (
  text: string,
  names: readonly string[],
  words: readonly string[],
) => readonly string[] | null;
