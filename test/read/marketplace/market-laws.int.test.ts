import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMarketLaws } from '../../../src/read/marketplace/market-laws.ts';
import { marketDay, offered, plainRecorder } from '../../support/market.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;

beforeEach(async () => {
  program = await createTestProgram();
});
afterEach(() => program.close());

/** A sale that was seen and made on a day. */
const sale = (native: string, day: number, { seller = native, seen = day, usd = 200 } = {}) =>
  offered(native, seen, {
    status: 'sold',
    soldAt: marketDay(day),
    soldPrice: usd * 1_000_000,
    details: { seller: { id: seller, name: null } },
  });

const many = (n: number, of: (i: number) => ReturnType<typeof sale>) =>
  Array.from({ length: n }, (_, i) => of(i));

const compared = async (sales: readonly ReturnType<typeof sale>[]) => {
  await plainRecorder(program.log).record(sales);
  await program.project();
  const { db } = program.database;
  return createMarketLaws(db, program.builds).accounts();
};

describe('the sales that prices are compared with', () => {
  const honest = many(60, (i) => sale(`honest${i}`, i));

  it('are no more than ten of a seller, however often it touches its listings', async () => {
    const own = many(400, (i) => sale(`own${i}`, 61 + i, { seller: 'one', seen: 500, usd: 5_000 }));
    const { soldOn, sold, isCapped } = await compared([...honest, ...own]);
    expect(soldOn.get('x')).toBe(70);
    expect(sold?.n).toBe(70);
    expect(isCapped).toBe(true);
  });

  it('are three of a seller in a day, and fifty of all sellers in a day', async () => {
    const own = many(40, (i) => sale(`own${i}`, 70, { seller: 'one' }));
    expect((await compared([...honest, ...own])).soldOn.get('x')).toBe(63);
    const crowd = many(200, (i) => sale(`crowd${i}`, 80));
    expect((await compared(crowd)).soldOn.get('x')).toBe(113);
  });

  it('leave out prices that no follower ever cost, and count them', async () => {
    const absurd = [sale('dear', 90, { usd: 900_000_000 }), sale('dearer', 90, { usd: 1_000_000_000 })];
    const { soldOn, leftOut } = await compared([...honest, ...absurd]);
    expect(soldOn.get('x')).toBe(60);
    expect(leftOut).toEqual({ sold: 2, asking: 0 });
  });
});
