import { describe, expect, it } from 'vitest';
import { statusOf, successRate, windowsAt } from '../../../src/read/engines.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 16, 30);
const minute = (at: string): number => Math.floor(Date.parse(at) / 60_000);

describe('windows of an engine', () => {
  it('end with the running minute, which includes the previous one’s reports', () => {
    const { minute: first, hourMinute, dayHour, lengths } = windowsAt(NOW);
    expect(first).toBe(minute('2026-11-22T08:15:00Z'));
    expect(hourMinute).toBe(minute('2026-11-22T07:17:00Z'));
    expect(dayHour).toBe(minute('2026-11-21T09:00:00Z') / 60);
    expect(lengths).toEqual({ '1m': 1, '1h': 60, '24h': 23 * 60 + 17 });
  });

  it('have as many minutes as buckets, at every minute of an hour', () => {
    for (let n = 0; n < 60; n++) {
      const now = NOW + n * 60_000;
      const { dayHour, lengths } = windowsAt(now);
      expect(lengths['24h']).toBe(Math.floor(now / 60_000) - dayHour * 60 + 1);
      expect(lengths['24h']).toBeGreaterThan(23 * 60);
      expect(lengths['24h']).toBeLessThanOrEqual(24 * 60);
    }
  });
});

describe('the status of an engine', () => {
  const working = { paused_at: null, alarm: null, read_at: new Date(NOW - 60_000).toISOString() };

  it('is healthy while it reads without an alarm', () => {
    expect(statusOf(working, NOW)).toBe('healthy');
  });

  it('is idle without a reading for ten minutes, or ever', () => {
    expect(statusOf({ ...working, read_at: null }, NOW)).toBe('idle');
    expect(statusOf(working, NOW + 9 * 60_000 - 1)).toBe('healthy');
    expect(statusOf(working, NOW + 9 * 60_000)).toBe('idle');
  });

  it.each(['rate_limited', 'login_wall', 'challenge', 'region'])(
    'is blocked if the platform refuses requests: %s',
    (alarm) => {
      expect(statusOf({ ...working, alarm }, NOW)).toBe('blocked');
    },
  );

  it.each(['timeout', 'layout_changed', 'false_absence', 'sweep_implausible', 'a reason of a newer program'])(
    'is degraded by any other alarm: %s',
    (alarm) => {
      expect(statusOf({ ...working, alarm, read_at: null }, NOW)).toBe('degraded');
    },
  );

  it('is paused whatever else holds', () => {
    expect(statusOf({ ...working, alarm: 'rate_limited', paused_at: working.read_at }, NOW)).toBe('paused');
  });
});

describe('the success of readings', () => {
  it('counts absence as a result, and inconclusive readings as none', () => {
    expect(successRate({ present: 6, absent: 2, 'unknown:timeout': 1, 'unknown:login_wall': 1 })).toBe(0.8);
    expect(successRate({ 'unknown:timeout': 3 })).toBe(0);
  });

  it('is unknown without readings', () => {
    expect(successRate({})).toBeNull();
  });
});
