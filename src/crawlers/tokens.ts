import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Tokens } from './http/paced.ts';
import { FetchFailure } from './http/port.ts';

/**
 * Grants up to so many tokens of a bucket that fills at a rate and holds one second's worth. The time is the
 * database's, so that processes whose clocks differ share it fairly.
 */
const GRANT = {
  name: 'crawl_tokens',
  text: `
    with now as materialized (select clock_timestamp() as t),
    bucket as (select tokens, at from crawl.buckets where platform = $1 for update),
    full_to as materialized (
      select least(greatest($2::float8, 1), tokens + $2 * greatest(0, extract(epoch from t - at))) as have
      from bucket, now
    )
    update crawl.buckets set tokens = have - least($3, floor(have)), at = t
    from full_to, now where platform = $1
    returning least($3, floor(have)) as granted`,
};

const CREATE = `insert into crawl.buckets (platform, tokens, at) values ($1, greatest($2::float8, 1), clock_timestamp())
                on conflict (platform) do nothing`;

/** A platform's tokens, fetched in blocks of a quarter of a second's, so that a fast crawl asks seldom. */
export const createTokens = (db: Queryable, ratePerS: number): Tokens => {
  const block = Math.max(1, Math.floor(ratePerS / 4));
  const local = new Map<Platform, number>();
  const asking = new Map<Platform, Promise<void>>();

  const ask = async (platform: Platform): Promise<void> => {
    const { rows } = await db.query<{ granted: number }>({ ...GRANT, values: [platform, ratePerS, block] });
    const granted = rows[0]?.granted;
    if (granted === undefined) await db.query(CREATE, [platform, ratePerS]);
    else if (granted > 0) local.set(platform, (local.get(platform) ?? 0) + granted);
    else await sleep(Math.min(1_000, Math.max(20, 1_000 / ratePerS)));
  };

  return {
    take: async (platform, signal) => {
      for (;;) {
        if (signal?.aborted === true)
          throw new FetchFailure('aborted', 'Given up while waiting for its turn');
        const have = local.get(platform) ?? 0;
        if (have > 0) {
          local.set(platform, have - 1);
          return;
        }
        let pending = asking.get(platform);
        if (pending === undefined) {
          pending = ask(platform).finally(() => asking.delete(platform));
          asking.set(platform, pending);
        }
        await pending;
      }
    },
  };
};
