import { afterAll, beforeAll, expect, it } from 'vitest';
import { askOwner } from '../../src/kernel/postgres/embedded/home.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

let home: TestHome;
beforeAll(async () => {
  home = await createTestHome({ PORT: '0', CRAWL_MODE: 'replay', LOG_FORMAT: 'json' });
});
afterAll(() => home.remove());

it('a signal during the start stops it in order, without errors', async () => {
  // The first start makes the database, the second finds it.
  for (const point of ['as soon as it owns its home', 'when its Postgres is up'] as const) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const program = home.start(['start']);
      await until(point, async () => {
        const owner = await askOwner(home.home, () => true, 30_000);
        return owner !== null && (point === 'as soon as it owns its home' || owner.port !== null);
      });
      expect([await program.end(signal), program.err()], `${signal} ${point}`).toEqual([
        0,
        expect.not.stringMatching(/error|stack|abort/i),
      ]);
      expect(await askOwner(home.home, () => true, 1_000)).toBeNull();
    }
  }
});
