import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WAIT_MS, resetAfterMs, retryAfterMs } from '../../../src/crawlers/http/retry.ts';
import { retryAfterOf } from '../../../src/crawlers/platforms/shared/reading-outcomes.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

describe('the wait that an answer asks for', () => {
  it.for<[string, number | null]>([
    ['0', 0],
    ['1.5', 1_500],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['86400', DAY],
    ['86401', DAY],
    ['999999999', DAY],
    ['9'.repeat(400), DAY],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Thursday, 01-Jan-26 00:02:00 GMT', 120_000],
    ['Thu Jan  1 00:02:00 2026', 120_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', DAY],
    ['Thu, 99 Jan 2026 00:02:00 GMT', null],
    ['-5', null],
    ['-999999999', null],
    ['+5', null],
    ['1e9', null],
    ['0x10', null],
    ['Infinity', null],
    ['NaN', null],
    ['soon', null],
    ['2026-01-01T00:02:00Z', null],
    ['120, 240', null],
    ['', null],
  ])('Retry-After: %j is %j ms', ([header, expected]) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });

  it('is unknown for a date without the time of the answer', () => {
    expect(retryAfterMs('Thu, 01 Jan 2026 00:02:00 GMT', null)).toBeNull();
    expect(retryAfterMs('120', null)).toBe(120_000);
  });

  it.for<[string, number | null]>([
    ['90', 90_000],
    ['999999999', DAY],
    [String(NOW / 1000 + 60), 60_000],
    [String(NOW / 1000 - 60), 0],
    [String(NOW + 60_000), DAY],
    ['9'.repeat(40), DAY],
    ['-60', null],
    ['1e12', null],
    ['', null],
  ])('X-Rate-Limit-Reset: %j is %j ms', ([header, expected]) => {
    expect(resetAfterMs(header, NOW)).toBe(expected);
  });

  it('is between nothing and a day, whatever the headers say', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    const names = ['retry-after', 'x-rate-limit-reset', 'ratelimit-reset', 'date'] as const;
    const headers = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(headers, (drawn) => {
        const ms = retryAfterOf({ headers: drawn as Record<string, string> });
        if (ms === null) return;
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(MAX_WAIT_MS);
      }),
      { seed: 3, numRuns: 2_000 },
    );
  });
});
