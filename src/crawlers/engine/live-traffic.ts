import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { RateLimitedHttp, Traffic } from '../http/rate-limited-http.ts';

/** Traffic of live reads: every process that serves the API counts it, and one engine reports it. */
export interface LiveTraffic {
  add(platform: Platform, traffic: Traffic): Promise<void>;
  /** What was added since the last call of any process. */
  take(platform: Platform): Promise<Traffic>;
}

export const createLiveTraffic = (db: Queryable): LiveTraffic => ({
  add: async (platform, { requests, bytes }) => {
    await db.query(sql`
      insert into crawl.live_traffic as t (platform, requests, bytes) values (${platform}, ${requests}, ${bytes})
      on conflict (platform) do update set requests = t.requests + excluded.requests, bytes = t.bytes + excluded.bytes`);
  },
  take: async (platform) => {
    const { rows } = await db.query<{ requests: string; bytes: string }>(
      sql`delete from crawl.live_traffic where platform = ${platform} returning requests, bytes`,
    );
    return { requests: Number(rows[0]?.requests ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
  },
});

/** Counts the live reads of this process for the engines' reports, periodically and when it stops. */
export const countLiveTraffic = (
  http: Pick<RateLimitedHttp, 'takeTraffic'>,
  traffic: LiveTraffic,
  logger: Logger,
): { stop(): Promise<void> } => {
  const count = async (): Promise<void> => {
    for (const platform of PLATFORMS) {
      const taken = http.takeTraffic(platform, 'live');
      if (taken.requests === 0) continue;
      await traffic.add(platform, taken).catch((error: unknown) => {
        logger.warn(
          { platform, ...taken, err: errorMessage(error) },
          'requests of live reads are missing from the report of the engine',
        );
      });
    }
  };
  let counting = Promise.resolve();
  const timer = setInterval(() => {
    counting = counting.then(count);
  }, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await counting;
      await count();
    },
  };
};

const EVERY_MS = 5_000;
