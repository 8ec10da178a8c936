import { afterAll, beforeAll, expect, it } from 'vitest';
import { countLiveTraffic, createLiveTraffic } from '../../../src/crawlers/engine/live-traffic.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('live reads of every process are counted once, by the engine that reports first', async () => {
  const traffic = createLiveTraffic(database.db);
  const api = (requests: number) => {
    let left = requests;
    return countLiveTraffic(
      {
        takeTraffic: (platform, trafficClass) => {
          const taken = platform === 'x' && trafficClass === 'live' ? left : 0;
          left -= taken;
          return { requests: taken, bytes: taken * 100 };
        },
      },
      traffic,
      silentLogger,
    );
  };
  await Promise.all([api(3).stop(), api(4).stop()]);
  const taken = await Promise.all([traffic.take('x'), traffic.take('x'), traffic.take('tiktok')]);
  expect(taken.map(({ requests }) => requests).toSorted()).toEqual([0, 0, 7]);
  expect(await traffic.take('x')).toEqual({ requests: 0, bytes: 0 });
});
