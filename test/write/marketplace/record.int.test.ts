import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createMarketStates } from '../../../src/read/marketplace/market-states.ts';
import { createMarketRecorder, listingId, listingStream } from '../../../src/write/marketplace/listing.ts';
import { offered } from '../../support/market.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const createRecorder = () =>
  createMarketRecorder(program.log, createMarketStates(program.database.db, program.builds, silentLogger), {
    now: () => Date.UTC(2026, 10, 1),
  });

it('a process that recorded a listing notices what another one recorded since', async () => {
  const [feed, imported] = [createRecorder(), createRecorder()];
  const usd = (price: number, day: number) => offered('am-1', day, { price: price * 1_000_000 });
  await feed.record([usd(100, 1)]);
  await program.project();
  await imported.record([usd(200, 2)]);
  await program.project();
  await feed.record([usd(100, 3)]);
  await program.project();
  const [{ source }] = [offered('am-1', 1)];
  const events = await program.log.readStream(listingStream(listingId(source, 'am-1')));
  const prices = events.map(({ data }) => (data as { price?: number }).price);
  expect(prices).toEqual([100_000_000, 200_000_000, 100_000_000]);
});
