/**
 * The value of an option as it was typed. cac turns whatever looks like a number into one, and an abbreviated object
 * name such as `0012345` or `1e3` does.
 *
 * @param argv the raw words, as cac keeps them in `rawArgs`
 * @returns null where the option is absent
 */
export function textOption(argv: readonly string[], name: string): string | null {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const at = words.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const word = words[at];
  if (word === undefined) {
    return null;
  }
  return word.includes('=') && word.startsWith(`--${name}=`) ? word.slice(name.length + 3) : (words[at + 1] ?? null);
}
