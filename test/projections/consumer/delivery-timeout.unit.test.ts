import { beforeEach, describe, expect, it } from 'vitest';
import { createDeliveryTimeout, type DeliveryTimeout } from '../../../src/projections/consumer/runner.ts';
import type { RelayCheckpoint } from '../../../src/write/messaging/relay.ts';

const sent = (lastPublished: Record<string, bigint>): RelayCheckpoint => ({
  logId: '',
  startPosition: 5n,
  position: 100n,
  lastPublished: new Map(Object.entries(lastPublished)),
});

describe('a partition without new messages', () => {
  let now: number;
  let timeout: DeliveryTimeout;
  beforeEach(() => {
    now = 1_000_000;
    timeout = createDeliveryTimeout(() => now);
  });

  it('is up to date if nothing more was sent to it', () => {
    const at = new Map([
      ['a', 40n],
      ['b', 39n],
      ['c', 100n],
    ]);
    expect(timeout.check(at, sent({ a: 40n, b: 40n, c: 90n }))).toEqual({ upToDate: ['a'], late: [] });
    // To a partition without a tail nothing was sent since the relay began.
    expect(timeout.check(new Map([['d', 5n]]), sent({}))).toEqual({ upToDate: ['d'], late: [] });
  });

  it('is late five seconds after what was sent, if nothing else arrives', () => {
    const at = new Map([['a', 10n]]);
    expect(timeout.check(at, sent({ a: 40n })).late).toEqual([]);
    now += 5_000;
    expect(timeout.check(at, sent({ a: 40n })).late).toEqual([]);
    now += 1;
    expect(timeout.check(at, sent({ a: 40n })).late).toEqual(['a']);
  });

  it('gets a minute while others are being read', () => {
    const at = new Map([['a', 10n]]);
    timeout.check(at, sent({ a: 40n }));
    for (let i = 0; i < 15; i++) {
      now += 4_000;
      timeout.recordActivity('b');
      expect(timeout.check(at, sent({ a: 40n })).late).toEqual([]);
    }
    now += 1_000;
    expect(timeout.check(at, sent({ a: 40n })).late).toEqual(['a']);
  });

  it('starts counting anew when it advances or receives messages', () => {
    timeout.check(new Map([['a', 10n]]), sent({ a: 40n }));
    now += 4_000;
    timeout.check(new Map([['a', 20n]]), sent({ a: 40n }));
    now += 4_000;
    expect(timeout.check(new Map([['a', 20n]]), sent({ a: 40n })).late).toEqual([]);
    now += 59_000;
    timeout.recordActivity('a');
    expect(timeout.check(new Map([['a', 20n]]), sent({ a: 40n })).late).toEqual([]);
  });
});
