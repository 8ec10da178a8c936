import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import {
  FetchError,
  type HttpRequest,
  type Page,
  type Transport,
  type TransportOptions,
} from '../http/port.ts';
import type { ProxyServer } from '../http/proxies.ts';
import type { ProxyState, ProxyStates } from './proxy-states.ts';

/** How long states are kept: a rest that another process began is noticed within this time. */
const KEPT_MS = 1_000;
/** Proxies that are tried for a request whose proxy fails. */
const TRIES = 3;

/** Statuses with which platforms block an address. */
const BLOCKED: ReadonlySet<number> = new Set([429, 999]);

/** Refusals in a row that are a block; a single one may be about the account that was asked for. */
const REFUSALS = 5;

/** Whether an answer blocks the address it was sent from. */
const isBlock = (page: Page): boolean =>
  BLOCKED.has(page.status) || /\/(?:login|authwall|checkpoint|sorry)\b/.test(page.headers.location ?? '');

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
    logger.warn({ platform, proxy, reason }, 'the proxy rests');
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

  const fetchThrough = async (request: HttpRequest, given: TransportOptions | undefined): Promise<Page> => {
    const { platform } = request;
    const tried = new Set<string>();
    for (;;) {
      const proxy = await choose(request, tried);
      tried.add(proxy);
      try {
        const page = await http.fetch({ ...request, proxy }, given);
        const key = `${platform} ${proxy}`;
        // What a session is answered is about the session.
        const isOfSession = request.session !== undefined;
        const refused = page.status === 403 && !isOfSession ? (refusals.get(key) ?? 0) + 1 : 0;
        refusals.set(key, refused >= REFUSALS ? 0 : refused);
        if ((isBlock(page) && !isOfSession) || refused >= REFUSALS)
          await fail(platform, proxy, `HTTP ${page.status}`);
        else if (refused === 0 && (await statesOf(platform)).some((state) => state.proxy === proxy)) {
          await states.worked(platform, proxy);
          kept.delete(platform);
        }
        return page;
      } catch (error) {
        if (!(error instanceof FetchError) || error.reason !== 'proxy_failed') throw error;
        await fail(platform, proxy, error.message);
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
