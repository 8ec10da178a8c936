import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Counter } from 'prom-client';
import { startChromium } from '../crawlers/browser/chromium.ts';
import { createRenderer } from '../crawlers/browser/renderer.ts';
import { createRenderingHttp } from '../crawlers/browser/rendering-http.ts';
import { createTokenBucket } from '../crawlers/engine/token-bucket.ts';
import { createHttpClient } from '../crawlers/http/http-client.ts';
import type { Transport } from '../crawlers/http/port.ts';
import { createRateLimitedHttp, type RateLimitedHttp } from '../crawlers/http/rate-limited-http.ts';
import { createRecordHttp, createReplayHttp } from '../crawlers/http/recording.ts';
import { createRegistry, type Registry } from '../crawlers/platforms/registry.ts';
import { X_OPERATIONS } from '../crawlers/platforms/x/graphql.ts';
import { createProxiedHttp, createProxyStates } from '../crawlers/proxies/proxied-http.ts';
import { loadProxies } from '../crawlers/proxies/proxies-file.ts';
import {
  createSessionPool,
  type EnvironmentSession,
  replaySessions,
  withSessions,
} from '../crawlers/sessions/session-pool.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Config, DEFAULT_CONTACT, userAgentOf } from '../kernel/config.ts';
import { OperatorError } from '../kernel/errors.ts';
import { PLATFORMS } from '../kernel/platform.ts';
import { systemRandom } from '../kernel/random.ts';
import { createHandleLifts, type Lifting } from '../write/erasure/lift-handles.ts';
import { createKeyring, type Keyring } from '../write/secrets.ts';
import type { Runtime } from './open-runtime.ts';

/** A runtime's settings, and what it knows of erasures. */
export interface RegistryParts extends Lifting {
  readonly config: Config;
}

/**
 * The platform adapters, as configured, without what was erased.
 * @throws {OperatorError} `setting_invalid` for an operation that no adapter has.
 * Decision: `docs/adr/0014-http-of-crawlers.md`.
 */
export const openRegistry = ({ config, log, fence }: RegistryParts): Registry => {
  const { X_OPERATIONS: xOperations = {} } = config;
  const unknown = Object.keys(xOperations).find((name) => !X_OPERATIONS.some((known) => known === name));
  if (unknown !== undefined) {
    throw new OperatorError(
      'setting_invalid',
      `X_OPERATIONS names ${unknown}; allowed: ${X_OPERATIONS.join(', ')}`,
    );
  }
  const rendered = config.BROWSER_EXECUTABLE === undefined ? [] : (config.BROWSER_PLATFORMS ?? PLATFORMS);
  const erasures = { fence, lift: createHandleLifts({ log, fence }) };
  return createRegistry({ xOperations, rendered, erasures });
};

/** Whether real platforms are crawled without a contact in the user agent. */
export const isNamelessCrawler = (config: Config): boolean =>
  config.CRAWL_MODE !== 'replay' &&
  config.SIMULATOR_URL === undefined &&
  config.CRAWLER_CONTACT === DEFAULT_CONTACT;

/** The keyring that opens stored sessions; null if none is configured. */
export const keyringOf = ({ SESSIONS_KEY }: Pick<Config, 'SESSIONS_KEY'>): Keyring | null =>
  SESSIONS_KEY === undefined ? null : createKeyring(SESSIONS_KEY);

/**
 * HTTP to platforms, for crawling and live reads: with a rate limit, sessions and proxies that all processes share.
 * @throws {OperatorError} `proxies_invalid`, `setting_invalid`
 */
export const openHttp = async (
  runtime: HttpRuntime,
  registry: Registry,
  browser?: BrowserOptions,
): Promise<RateLimitedHttp> => {
  const { config, asyncCommitDb, logger } = runtime;
  const limited = createRateLimitedHttp(
    // Above recordings, so that requests of rendered pages are recorded and played back as well.
    await withPageRendering(await openTransport(runtime, registry), runtime, registry, browser),
    createTokenBucket(asyncCommitDb, { perS: config.CRAWL_RATE_PER_S, liveShare: config.LIVE_SHARE }),
    config.CRAWL_CONCURRENCY,
  );
  const sessions =
    config.CRAWL_MODE === 'replay'
      ? replaySessions
      : createSessionPool({
          db: asyncCommitDb,
          keyring: keyringOf(config),
          adapterOf: registry.adapterOf,
          environment: environmentSessions(config),
          liveShare: config.LIVE_SHARE,
          logger,
          clock: systemClock,
        });
  return withSessions(limited, sessions);
};

