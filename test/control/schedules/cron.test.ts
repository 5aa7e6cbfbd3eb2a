import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronProblem, latestSlot, nextSlot, zoneProblem } from '../../../src/control/schedules/cron.ts';

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

describe('a cron expression', () => {
  it.each([
    '* * * * *',
    '  5 4 * * sun ',
    '*/15 0-6,20-23 1,15 JAN-jun MON-FRI',
    '0 0 29 2 *',
    '0 9 L * *',
    '0 9 15W * *',
    '0 9 * * 5#2',
    '0 0 * * 7',
  ])('%j is taken', (cron) => {
    expect(cronProblem(cron)).toBeNull();
  });

  it.each([
    ['', 'five fields'],
    ['* * * *', 'five fields'],
    ['0 * * * * *', 'five fields'],
    ['0 0 1 1 * 2027', 'five fields'],
    ['@daily', 'five fields'],
    ['60 * * * *', 'Invalid value for minute: 60'],
    ['0 24 * * *', 'Invalid value for hour: 24'],
    ['0 0 0 * *', 'is not valid'],
    ['0 0 * 13 *', 'is not valid'],
    ['0 0 * * 8', 'is not valid'],
    ['*/0 * * * *', 'illegal stepping: 0'],
    ['5-1 * * * *', 'is not valid'],
    ['1,,2 * * * *', 'is not valid'],
    ['H * * * *', 'is not valid'],
    ['? * * * *', "has '?'"],
    ['0 0 1 * +MON', "has '+MON'"],
    ['-1 * * * *', 'is not valid'],
    ['1.5 * * * *', "has '1.5'"],
    ['０ * * * *', "has '０'"],
    ['0 0 30 2 *', 'has no time that ever comes'],
    ['0 0 31 4,6 *', 'has no time that ever comes'],
    [`${'1,'.repeat(100)}1 * * * *`, 'five fields'],
  ])('%j is refused', (cron, problem) => {
    expect(cronProblem(cron)).toContain(problem);
  });

  const field = fc.string({ unit: fc.constantFrom(...'0123456789*,-/LW#?+@ MONJAN\t\n\0é🦀'), maxLength: 12 });
  it('that is nonsense neither throws nor hangs', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(field, { maxLength: 7 }).map((all) => all.join(' ')),
        ),
        (cron) => {
          const problem = cronProblem(cron);
          const next = problem === null ? nextSlot(cron, 'UTC', 0) : 0;
          expect(next).not.toBeNull();
        },
      ),
      { numRuns: 200 },
    );
  });

  const number = (min: number, max: number) => fc.integer({ min, max }).map(String);
  const part = (min: number, max: number) =>
    fc.oneof(
      fc.constant('*'),
      number(min, max),
      fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      fc.array(number(min, max), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
    );
  const valid = fc
    .tuple(part(0, 59), part(0, 23), part(1, 28), part(1, 12), part(0, 6))
    .map((fields) => fields.join(' '));
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');

  it('has times that go on: the next one is later, and is the latest when it has come', () => {
    fc.assert(
      fc.property(
        valid,
        zone,
        fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
        (cron, timezone, now) => {
          const next = nextSlot(cron, timezone, now) ?? 0;
          expect(next).toBeGreaterThan(now);
          expect(next % 60_000).toBe(0);
          expect(latestSlot(cron, timezone, next)).toBe(next);
          expect(latestSlot(cron, timezone, next + 59_999)).toBe(next);
          expect(latestSlot(cron, timezone, next - 1)).toBeLessThan(next);
          expect(nextSlot(cron, timezone, next - 1)).toBe(next);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the times of a schedule', () => {
  const nextOf = (cron: string, timezone: string, after: string) => iso(nextSlot(cron, timezone, Date.parse(after)));

  it.each([
    ['gap of an hour', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['gap, in a list of hours', '30 2,14 * * *', 'Europe/Berlin', '2026-03-28T14:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['gap of half an hour', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-03T15:30:00.000Z'],
    ['gap at midnight', '0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-04T03:00:00.000Z'],
    ['gap, by elapsed time', '30 */1 * * *', 'Europe/Berlin', '2026-03-29T00:40:00Z', '2026-03-29T01:30:00.000Z'],
    ['a day that was left out', '0 12 * * *', 'Pacific/Apia', '2011-12-29T22:00:00Z', '2011-12-30T22:00:00.000Z'],
    ['repeated hour, the first', '30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', '2026-11-01T05:30:00.000Z'],
    ['repeated hour, not again', '30 1 * * *', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-02T06:30:00.000Z'],
    ['repeated hour, elapsed', '30 * * * *', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00.000Z'],
    ['leap day', '0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['day of the month or of the week', '0 0 13 * FRI', 'UTC', '2026-05-02T00:00:00Z', '2026-05-08T00:00:00.000Z'],
    ['last day of the month', '0 9 L * *', 'UTC', '2026-02-01T00:00:00Z', '2026-02-28T09:00:00.000Z'],
  ])('%s', (_, cron, timezone, after, next) => {
    expect(nextOf(cron, timezone, after)).toBe(next);
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'Etc/GMT+5'])(
    '%s is taken',
    (name) => {
      expect(zoneProblem(name)).toBeNull();
    },
  );

  it.each(['', 'Europe/Atlantis', '+02:00', 'Berlin', '../etc/passwd', 'UTC\0', ' UTC'])('%j is refused', (name) => {
    expect(zoneProblem(name)).toContain('IANA');
  });
});
