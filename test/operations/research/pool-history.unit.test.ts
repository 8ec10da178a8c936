import { describe, expect, it } from 'vitest';
import { readPool, readRecentSettings } from '../../../src/operations/research/inputs.ts';
import type { PoolRow } from '../../../src/read/pools.ts';
import type { EventLog, ReadStreamOptions, RecordedEvent } from '../../../src/write/log/port.ts';
import { decodeEvent } from '../../support/memory-log.ts';
import { poolCreated } from '../../support/pools.ts';

const NOW = Date.UTC(2026, 10, 22, 8, 17);
const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** The stream of a pool, with so many events as were read of it. */
const streamOf = (happenings: readonly { readonly minutesAgo: number; readonly data: object }[]) => {
  const events = happenings.map(({ minutesAgo, data }, n) =>
    decodeEvent(n + 1, {
      revision: BigInt(n),
      stream: 'pool-press',
      type: n === 0 ? 'PoolCreated' : 'PoolTuned',
      data: { at: iso(0), decision: null, ...data },
      recorded_at: iso(NOW - minutesAgo * MINUTE),
    }),
  );
  let read = 0;
  const log = {
    readStream: async (_stream: string, { from, limit }: ReadStreamOptions) => {
      const until = from ?? BigInt(events.length - 1);
      const page = events
        .filter(({ revision }) => revision <= until)
        .toReversed()
        .slice(0, limit);
      read += page.length;
      return page;
    },
  } as unknown as EventLog;
  return { log, events, read: () => read };
};

const rowAt = ({ position }: RecordedEvent, share: number, size_cap: number): PoolRow =>
  ({
    ...poolCreated('press', 'x', NOW, { share, size_cap }),
    ...{ paused: false, retired_at: null, changed_at: iso(NOW), changed: String(position) },
  }) as unknown as PoolRow;

const created = (share: number, size_cap: number) => poolCreated('press', 'x', NOW, { share, size_cap });

describe('a pool’s settings within the hour', () => {
  it('include those at its start and since, up to the event of the row', async () => {
    const { log, events } = streamOf([
      { minutesAgo: 300, data: created(1, 100) },
      { minutesAgo: 90, data: { share: 3 } },
      { minutesAgo: 30, data: { share: 2 } },
      { minutesAgo: 20, data: { schedule: null } },
      { minutesAgo: 10, data: { share: 9, size_cap: 50 } },
    ]);
    expect(await readRecentSettings(log, rowAt(events[3] as RecordedEvent, 2, 100), NOW)).toEqual({
      recent: { share_least: 2, share_greatest: 3, size_cap_least: 100 },
      settings: events[3]?.id,
    });
    expect(await readRecentSettings(log, rowAt(events[4] as RecordedEvent, 9, 50), NOW)).toEqual({
      recent: { share_least: 2, share_greatest: 9, size_cap_least: 50 },
      settings: events[4]?.id,
    });
  });

  it('are read from the end of its stream, however long that is', async () => {
    const years = Array.from({ length: 5_000 }, (_, n) => ({
      minutesAgo: 70 + 60 * (5_000 - n),
      data: { share: 1 + (n % 3) },
    }));
    const { log, events, read } = streamOf([{ minutesAgo: 600_000, data: created(1, 100) }, ...years]);
    const row = rowAt(events.at(-1) as RecordedEvent, 2, 100);
    await readRecentSettings(log, row, NOW);
    const { state } = await readPool(log, row, BigInt(row.changed), NOW);
    expect(state).toMatchObject({ exists: true, paused: false, tuning: { share: 2, size_cap: 100 } });
    expect(read()).toBeLessThanOrEqual(40);
  });
});

describe('a pool’s present state', () => {
  it('is its row with the events since, and knows the decisions carried out since a position', async () => {
    const [one, two] = [1, 2].map((n) => `0190a000-0000-7000-8000-00000000000${n}`);
    const { log, events } = streamOf([
      { minutesAgo: 300, data: created(1, 100) },
      { minutesAgo: 200, data: { share: 2, decision: one } },
      { minutesAgo: 100, data: { share: 1 } },
      { minutesAgo: 10, data: { share: 4, decision: two } },
    ]);
    const row = rowAt(events[2] as RecordedEvent, 1, 100);
    const { state, revision, recent } = await readPool(log, row, 1n, NOW);
    expect(state).toMatchObject({ paused: false, retired: false, tuning: { share: 4, size_cap: 100 } });
    expect(state.decisions.toSorted()).toEqual(expect.arrayContaining([one, two]));
    expect(revision).toBe(3n);
    expect(recent).toEqual({ share_least: 1, share_greatest: 4, size_cap_least: 100 });
  });
});