export interface BrowserOptions {
  /** True by default; tests that run as root have no sandbox. */
  readonly sandbox?: boolean;
}

/**
 * HTTP that renders pages with the configured browser; unchanged if none is configured.
 * @throws {OperatorError} `setting_invalid` if there is no such program, or the user is root.
 */
export const withPageRendering = async (
  http: Transport,
  { config, logger, metrics }: Pick<Runtime, 'config' | 'logger' | 'metrics'>,
  registry: Registry,
  { sandbox = true }: BrowserOptions = {},
): Promise<Transport> => {
  if (config.BROWSER_EXECUTABLE === undefined) return http;
  const executable = await checkedExecutable(config.BROWSER_EXECUTABLE, sandbox);
  const userAgent = userAgentOf(config);
  const pages = new Counter({
    name: 'sightline_browser_pages_total',
    help: 'Pages rendered by the browsers of this process, by platform and outcome.',
    labelNames: ['platform', 'outcome'],
    registers: [metrics],
  });
  return createRenderingHttp({
    http,
    renderer: createRenderer({
      start: () => startChromium({ executable, userAgent, sandbox }),
      concurrency: config.BROWSER_PAGES,
      logger,
    }),
    hostsOf: registry.hostsOf,
    onPage: (platform, outcome) => pages.inc({ platform, outcome }),
  });
};

/** HTTP for crawlers: live, recording or playback. */
const openTransport = async (runtime: HttpRuntime, registry: Registry): Promise<Transport> => {
  const { config, asyncCommitDb, logger } = runtime;
  if (config.CRAWL_MODE === 'replay') return createReplayHttp({ dir: config.RECORDINGS_DIR });
  const simulatorUrl = config.SIMULATOR_URL ?? null;
  // A simulator is reached directly.
  const proxies = simulatorUrl === null ? await loadProxies(config.PROXIES_FILE) : [];
  const client = createHttpClient({
    hostsOf: registry.hostsOf,
    userAgent: userAgentOf(config),
    simulatorUrl,
    proxies,
    clock: systemClock,
    random: systemRandom,
  });
  const http =
    proxies.length === 0
      ? client
      : createProxiedHttp({ http: client, proxies, states: createProxyStates(asyncCommitDb), logger });
  return config.CRAWL_MODE === 'record'
    ? createRecordHttp({ http, dir: config.RECORDINGS_DIR, clock: systemClock })
    : http;
};

/** The session of the environment, if it has one. */
const environmentSessions = ({ X_BEARER_TOKEN, X_GUEST_TOKEN }: Config): readonly EnvironmentSession[] =>
  X_BEARER_TOKEN === undefined || X_GUEST_TOKEN === undefined
    ? []
    : [{ platform: 'x', credentials: { bearer_token: X_BEARER_TOKEN, guest_token: X_GUEST_TOKEN } }];

type HttpRuntime = Pick<Runtime, 'config' | 'asyncCommitDb' | 'logger' | 'metrics'>;

/** @throws {OperatorError} `setting_invalid` */
const checkedExecutable = async (executable: string, sandbox: boolean): Promise<string> => {
  try {
    await access(executable, constants.X_OK);
  } catch (error) {
    throw new OperatorError('setting_invalid', `BROWSER_EXECUTABLE names no program: ${executable}`, {
      cause: error,
    });
  }
  if (sandbox && process.getuid?.() === 0) {
    throw new OperatorError(
      'setting_invalid',
      'BROWSER_EXECUTABLE is set, but the sandbox of Chromium does not work for root. Start Sightline as another user.',
    );
  }
  return executable;
};
