/** When git itself lets go of what lost work is found again by, in days: git-config(1) "gc.*". */
const defaults = {
  'gc.pruneexpire': 14,
  'gc.reflogexpire': 90,
  'gc.reflogexpireunreachable': 30,
  'gc.worktreepruneexpire': 90,
} as const;

export type ExpirySetting = keyof typeof defaults;

const daysIn: ReadonlyMap<string, number> = new Map([
  ['second', 1 / 86_400],
  ['minute', 1 / 1440],
  ['hour', 1 / 24],
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['year', 365],
]);

/** `gc.<pattern>.reflogExpire` is one of them, too; null for any other setting. @param key in lower case */
export function expirySetting(key: string): ExpirySetting | null {
  const name = key.replace(/^gc\..*\.(reflogexpire)/, 'gc.$1');
  return name in defaults ? (name as ExpirySetting) : null;
}

/**
 * How long ago a date is at least, as git reads it, in days: `2.weeks.ago`, `1 day 2 hours`, `never`; null: it is not read
 * here. What follows the first count takes it further back.
 */
export function daysBefore(date: string): number | null {
  const text = date.trim().toLowerCase();
  if (/^(?:never|false)$/.test(text)) {
    return Number.POSITIVE_INFINITY;
  }
  const [, count, unit = ''] = /^(\d+)[ .]?([a-z]+?)s?(?:[ .].*)?$/s.exec(text) ?? [];
  const days = daysIn.get(unit);
  return /^(?:now|all|0)$/.test(text) ? 0 : count === undefined || days === undefined ? null : Number(count) * days;
}

/** Does it let go of something sooner than git would by itself? A date that is not read counts as such. */
export function isEarly(date: string | null, setting: ExpirySetting): boolean {
  const days = date === null ? null : daysBefore(date);
  return days === null || days < defaults[setting];
}
