import { describe, expect, it } from 'vitest';
import { figuresOf } from '../../../src/cli/commands/projections/lag.ts';
import type { Lag, LagSample } from '../../../src/operations/projections/lag.ts';

const NOW = Date.UTC(2026, 10, 21, 8);

const lag = (position: bigint, more: Partial<Lag> = {}): Lag => ({
  projection: 'directory',
  version: 1,
  build: { schema: 'directory_v1_b1', position, partitions: 1 },
  head: 1_000n,
  behind: { events: 1_000n - position, isEstimate: false },
  oldestUnprocessedAt: position === 1_000n ? null : '2026-11-21T07:59:30.000Z',
  stalls: [],
  ...more,
});

const figures = (before: Lag | null, now: Lag) => {
  const earlier: LagSample | null =
    before === null ? null : { atMs: 5_000, lags: [before], advanced: new Map() };
  const isOfOneBuild = before?.build != null && before.build.schema === now.build?.schema;
  const advanced = new Map(
    isOfOneBuild ? [['directory', (now.build?.position ?? 0n) - (before?.build?.position ?? 0n)]] : [],
  );
  return figuresOf({ atMs: 7_000, lags: [now], advanced }, earlier, NOW)[0];
};

describe('the lag of a projection', () => {
  it('has a rate and an ETA while it shrinks', () => {
    expect(figures(lag(200n), lag(400n))).toMatchObject({
      position: '400',
      behind: '600',
      rate_per_s: 100,
      eta_s: 6,
      oldest_unprocessed_s: 30,
    });
  });

  it('has no ETA while it stands still', () => {
    expect(figures(lag(400n), lag(400n))).toMatchObject({ rate_per_s: 0, eta_s: null });
  });

  it('has no ETA once it is zero', () => {
    expect(figures(lag(900n), lag(1_000n))).toMatchObject({
      behind: '0',
      rate_per_s: 50,
      eta_s: null,
      oldest_unprocessed_s: null,
    });
  });

  it('has no rate after one look, or across two builds', () => {
    expect(figures(null, lag(400n))).toMatchObject({ rate_per_s: null, eta_s: null });
    const other = { schema: 'directory_v1_b2', position: 900n, partitions: 1 };
    expect(figures(lag(400n), lag(900n, { build: other }))).toMatchObject({ rate_per_s: null });
  });

  it('is the whole log where nothing is built yet', () => {
    expect(figures(null, lag(0n, { build: null, oldestUnprocessedAt: null }))).toMatchObject({
      schema: null,
      position: null,
      behind: '1000',
      rate_per_s: null,
    });
  });

  it('is in events and as a share of the log, marked as estimated where it is', () => {
    const behind = { events: 330n, isEstimate: true };
    const advanced = new Map([['directory', 20n]]);
    const earlier: LagSample = { atMs: 5_000, lags: [], advanced: new Map() };
    const now: LagSample = { atMs: 7_000, lags: [lag(337_022n, { head: 1_000_000n, behind })], advanced };
    expect(figuresOf(now, earlier, NOW)[0]).toMatchObject({
      behind: '330',
      behind_is_estimate: true,
      done: 0.337,
      rate_per_s: 10,
      eta_s: 33,
    });
  });

  it('does not run backwards if the log’s clock is ahead', () => {
    const ahead = new Date(NOW + 5_000).toISOString();
    expect(figures(null, lag(400n, { oldestUnprocessedAt: ahead }))).toMatchObject({
      oldest_unprocessed_s: 0,
    });
  });
});
