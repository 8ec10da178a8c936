import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../../kernel/postgres/statement.ts';
import {
  FetchError,
  type HttpRequest,
  type Page,
  type ProxyServer,
  type Transport,
  type TransportOptions,
} from '../http/port.ts';

/**
 * Sends the requests of platforms that have proxies through these, in turn. One that fails or is blocked rests, for
 * longer each time. Requests of platforms without proxies are sent directly.
 */
export const createProxiedHttp = (options: {
  readonly http: Transport;
  readonly proxies: readonly ProxyServer[];
  readonly states: ProxyStates;
  readonly logger: Logger;
}): Transport => {
  const { http, proxies, states, logger } = options;
  const kept = new Map<
    Platform,
    { readonly untilMs: number; readonly found: Promise<readonly ProxyState[]> }
  >();
  const turns = new Map<Platform, number>();
  /** Refusals (403) in a row, by platform and proxy. */
  const refusals = new Map<string, number>();

  const statesOf = (platform: Platform): Promise<readonly ProxyState[]> => {
    const known = kept.get(platform);
    if (known !== undefined && known.untilMs > performance.now()) return known.found;
    const found = states.find(platform);
    kept.set(platform, { untilMs: performance.now() + KEPT_MS, found });
    found.catch(() => kept.delete(platform));
    return found;
  };

  const fail = async (platform: Platform, proxy: string, reason: string): Promise<void> => {
    logger.warn({ platform, proxy, reason }, 'proxy paused after failures');
    await states.failed(platform, proxy, reason);
    kept.delete(platform);
  };

  /** The next proxy of a platform that does not rest. */
  const choose = async ({ platform, proxy }: HttpRequest, tried: ReadonlySet<string>): Promise<string> => {
    const own = proxies.filter((one) =>
      proxy === undefined ? one.platforms.includes(platform) : one.name === proxy,
    );
    const resting = new Map((await statesOf(platform)).map((state) => [state.proxy, state.restMs]));
    const turn = turns.get(platform) ?? 0;
    const usable = own.filter(({ name }) => (resting.get(name) ?? 0) === 0 && !tried.has(name));
    const chosen = usable[turn % Math.max(1, usable.length)];
    if (chosen === undefined) {
      const waits = own.flatMap(({ name }) => resting.get(name) ?? []).filter((ms) => ms > 0);
      throw new FetchError(
        'proxy_failed',
        proxy === undefined
          ? `All proxies of ${platform} rest or fail`
          : `The proxy ${proxy} rests or is unknown`,
        waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) },
      );
    }
    turns.set(platform, turn + 1);
    return chosen.name;
  };

  /** Notes what an answer says of the proxy that it came through. */
  const judge = async ({ platform, session }: HttpRequest, proxy: string, page: Page): Promise<void> => {
    const key = `${platform} ${proxy}`;
    // The answer to a session's request is about the session.
    const isOfSession = session !== undefined;
    const refused = page.status === 403 && !isOfSession ? (refusals.get(key) ?? 0) + 1 : 0;
    const isBlocked = refused >= REFUSALS || (isBlock(page) && !isOfSession);
    refusals.set(key, refused >= REFUSALS ? 0 : refused);
    if (isBlocked) await fail(platform, proxy, `HTTP ${page.status}`);
    else if (refused === 0 && (await statesOf(platform)).some((state) => state.proxy === proxy)) {
      await states.worked(platform, proxy);
      kept.delete(platform);
    }
  };

  const fetchThrough = async (request: HttpRequest, given: TransportOptions | undefined): Promise<Page> => {
    const tried = new Set<string>();
    for (;;) {
      const proxy = await choose(request, tried);
      tried.add(proxy);
      try {
        const page = await http.fetch({ ...request, proxy }, given);
        await judge(request, proxy, page);
        return page;
      } catch (error) {
        if (!(error instanceof FetchError) || error.reason !== 'proxy_failed') throw error;
        await fail(request.platform, proxy, error.message);
        if (request.proxy !== undefined || tried.size >= TRIES) throw error;
      }
    }
  };

  return {
    fetch: (request, given) =>
      request.proxy !== undefined || proxies.some(({ platforms }) => platforms.includes(request.platform))
        ? fetchThrough(request, given)
        : http.fetch(request, given),
    close: () => http.close(),
  };
};

/** States of proxies in Postgres, shared by all processes. */
export const createProxyStates = (db: Queryable) => ({
  /** The proxies of a platform that failed or were blocked; the others have no state. */
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

/** How long states are cached: a rest that another process began is noticed within this time. */
const KEPT_MS = 1_000;
/** Maximum proxies tried for one request. */
const TRIES = 3;

/** Statuses with which platforms block an address. */
const BLOCKED: ReadonlySet<number> = new Set([429, 999]);

/** Consecutive refusals that count as a block; a single one may be about the requested account. */
const REFUSALS = 5;

/** Whether an answer blocks the address it was sent from. */
const isBlock = (page: Page): boolean =>
  BLOCKED.has(page.status) || /\/(?:login|authwall|checkpoint|sorry)\b/.test(page.headers.location ?? '');

const FIRST_REST_S = 60;
const MAX_REST_S = 3_600;

const resting = (platform: Platform): Statement => sql.named('crawl_proxy_rests')`
  select proxy, failures, reason,
    ceil(extract(epoch from greatest(interval '0', resting_until - clock_timestamp())) * 1000)::float8 as rest_ms
  from crawl.proxy_states where platform = ${platform}`;

/** The rest doubles with each consecutive failure. A failure of a request sent before the rest does not count again. */
const failing = (platform: Platform, proxy: string, reason: string): Statement => sql`
  insert into crawl.proxy_states as p (platform, proxy, failures, resting_until, reason)
  values (${platform}, ${proxy}, 1, clock_timestamp() + interval '${raw(FIRST_REST_S)} s', ${reason})
  on conflict (platform, proxy) do update set
    failures = p.failures + 1, reason = excluded.reason,
    resting_until = clock_timestamp()
      + least(${raw(MAX_REST_S)}, ${raw(FIRST_REST_S)} * 2 ^ least(p.failures, 10)) * interval '1 s'
  where coalesce(p.resting_until <= clock_timestamp(), true)`;

/** The answer to a request sent before the rest does not end the rest. */
const working = (platform: Platform, proxy: string): Statement => sql`
  delete from crawl.proxy_states
  where platform = ${platform} and proxy = ${proxy} and coalesce(resting_until <= clock_timestamp(), true)`;

/** The state of a proxy on a platform. */
interface ProxyState {
  readonly proxy: string;
  readonly failures: number;
  readonly reason: string | null;
  /** Milliseconds until it is used again; 0 if it does not rest. */
  readonly restMs: number;
}

type ProxyStates = ReturnType<typeof createProxyStates>;
