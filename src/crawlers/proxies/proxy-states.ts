import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../../kernel/postgres/statement.ts';

const FIRST_REST_S = 60;
const MAX_REST_S = 3_600;

const resting = (platform: Platform): Statement => sql.named('crawl_proxy_rests')`
  select proxy, failures, reason,
    ceil(extract(epoch from greatest(interval '0', resting_until - clock_timestamp())) * 1000)::float8 as rest_ms
  from crawl.proxy_states where platform = ${platform}`;

/** The rest doubles with each failure in a row. One of a request from before the rest does not count again. */
const failing = (platform: Platform, proxy: string, reason: string): Statement => sql`
  insert into crawl.proxy_states as p (platform, proxy, failures, resting_until, reason)
  values (${platform}, ${proxy}, 1, clock_timestamp() + interval '${raw(FIRST_REST_S)} s', ${reason})
  on conflict (platform, proxy) do update set
    failures = p.failures + 1, reason = excluded.reason,
    resting_until = clock_timestamp()
      + least(${raw(MAX_REST_S)}, ${raw(FIRST_REST_S)} * 2 ^ least(p.failures, 10)) * interval '1 s'
  where coalesce(p.resting_until <= clock_timestamp(), true)`;

/** An answer to a request from before the rest does not end it. */
const working = (platform: Platform, proxy: string): Statement => sql`
  delete from crawl.proxy_states
  where platform = ${platform} and proxy = ${proxy} and coalesce(resting_until <= clock_timestamp(), true)`;

/** How a proxy does with a platform. */
export interface ProxyState {
  readonly proxy: string;
  readonly failures: number;
  readonly reason: string | null;
  /** Milliseconds until it is used again; 0 if it does not rest. */
  readonly restMs: number;
}

/** What became of proxies, in Postgres: all processes see the same. */
export const createProxyStates = (db: Queryable) => ({
  /** Those that failed or were blocked; the others have no state. */
  find: async (platform: Platform): Promise<readonly ProxyState[]> => {
    const { rows } = await db.query<{
      proxy: string;
      failures: number;
      reason: string | null;
      rest_ms: number | null;
    }>(resting(platform));
    return rows.map(({ rest_ms, ...row }) => ({ ...row, restMs: rest_ms ?? 0 }));
  },
  failed: async (platform: Platform, proxy: string, reason: string): Promise<void> => {
    await db.query(failing(platform, proxy, reason.slice(0, 300)));
  },
  worked: async (platform: Platform, proxy: string): Promise<void> => {
    await db.query(working(platform, proxy));
  },
});

export type ProxyStates = ReturnType<typeof createProxyStates>;
