/**
 * Frequent programs that are no builtins and run nothing else: what reads the others (wrappers, carriers, languages,
 * shells) is not started for a line that calls none of them, which saves an agent's hook a quarter of its work.
 */
export const ordinaryPrograms: ReadonlySet<string> = new Set([
  'git',
  'ls',
  'cat',
  'grep',
  'rg',
  'head',
  'tail',
  'wc',
  'mkdir',
  'touch',
  'rm',
  'cp',
  'mv',
  'diff',
  'stat',
  'tree',
  'echo',
  'pwd',
  'tsc',
  'eslint',
]);
