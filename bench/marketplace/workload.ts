import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';

/** Sellers of a market: a few offer much. */
const SELLERS = 20_000;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2026, 0, 1);

/** One listing as a line of a feed: 80 % on sale, 15 % sold, 5 % withdrawn. */
const lineOf = (n: number, random: Random): string => {
  const platform = PLATFORMS[n % PLATFORMS.length];
  const followers = Math.round(10 ** (3 + 4 * random.next()));
  const price = (followers * (0.002 + 0.01 * random.next())).toFixed(2);
  const seller = Math.floor(SELLERS * random.next() ** 3);
  const listedMs = FIRST_MS + Math.floor(300 * random.next()) * DAY_MS;
  const share = random.next();
  const end =
    share < 0.8
      ? {}
      : share < 0.95
        ? {
            status: 'sold',
            sold_at: new Date(listedMs + Math.floor(1 + 20 * random.next()) * DAY_MS).toISOString(),
            sold_price_usd: price,
          }
        : { status: 'withdrawn' };
  return JSON.stringify({
    id: `L${n}`,
    platform,
    handle: `account${n}`,
    title: `Account ${n}, ${followers} followers, niche ${n % 97}`,
    price_usd: price,
    followers,
    seller: { id: `s${seller}`, name: `Seller ${seller}` },
    url: `https://market.example/listing/${n}`,
    listed_at: new Date(listedMs).toISOString(),
    ...end,
  });
};

/** Writes a feed of listings as NDJSON. */
export const writeFeed = async (file: string, listings: number): Promise<void> => {
  const random = seededRandom(15);
  const out = createWriteStream(file);
  const ended = finished(out);
  for (let from = 0; from < listings; from += 1_000) {
    const lines: string[] = [];
    for (let n = from; n < Math.min(listings, from + 1_000); n++) lines.push(lineOf(n, random));
    if (!out.write(`${lines.join('\n')}\n`)) await new Promise((resolve) => out.once('drain', resolve));
  }
  out.end();
  await ended;
};
