import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { FetchError } from '../http/port.ts';
import type { Tokens } from '../http/rate-limited-http.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';

/**
 * Takes up to so many tokens from a bucket that refills at a rate and holds one second's worth; none while the
 * platform is paused. Uses the database's clock, so that processes with clock skew share it fairly.
 */
const GRANT = {
  name: 'crawl_tokens_or_pause',
  text: `
    with now as materialized (select clock_timestamp() as t),
    bucket as (select tokens, at, paused_until from crawl.buckets where platform = $1 for update),
    full_to as materialized (
      select least(greatest($2::float8, 1), tokens + $2 * greatest(0, extract(epoch from t - at))) as have,
             greatest(0, extract(epoch from coalesce(paused_until, t) - t)) * 1000 as paused_ms
      from bucket, now
    )
    update crawl.buckets
    set tokens = have - case when paused_ms > 0 then 0 else least($3, floor(have)) end, at = t
    from full_to, now where platform = $1
    returning case when paused_ms > 0 then 0 else least($3, floor(have)) end as granted,
              ceil(paused_ms)::float8 as paused_ms`,
};

const CREATE = `insert into crawl.buckets (platform, tokens, at) values ($1, greatest($2::float8, 1), clock_timestamp())
                on conflict (platform) do nothing`;

/** Pauses are only extended: the longest wait requested by any process holds. */
const PAUSE = `
  insert into crawl.buckets as b (platform, tokens, at, paused_until)
  values ($1, greatest($2::float8, 1), clock_timestamp(), clock_timestamp() + $3::float8 * interval '1 ms')
  on conflict (platform) do update set paused_until = greatest(b.paused_until, excluded.paused_until)`;

const PAUSED = {
  name: 'crawl_paused',
  text: `select ceil(greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000))::float8 as paused_ms
         from crawl.buckets where platform = $1`,
};

/** Maximum age of unused tokens, which must not be spent in one burst later. */
const FRESH_MS = 5_000;

/** Maximum age of the last check for a pause when cached tokens are used. */
const LOOK_MS = 250;

/** Granted, unused tokens of this process. */
interface LocalTokens {
  have: number;
  readonly untilMs: number;
  lookedMs: number;
}

/**
 * Token bucket per platform, shared by all processes. Tokens are fetched in blocks of a quarter second's worth, to
 * save queries.
 */
export const createTokenBucket = (db: Queryable, ratePerS: number): Tokens => {
  const block = Math.max(1, Math.floor(ratePerS / 4));
  const local = new Map<Platform, LocalTokens>();
  const asking = new Map<Platform, Promise<void>>();

  /** @param max tokens to take; 0 only checks for a pause. */
  const ask = async (platform: Platform, max: number): Promise<void> => {
    const { rows } = await db.query<{ granted: number; paused_ms: number }>({
      ...GRANT,
      values: [platform, ratePerS, max],
    });
    const [row] = rows;
    if (row === undefined) await db.query(CREATE, [platform, ratePerS]);
    else if (row.paused_ms > 0) {
      local.delete(platform);
      throw new FetchError('paused', `Requests to ${platform} are paused`, { retryAfterMs: row.paused_ms });
    } else if (row.granted > 0) {
      const now = performance.now();
      const have = (local.get(platform)?.have ?? 0) + row.granted;
      local.set(platform, { have, untilMs: now + FRESH_MS, lookedMs: now });
    } else if (max === 0) {
      const kept = local.get(platform);
      if (kept !== undefined) kept.lookedMs = performance.now();
    } else await sleep(Math.min(1_000, Math.max(20, 1_000 / ratePerS)));
  };

  return {
    take: async (platform, signal) => {
      for (;;) {
        if (signal?.aborted === true) throw new FetchError('aborted', 'Aborted while waiting for a token');
        const now = performance.now();
        if ((local.get(platform)?.untilMs ?? now) < now) local.delete(platform);
        const kept = local.get(platform);
        const holds = kept !== undefined && kept.have > 0;
        if (holds && now - kept.lookedMs < LOOK_MS) {
          kept.have -= 1;
          return;
        }
        let pending = asking.get(platform);
        if (pending === undefined) {
          pending = ask(platform, holds ? 0 : block).finally(() => asking.delete(platform));
          asking.set(platform, pending);
        }
        await pending;
      }
    },
    pause: async (platform, ms) => {
      // Cached tokens were granted before the pause.
      local.delete(platform);
      await db.query(PAUSE, [platform, ratePerS, Math.min(MAX_WAIT_MS, Math.max(0, ms))]);
    },
    pausedMs: async (platform) => {
      const { rows } = await db.query<{ paused_ms: number | null }>({ ...PAUSED, values: [platform] });
      return rows[0]?.paused_ms ?? 0;
    },
  };
};
