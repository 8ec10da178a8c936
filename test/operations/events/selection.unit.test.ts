import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeArg } from '../../../src/cli/parse/args.ts';
import { selectionOf } from '../../../src/operations/events/selection.ts';
import { positionAtTime } from '../../../src/write/position-at-time.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';

describe('a time in the input', () => {
  it('is ISO 8601, in UTC without a zone', () => {
    expect(timeArg('2026-11-21')).toBe(Date.UTC(2026, 10, 21));
    expect(timeArg('2026-11-21T08:00')).toBe(Date.UTC(2026, 10, 21, 8));
    expect(timeArg('2026-11-21T08:00:01.5')).toBe(Date.UTC(2026, 10, 21, 8, 0, 1, 500));
    expect(timeArg('2026-11-21T08:00:00Z')).toBe(Date.UTC(2026, 10, 21, 8));
    expect(timeArg('2026-11-21T08:00:00+02:00')).toBe(Date.UTC(2026, 10, 21, 6));
  });

  it('may be an age', () => {
    const before = Date.now();
    const at = timeArg('2h');
    expect(at).toBeGreaterThanOrEqual(before - 7_200_000);
    expect(at).toBeLessThanOrEqual(Date.now() - 7_200_000);
  });

  it.each(['yesterday', '5', '2026', '2026-13-01', '2026-11-21 08:00', ''])('is not "%s"', (text) => {
    expect(() => timeArg(text)).toThrow(/is no time: write/);
  });
});

const START = Date.UTC(2026, 10, 21);
const logOf = (events: readonly { position: number; second: number }[]) =>
  memoryLog(
    events.map(({ position, second }) =>
      decodeEvent(position, { recorded_at: new Date(START + second * 1_000).toISOString() }),
    ),
  ).log;

describe('the position at an instant', () => {
  it('is after everything recorded before it, and before everything recorded then or later', async () => {
    const steps = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 4 }), wait: fc.integer({ min: 0, max: 2 }) }),
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: -1, max: 40 }), async (made, second) => {
        let position = 0;
        let at = 0;
        const events = made.map(({ gap, wait }) => {
          position += gap;
          at += wait;
          return { position, second: at };
        });
        const found = await positionAtTime(logOf(events), START + second * 1_000);
        for (const event of events) {
          expect(BigInt(event.position) <= found, JSON.stringify(event)).toBe(event.second < second);
        }
      }),
      { seed: 7 },
    );
  });
});

describe('a selection', () => {
  const log = logOf([1, 2, 3, 4, 5, 6].map((position) => ({ position, second: Math.floor(position / 2) })));
  const second = (n: number) => START + n * 1_000;
  // Seconds of the positions 1 to 6: 0, 1, 1, 2, 2, 3.
  const cases: [string, Parameters<typeof selectionOf>[1], bigint, bigint][] = [
    ['nothing', {}, 0n, 6n],
    ['positions, both of them wanted', { from: 2n, to: 4n }, 1n, 4n],
    ['times, half-open', { since: second(1), until: second(2) }, 1n, 3n],
    ['a time between two events', { since: second(1) + 1, until: second(2) + 1 }, 3n, 5n],
    ['both, the narrower of each', { from: 3n, since: second(1), to: 6n, until: second(3) }, 2n, 5n],
    ['a position past the end', { to: 99n }, 0n, 6n],
    ['an end before its beginning', { from: 5n, to: 2n }, 4n, 4n],
    ['position 0', { from: 0n, to: 0n }, 0n, 0n],
  ];
  it.each(cases)('is by %s', async (_what, options, after, to) => {
    expect(await selectionOf(log, options)).toEqual({ after, to, filter: {} });
  });
});
