/** What changes nothing about which environments tox runs. */
const plain =
  /^(?:run|r|run-parallel|p|auto|all|\d+|-[vqpr]+|--(?:verbose|quiet|recreate|parallel(?:=\w+)?|parallel-show-output|no-recreate-pkg|skip-pkg-install|develop|colored=\w+|color=\w+))$/;

/**
 * The environments of the list that tox runs where it is told of none (its manual, "env_list").
 *
 * @param words what follows the program's name
 * @returns null where they are not known, or there is no list
 */
export function environmentsOf(text: string, words: readonly string[]): readonly string[] | null {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  // What another section has is not followed.
  if (!own.every((word) => plain.test(word)) || /\{\[/.test(text)) {
    return null;
  }
  const [section = ''] = /^\[tox(?::tox)?\][ \t]*\n(?:(?!\[)[^\n]*(?:\n|$))*/m.exec(text) ?? [];
  const [, listed] = /^env_?list[ \t]*=([^\n]*(?:\n[ \t]+[^\n]*)*)/m.exec(section) ?? [];
  const names = (listed ?? '')
    .replace(/#[^\n]*/g, '')
    .split(/[\s,]+(?![^{]*\})/)
    .filter((name) => name !== '')
    .map((name) => factorsIn(name));
  return names.includes(null) || names.length === 0 ? null : names.flatMap((one) => one ?? []);
}

/** `py{310,311}-{unit,lint}`, `py3{10-12}`: each of the names; null where a part is not written out. */
export function factorsIn(name: string): readonly string[] | null {
  const [whole, before = '', inside = '', behind = ''] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(name) ?? [];
  if (whole === undefined) {
    return /[{}$]/.test(name) ? null : [name];
  }
  const rest = factorsIn(behind);
  const [, first, last] = /^\s*(\d+)-(\d+)\s*$/.exec(inside) ?? [];
  const count = Number(last) - Number(first) + 1;
  const choices =
    first === undefined
      ? inside.split(',').map((one) => one.trim())
      : Array.from({ length: Math.max(0, Math.min(count, 50)) }, (_, at) => String(Number(first) + at));
  return rest?.flatMap((end) => choices.map((one) => before + one + end)) ?? null;
}
