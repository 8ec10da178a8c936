import { setTimeout as sleep } from 'node:timers/promises';
import { realMs } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type Statement, sql } from '../../kernel/postgres/statement.ts';
import { abortError, FetchError } from '../http/port.ts';
import type { Tokens, TrafficClass } from '../http/rate-limited-http.ts';
import { MAX_WAIT_MS } from '../http/retry.ts';

/**
 * Token bucket per platform, shared by all processes. Tokens are fetched in blocks of a quarter second's worth, to
 * save queries.
 */
export const createTokenBucket = (db: Queryable, { perS, liveShare }: SharedRate): Tokens => {
  /** The rate of each platform, as last read. */
  const rates = new Map<Platform, number>();
  const rateOf = (platform: Platform, trafficClass: TrafficClass): number =>
    (rates.get(platform) ?? perS) * (trafficClass === 'live' ? liveShare : 1);
  const local = new Map<Subject, LocalTokens>();
  const asking = new Map<Subject, Promise<void>>();

  const forget = (platform: Platform): void => {
    local.delete(`${platform} crawl`);
    local.delete(`${platform} live`);
  };

  /** @param max tokens to take; 0 only checks for a pause. @throws {FetchError} `paused` */
  const ask = async (platform: Platform, trafficClass: TrafficClass, max: number): Promise<void> => {
    const subject = `${platform} ${trafficClass}` as const;
    const { rows } = await db.query<{ granted: number; per_s: number; paused_ms: number }>(
      granting(platform, perS, max, liveShare, trafficClass === 'live'),
    );
    const [row] = rows;
    if (row !== undefined) rates.set(platform, row.per_s);
    if (row === undefined) await db.query(creating(platform, { perS, liveShare }));
    else if (row.paused_ms > 0) {
      forget(platform);
      throw new FetchError('paused', `Requests to ${platform} are paused`, { retryAfterMs: row.paused_ms });
    } else if (row.granted > 0) {
      const now = performance.now();
      const have = (local.get(subject)?.have ?? 0) + row.granted;
      local.set(subject, { have, untilMs: now + FRESH_MS, lookedMs: now });
    } else if (max === 0) {
      const kept = local.get(subject);
      if (kept !== undefined) kept.lookedMs = performance.now();
    } else await sleep(realMs(Math.min(1_000, Math.max(20, 500 / rateOf(platform, trafficClass)))));
  };

  return {
    take: async (platform, trafficClass, signal) => {
      const subject = `${platform} ${trafficClass}` as const;
      for (;;) {
        const block = Math.max(1, Math.floor(rateOf(platform, trafficClass) / 4));
        if (signal?.aborted === true) throw abortError(signal);
        const now = performance.now();
        if ((local.get(subject)?.untilMs ?? now) < now) local.delete(subject);
        const kept = local.get(subject);
        const holds = kept !== undefined && kept.have > 0;
        if (holds && now - kept.lookedMs < LOOK_MS) {
          kept.have -= 1;
          return;
        }
        let pending = asking.get(subject);
        if (pending === undefined) {
          pending = ask(platform, trafficClass, holds ? 0 : block).finally(() => asking.delete(subject));
          asking.set(subject, pending);
        }
        await pending;
      }
    },
    open: async (platform, ms, why) => {
      // Cached tokens were granted before the pause.
      forget(platform);
      await db.query(pausing(platform, perS, Math.min(MAX_WAIT_MS, Math.max(0, ms)), why));
    },
    openForMs: async (platform) => {
      const { rows } = await db.query<{ paused_ms: number | null }>(paused(platform));
      return rows[0]?.paused_ms ?? 0;
    },
  };
};

/** A share of a platform's rate that live reads have, and the rate of both. */
interface SharedRate {
  readonly perS: number;
  /** From 0 to 1. What live reads leave of it, the crawl uses. */
  readonly liveShare: number;
}

