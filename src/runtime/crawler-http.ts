import { createSessionRests } from '../crawlers/engine/session-rests.ts';
import { createHttpClient } from '../crawlers/http/http-client.ts';
import type { Transport } from '../crawlers/http/port.ts';
import { createRecordHttp } from '../crawlers/http/record.ts';
import { createReplayHttp } from '../crawlers/http/replay.ts';
import type { Registry } from '../crawlers/platforms/registry.ts';
import { createRegistry } from '../crawlers/platforms/registry.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Config, DEFAULT_CONTACT } from '../kernel/config/settings.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { systemRandom } from '../kernel/random.ts';

const VERSION = '0.1.0';

/** The platform adapters, as configured. Limits of their sessions are shared by all processes. */
export const openRegistry = (config: Config, db: Queryable, logger: Logger): Registry =>
  createRegistry({
    x: { bearerToken: config.X_BEARER_TOKEN, guestToken: config.X_GUEST_TOKEN },
    sessionRests: createSessionRests(db, logger),
  });

/** Whether real platforms are crawled without a contact in the user agent. */
export const isNamelessCrawler = (config: Config): boolean =>
  config.CRAWL_MODE !== 'replay' &&
  config.SIMULATOR_URL === undefined &&
  config.CRAWLER_CONTACT === DEFAULT_CONTACT;

/** HTTP for crawlers: live, recording or playback. */
export const openHttp = (config: Config, registry: Registry): Transport => {
  if (config.CRAWL_MODE === 'replay') return createReplayHttp({ dir: config.RECORDINGS_DIR });
  const http = createHttpClient({
    hostsOf: registry.hostsOf,
    userAgent: `Sightline/${VERSION} (+${config.CRAWLER_CONTACT})`,
    simulatorUrl: config.SIMULATOR_URL ?? null,
    clock: systemClock,
    random: systemRandom,
  });
  return config.CRAWL_MODE === 'record'
    ? createRecordHttp({ http, dir: config.RECORDINGS_DIR, clock: systemClock })
    : http;
};
