import { expect, it } from 'vitest';
import { PLATFORMS } from '../../../infra/simulator/simulated-platforms.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { createTestCrawl, type TestCrawl } from '../../support/crawl.ts';
import { until } from '../../support/wait.ts';

const leased = async (crawl: TestCrawl): Promise<readonly { until: string; failures: number }[]> => {
  const { rows } = await crawl.program.db.query<{ until: string; failures: number }>(
    sql`select until, failures from crawl.leases`,
  );
  return rows;
};

/** Stops all engines. Whether one waited for its platform or its turn shows in what was leased, reported or asked. */
const stopped = async (crawl: TestCrawl): Promise<void> => {
  let done = false;
  const stopping = Promise.all(Object.values(crawl.engines).map((engine) => engine.stop())).then(() => {
    done = true;
  });
  await until('the engines have stopped', () => done);
  await stopping;
};

it('a shutdown does not wait for a silent platform, and releases its accounts', {
  tags: 'long',
}, async () => {
  const crawl = await createTestCrawl({ size: 20 });
  try {
    for (const platform of PLATFORMS) crawl.simulator.faults.set(platform, 'timeout');
    await crawl.seed(4);
    crawl.run();
    await until('all platforms are asked', () =>
      PLATFORMS.every((platform) => crawl.simulator.requests[platform].faults >= 4),
    );
    expect((await leased(crawl)).every((lease) => Date.parse(lease.until) > Date.now())).toBe(true);
    await stopped(crawl);
    const after = await leased(crawl);
    expect(after.length).toBeGreaterThan(7);
    expect(after.every((lease) => Date.parse(lease.until) === 0 && lease.failures === 0)).toBe(true);
    expect((await crawl.outcomesSince(0n)).size).toBe(0);
  } finally {
    await crawl.close();
  }
});

it('a shutdown does not wait for tokens where the rate is low', { tags: 'long' }, async () => {
  const crawl = await createTestCrawl({ size: 20, ratePerS: 0.02 });
  try {
    await crawl.seed(4);
    crawl.run();
    await until('all platforms were asked once', () =>
      PLATFORMS.every((platform) => crawl.simulator.requests[platform].total === 1),
    );
    await stopped(crawl);
    for (const platform of PLATFORMS) expect(crawl.simulator.requests[platform].total).toBe(1);
  } finally {
    await crawl.close();
  }
});