/**
 * Takes up to `max` tokens of a class from a bucket that refills at a rate and holds one second's worth; none while the
 * platform is paused. Live reads have a share of their own. Tokens beyond that share go to the crawl, which therefore has
 * the whole rate while live reads are idle, and never less than its own share. A rate set by an operator takes precedence.
 * Uses the database's clock, so that processes with clock skew share fairly.
 */
const granting = (
  platform: Platform,
  perS: number,
  max: number,
  liveShare: number,
  isLive: boolean,
): Statement => sql.named('crawl_tokens_by_class')`
  with now as materialized (select clock_timestamp() as t),
  bucket as (
    select tokens, live_tokens, at, paused_until,
      coalesce((select rate_per_s from crawl.engine_controls where engine = ${platform}), ${perS}::float8) as per_s
    from crawl.buckets where platform = ${platform} for update
  ),
  refilled as materialized (
    select tokens, per_s, greatest(0, extract(epoch from t - at)) as s,
      live_tokens + per_s * ${liveShare}::float8 * greatest(0, extract(epoch from t - at)) as live,
      greatest(per_s * ${liveShare}::float8, 1) as most_live,
      greatest(0, extract(epoch from coalesce(paused_until, t) - t)) * 1000 as paused_ms
    from bucket, now
  ),
  full_to as materialized (
    select least(live, most_live) as live,
      least(greatest(per_s * (1 - ${liveShare}::float8), 1),
        tokens + per_s * (1 - ${liveShare}::float8) * s + greatest(0, live - most_live)) as crawl,
      per_s, paused_ms
    from refilled
  ),
  granted as materialized (
    select *, case when paused_ms > 0 then 0 else least(${max}::float8,
      floor(case when ${isLive}::boolean then live else crawl end)) end as n
    from full_to
  )
  update crawl.buckets
  set tokens = crawl - case when ${isLive}::boolean then 0 else n end,
    live_tokens = live - case when ${isLive}::boolean then n else 0 end, at = t,
      per_s = granted.per_s
  from granted, now where platform = ${platform}
  returning n as granted, granted.per_s, ceil(paused_ms)::float8 as paused_ms`;

const creating = (platform: Platform, { perS, liveShare }: SharedRate): Statement => sql`
  insert into crawl.buckets (platform, tokens, live_tokens, at)
  values (${platform}, greatest(${perS}::float8 * (1 - ${liveShare}::float8), 1),
    greatest(${perS}::float8 * ${liveShare}::float8, 1), clock_timestamp())
  on conflict (platform) do nothing`;

/** A pause is only ever extended: the longest wait that any process requests holds. */
const pausing = (platform: Platform, perS: number, ms: number, why: string): Statement => sql`
  insert into crawl.buckets as b (platform, tokens, at, paused_until, paused_why)
  values (${platform}, greatest(${perS}::float8, 1), clock_timestamp(),
    clock_timestamp() + ${ms}::float8 * interval '1 ms', ${why})
  on conflict (platform) do update set paused_until = greatest(b.paused_until, excluded.paused_until),
    paused_why = case when b.paused_until > excluded.paused_until then b.paused_why else excluded.paused_why end`;

/** Ends the pause of a platform. @returns whether there was one. Crawlers follow within a second. */
export const endPause = async (db: Queryable, platform: Platform): Promise<boolean> => {
  const { rowCount } = await db.query(sql`
    update crawl.buckets set paused_until = null where platform = ${platform} and paused_until > clock_timestamp()`);
  return rowCount === 1;
};

const paused = (platform: Platform): Statement => sql.named('crawl_paused')`
  select ceil(greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000))::float8 as paused_ms
  from crawl.buckets where platform = ${platform}`;

/** Maximum age of unused tokens, so that they are not spent in one burst later. */
const FRESH_MS = 5_000;

/** Maximum age of the last check for a pause when cached tokens are used. */
const LOOK_MS = 250;

/** Granted, unused tokens of this process. */
interface LocalTokens {
  have: number;
  readonly untilMs: number;
  lookedMs: number;
}

type Subject = `${Platform} ${TrafficClass}`;
