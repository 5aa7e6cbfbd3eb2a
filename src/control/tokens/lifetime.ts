import { z } from 'zod';

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Ten years: longer is the same as never. */
const longest = 10 * 365 * 86_400;

function secondsOf(text: string): number {
  const { count = '', unit = 's' } = /^(?<count>\d+)(?<unit>[smhdw])?$/.exec(text)?.groups ?? {};
  return Number(count) * (seconds[unit] ?? 1);
}

/** How long a token holds, in seconds: `3600`, or `90m`, `12h`, `7d`, `2w`. */
export const lifetime = z
  .union([z.number(), z.string().regex(/^\d+[smhdw]?$/, 'must be seconds, or a number with s, m, h, d or w')], {
    error: 'a number of seconds, or a time like 90m, 12h, 7d',
  })
  .transform((value) => (typeof value === 'number' ? value : secondsOf(value)))
  .pipe(z.number().int().min(1).max(longest));
