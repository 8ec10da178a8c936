import { createProxyStates } from '../crawlers/proxies/proxied-http.ts';
import { loadProxies } from '../crawlers/proxies/proxies-file.ts';
import { isoOf, systemClock } from '../kernel/clock.ts';
import type { Platform } from '../kernel/platform.ts';
import type { OperationsContext } from './context.ts';

/** The state of a proxy on one of its platforms. */
export interface ProxyListed {
  readonly name: string;
  /** Without credentials. */
  readonly url: string;
  readonly platform: Platform;
  readonly status: 'usable' | 'resting';
  /** Failures and blocks since it last worked. */
  readonly failures: number;
  readonly reason: string | null;
  readonly resting_until: string | null;
}

/**
 * The proxies of PROXIES_FILE, a row for each of their platforms.
 * @throws {OperatorError} `proxies_invalid`
 */
export const listProxies = async ({
  config,
  db,
}: Pick<OperationsContext, 'config' | 'db'>): Promise<readonly ProxyListed[]> => {
  const proxies = await loadProxies(config.PROXIES_FILE);
  const states = createProxyStates(db);
  const platforms = [...new Set(proxies.flatMap((proxy) => proxy.platforms))];
  const found = new Map(
    await Promise.all(platforms.map(async (platform) => [platform, await states.find(platform)] as const)),
  );
  const nowMs = systemClock.now();
  return proxies.flatMap(({ name, url, platforms: of }) =>
    of.map((platform): ProxyListed => {
      const state = found.get(platform)?.find(({ proxy }) => proxy === name);
      const restMs = state?.restMs ?? 0;
      return {
        name,
        url,
        platform,
        status: restMs > 0 ? 'resting' : 'usable',
        failures: state?.failures ?? 0,
        reason: state?.reason ?? null,
        resting_until: restMs > 0 ? isoOf(nowMs + restMs) : null,
      };
    }),
  );
};
