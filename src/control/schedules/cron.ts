import { Cron } from 'croner';

/** Longer ones are no times that a person thinks of. */
const longest = 200;

/**
 * What is wrong with a cron expression: five fields as in crontab(5), with names of months and weekdays, and `L`, `W` and
 * `#` for the last, the nearest working and the nth day. Null: nothing, and its time comes.
 */
export function cronProblem(text: string): string | null {
  const fields = text.trim().split(/\s+/);
  if (text.length > longest || fields.length !== 5) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  }
  const strange = fields.find((field) => !/^[\dA-Za-z*,/#-]+$/.test(field));
  if (strange !== undefined) {
    return `has '${strange}', which no field can be`;
  }
  try {
    const first = cronOf(text, 'UTC').nextRun(new Date(0));
    return first === null ? 'has no time that ever comes' : null;
  } catch (error) {
    return `is not valid: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
}

/** What is wrong with the name of a time zone; null: nothing. */
export function zoneProblem(name: string): string | null {
  try {
    // Newer runtimes also take offsets, which have no daylight saving time, and are no names.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) ? null : notAZone;
  } catch {
    return notAZone;
  }
}

const notAZone = 'must be a name of the IANA time zone database, such as UTC or Europe/Berlin';

/**
 * The first time of a schedule after a moment, in milliseconds since the epoch; null: none comes.
 *
 * Where clocks go forward, a time of day in the gap comes right after it; where they go back, one that is there twice
 * comes once, the first time. Minutes or hours given as `*` or with a step go by elapsed time instead, as with Vixie
 * cron: they don't come in the gap, and come in both of the repeated hours.
 */
export function nextSlot(cron: string, zone: string, after: number): number | null {
  return cronOf(cron, zone).nextRun(new Date(after))?.getTime() ?? null;
}

/** The last time of a schedule at or before a moment; null: there was none. */
export function latestSlot(cron: string, zone: string, at: number): number | null {
  return (
    cronOf(cron, zone)
      .previousRuns(1, new Date(at + 1000 - (at % 1000)))[0]
      ?.getTime() ?? null
  );
}

/** With an offset of zero in place of UTC's rules the same times take a tenth of the work. */
function cronOf(cron: string, zone: string): Cron {
  const place = zone === 'UTC' ? { utcOffset: 0 } : { timezone: zone };
  return new Cron(cron.trim(), { ...place, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}
