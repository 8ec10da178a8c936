import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { eventsBetween } from '../../../src/write/log/events-between.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { createTestDatabase } from '../../support/database.ts';
import { collect, numbered, openTestLog } from '../../support/eventstore/log.ts';
import { openNode } from '../../support/eventstore/server.ts';

const COUNT = 3_000;

const fill = async (log: EventLog): Promise<readonly bigint[]> => {
  for (let n = 0; n < COUNT; n += 100) await log.append('account-x:a', numbered(100, n), 'any');
  return (await collect(log.readAll(0n))).map(({ position }) => position);
};

const at = (positions: readonly bigint[], n: number): bigint => (n === 0 ? 0n : (positions[n - 1] ?? 0n));

describe('events between two positions', () => {
  describe('of Postgres', () => {
    let log: EventLog;
    let positions: readonly bigint[];
    const closers: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      const { db, url, drop } = await createTestDatabase();
      log = createPostgresLog(db, url, silentLogger);
      closers.push(() => log.close(), drop);
      positions = await fill(log);
    });
    afterAll(async () => {
      for (const close of closers) await close();
    });

    it.each([
      [0, COUNT],
      [0, 1],
      [700, COUNT],
      [COUNT, COUNT],
      [COUNT, 5],
    ])('are exact from %i to %i', async (from, to) => {
      expect(await eventsBetween(log, at(positions, from), at(positions, to))).toEqual({
        events: BigInt(Math.max(0, to - from)),
        isEstimate: false,
      });
    });
  });

  describe('of EventStoreDB', () => {
    let log: EventLog;
    let positions: readonly bigint[];
    const closers: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      const node = await openNode({});
      log = openTestLog(node.url);
      closers.push(
        () => log.close(),
        async () => node.close(),
      );
      for (let i = 0; i < 50; i += 1) node.store.system('$statsCollected');
      positions = await fill(log);
    });
    afterAll(async () => {
      for (const close of closers) await close();
    });

    it.each([
      [COUNT - 1, COUNT],
      [COUNT - 200, COUNT],
      [0, 100],
      [COUNT, COUNT],
      [COUNT, 5],
    ])('are counted where they are few: from %i to %i', async (from, to) => {
      expect(await eventsBetween(log, at(positions, from), at(positions, to))).toEqual({
        events: BigInt(Math.max(0, to - from)),
        isEstimate: false,
      });
    });

    it.each([
      [0, COUNT],
      [1_000, COUNT],
      [500, 2_500],
    ])('are estimated by density where they are many: from %i to %i', async (from, to) => {
      const [start, end] = [at(positions, from), at(positions, to)];
      const { events, isEstimate } = await eventsBetween(log, start, end);
      expect(isEstimate).toBe(true);
      expect(Math.abs(Number(events) / (to - from) - 1)).toBeLessThan(0.2);
      // Positions are hundreds of times as many, which nobody means.
      expect(Number(end - start) / (to - from)).toBeGreaterThan(100);
    });

    it('are none in an empty log', async () => {
      const node = await openNode({});
      const empty = openTestLog(node.url);
      expect(await eventsBetween(empty, 0n, await empty.head())).toEqual({ events: 0n, isEstimate: false });
      await empty.close();
      await node.close();
    });
  });
});
