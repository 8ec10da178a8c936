import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { type Credentials, type Keyring, loadSessions, openCredentials } from '../../write/secrets.ts';
import { FetchError, type HttpRequest, type Page } from '../http/port.ts';
import type { FetchOptions, RateLimitedHttp, TrafficClass } from '../http/rate-limited-http.ts';
import { retryAfterMs } from '../http/retry.ts';
import type { PlatformAdapter } from '../platforms/adapter.ts';
import { createSessionLimits, type StatedLimit } from './limits.ts';

/** A session that may send one request of an operation. */
export interface GrantedSession {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the proxy that it is bound to. */
  readonly proxy: string | null;
  /** Notes what the answer says of the session and its limits. @returns whether the platform accepts the session. */
  answered(page: Page): Promise<boolean>;
  /** Gives the request back, since it was not sent. */
  unsent(): Promise<void>;
  /** Lets the session rest for the operation, since its proxy can't be used. */
  unreachable(ms: number | null): Promise<void>;
}

/** The sessions of an operator, limited by session and operation over all processes. */
export interface SessionPool {
  /**
   * @param trafficClass the crawl leaves live reads a share of each window, and may use up the rest towards its end.
   * @param id the session that should send the request; another one may if it no longer exists.
   * @param holder holder of the live read, who can't take all of a window; null for the crawl.
   */
  grant(
    platform: Platform,
    operation: string,
    trafficClass: TrafficClass,
    id?: string | null,
    holder?: string | null,
  ): Promise<GrantedSession | Refusal>;
}

/** A session that is configured outside of the database. */
export interface EnvironmentSession {
  readonly platform: Platform;
  readonly credentials: Credentials;
}

/** The limit of an operation that an answer's headers state. */
export const statedLimitOf = ({ headers }: Pick<Page, 'headers'>, nowMs: number): StatedLimit => {
  const resetS = wholeNumber(headers['x-rate-limit-reset']);
  return {
    capacity: wholeNumber(headers['x-rate-limit-limit']),
    remaining: wholeNumber(headers['x-rate-limit-remaining']),
    resetsInMs: resetS === null ? null : resetS * 1_000 - nowMs,
  };
};

export const createSessionPool = (options: SessionPoolOptions): SessionPool => new Sessions(options);

/** Recordings are played back without credentials. */
export const replaySessions: SessionPool = { grant: async () => EMPTY };

/** Sends requests that need a session with one of the pool. Adapters never see credentials. */
export const withSessions = (http: RateLimitedHttp, sessions: SessionPool): RateLimitedHttp => {
  const granted = async ({ platform, session }: SessionRequest, options: FetchOptions) => {
    const { trafficClass = 'crawl', holder = null } = options;
    const grant = await sessions.grant(platform, session.operation, trafficClass, session.id, holder);
    if (!('refused' in grant)) return grant;
    if (grant.refused === 'not_configured')
      throw new FetchError('no_session', `No session of ${platform} is configured for ${session.operation}`);
    if (grant.refused === 'unusable')
      throw new FetchError('session_unusable', `No session of ${platform} can be used: ${grant.why}`);
    throw new FetchError(
      'session_limited',
      `All sessions of ${platform} have used up their requests of ${session.operation}, or rest`,
      { retryAfterMs: grant.waitMs },
    );
  };

  /** Sends a request with a session. @returns the answer, or why another session may succeed. */
  const attempt = async (
    session: GrantedSession,
    request: SessionRequest,
    options: FetchOptions,
  ): Promise<Page | FetchError> => {
    let isSent = false;
    const onRequest = () => {
      isSent = true;
      options.onRequest?.();
    };
    const headers = { ...request.headers, ...session.headers };
    const proxy = session.proxy === null ? {} : { proxy: session.proxy };
    try {
      const page = await http.fetch({ ...request, headers, ...proxy }, { ...options, onRequest });
      if (await session.answered(page)) return { ...page, session: session.id };
      return new FetchError(
        'session_unusable',
        `${request.platform} rejected the session with HTTP ${page.status}`,
      );
    } catch (error) {
      const isUnreachable = error instanceof FetchError && error.reason === 'proxy_failed';
      if (!isSent || isUnreachable) await session.unsent();
      if (!isUnreachable || session.proxy === null) throw error;
      // Another session may have another proxy, or none.
      await session.unreachable(error.retryAfterMs);
      return error;
    }
  };

  const fetchAs = async (request: SessionRequest, options: FetchOptions): Promise<Page> => {
    let rejection: FetchError | null = null;
    for (let tries = 1; ; tries++) {
      const session = await granted(request, options).catch((error: unknown) => {
        throw rejection ?? error;
      });
      const answer = await attempt(session, request, options);
      if (!(answer instanceof FetchError)) return answer;
      if (tries >= TRIES) throw answer;
      if (answer.reason === 'session_unusable') rejection = answer;
    }
  };

  return {
    ...http,
    fetch: (request, options = {}) =>
      request.session === undefined
        ? http.fetch(request, options)
        : fetchAs({ ...request, session: request.session }, options),
  };
};

/** Why no session may send a request. */
type Refusal =
  | { readonly refused: 'not_configured' }
  /** There are some, but none that the platform accepts, or that can be opened. */
  | { readonly refused: 'unusable'; readonly why: string }
  /** All of them rest. */
  | { readonly refused: 'limited'; readonly waitMs: number };

interface Session {
  readonly id: string;
  readonly proxy: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

interface Loaded {
  readonly sessions: readonly Session[];
  /** Sessions that no configured key opens. */
  readonly sealed: number;
}

const SEALED = 'no key of SESSIONS_KEY in this process opens them';
const RETIRED = 'all that can be opened are retired';

/** How long the list of sessions is cached: an added or removed one is noticed within this time. */
const KEPT_MS = 1_000;

/** How long to wait for the first answers of an operation, which state its limit. */
const PATIENCE_MS = 2_000;

/** Rest of a session whose proxy fails without saying until when. */
const UNREACHABLE_MS = 60_000;

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null;

/** ID of a session of the environment, which does not reveal its credentials. Other credentials have another ID. */
const digestOf = (credentials: Credentials): string =>
  `env_${createHash('sha256')
    .update(JSON.stringify(Object.entries(credentials).sort()))
    .digest('hex')
    .slice(0, 16)}`;

interface SessionPoolOptions {
  readonly db: Queryable;
  /** Null if no key is configured: stored sessions can't be opened then. */
  readonly keyring: Keyring | null;
  readonly adapterOf: (platform: Platform) => PlatformAdapter;
  readonly environment?: readonly EnvironmentSession[];
  /** Share of each window that the crawl leaves to live reads; none by default. */
  readonly liveShare?: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The sessions of a platform, read again every so often. */
class LoadedSessions {
  readonly #options: SessionPoolOptions;
  readonly #kept = new Map<Platform, { readonly untilMs: number; readonly found: Promise<Loaded> }>();
  readonly #warned = new Set<string>();

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  of(platform: Platform): Promise<Loaded> {
    const known = this.#kept.get(platform);
    if (known !== undefined && known.untilMs > steadyMs()) return known.found;
    const found = this.#load(platform);
    this.#kept.set(platform, { untilMs: steadyMs() + KEPT_MS, found });
    found.catch(() => this.#kept.delete(platform));
    return found;
  }

  async #load(platform: Platform): Promise<Loaded> {
    const { db, adapterOf, environment = [] } = this.#options;
    const grammar = adapterOf(platform).sessions;
    if (grammar === undefined) return { sessions: [], sealed: 0 };
    const stored = await loadSessions(db, platform);
    const opened = stored.flatMap((one): Session[] => {
      const credentials = this.#open(one);
      return credentials === null
        ? []
        : [{ id: one.id, proxy: one.proxy, headers: grammar.headersOf(credentials) }];
    });
    const given = environment.flatMap((one) =>
      one.platform === platform
        ? [{ id: digestOf(one.credentials), proxy: null, headers: grammar.headersOf(one.credentials) }]
        : [],
    );
    return { sessions: [...given, ...opened], sealed: stored.length - opened.length };
  }

  /** The credentials of a stored session; null, with a warning for each session, if no key opens them. */
  #open(stored: Parameters<typeof openCredentials>[1]): Credentials | null {
    const { keyring, logger } = this.#options;
    const credentials = keyring === null ? null : openCredentials(keyring, stored);
    if (credentials === null && !this.#warned.has(stored.id)) {
      this.#warned.add(stored.id);
      logger.warn({ session: stored.id }, 'session not used: no key in SESSIONS_KEY can decrypt it');
    }
    return credentials;
  }
}

/**
 * The sessions of the database and of the environment. A session that is rejected rests, and is retired if it is
 * rejected again; one that is limited rests for that operation.
 */
class Sessions implements SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #limits: ReturnType<typeof createSessionLimits>;
  readonly #loaded: LoadedSessions;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#limits = createSessionLimits(options.db);
    this.#loaded = new LoadedSessions(options);
  }

  readonly grant: SessionPool['grant'] = async (
    platform,
    operation,
    trafficClass,
    id = null,
    holder = null,
  ) => {
    const left = trafficClass === 'crawl' ? (this.#options.liveShare ?? 0) : 0;
    const deadline = steadyMs() + PATIENCE_MS;
    for (;;) {
      const { sessions: all, sealed } = await this.#loaded.of(platform);
      if (all.length === 0) {
        return sealed === 0 ? { refused: 'not_configured' } : { refused: 'unusable', why: SEALED };
      }
      const waits = await this.#waits(all, id, operation, left, holder);
      if (waits.length === 0) return { refused: 'unusable', why: RETIRED };
      for (const { session: name } of waits.filter(({ waitMs }) => waitMs <= 0)) {
        const session = all.find((one) => one.id === name);
        if (session !== undefined && (await this.#limits.grant(name, operation, left, holder))) {
          return this.#granted(platform, operation, session, holder);
        }
      }
      // One that was free a moment ago may be waiting for its first answers by now.
      const mayWait = waits.some(({ isPending, waitMs }) => isPending || waitMs <= 0);
      if (!mayWait || steadyMs() >= deadline) {
        const waitMs = Math.max(1_000, Math.min(...waits.map((wait) => wait.waitMs)));
        return { refused: 'limited', waitMs };
      }
      await sleep(50);
    }
  };

  /** How long sessions have to wait: the named one, or all if it is unknown or retired. */
  async #waits(
    all: readonly Session[],
    id: string | null,
    operation: string,
    left: number,
    holder: string | null,
  ) {
    const waitsOf = (sessions: readonly Session[]) =>
      this.#limits.waits(
        sessions.map((session) => session.id),
        operation,
        left,
        holder,
      );
    const own = all.filter((session) => session.id === id);
    const waits = own.length === 0 ? [] : await waitsOf(own);
    return waits.length > 0 ? waits : waitsOf(all);
  }

  #granted(platform: Platform, operation: string, session: Session, holder: string | null): GrantedSession {
    const { logger } = this.#options;
    const warn = (error: unknown): void =>
      logger.warn({ err: errorMessage(error) }, 'the limits of a session could not be stored');
    return {
      ...session,
      // A failure here must not lose the platform's answer.
      answered: async (page) => {
        await this.#note(platform, session.id, operation, page).catch(warn);
        return !this.#isRejected(platform, page);
      },
      unsent: () => this.#limits.unsent(session.id, operation, holder).catch(warn),
      unreachable: (ms) => this.#limits.rest(session.id, operation, ms ?? UNREACHABLE_MS).catch(warn),
    };
  }

  #isRejected(platform: Platform, page: Page): boolean {
    return this.#options.adapterOf(platform).sessions?.isRejected(page) === true;
  }

  /** Stores what an answer reveals about a session. */
  async #note(platform: Platform, id: string, operation: string, page: Page): Promise<void> {
    const { logger, clock } = this.#options;
    if (this.#isRejected(platform, page)) {
      const isRetired = await this.#limits.rejected(id, `HTTP ${page.status}`);
      logger.warn(
        { session: id, platform, status: page.status },
        isRetired
          ? 'the platform rejected the session again; it is retired'
          : 'the platform rejected the session; it is paused',
      );
      return;
    }
    const nowMs = clock.now();
    const stated = statedLimitOf(page, nowMs);
    if (page.status === 429) {
      const resetMs = stated.resetsInMs !== null && stated.resetsInMs > 0 ? stated.resetsInMs : null;
      await this.#limits.rest(id, operation, resetMs ?? retryAfterMs(page.headers['retry-after'], nowMs));
      return;
    }
    await this.#limits.stated(id, operation, stated);
    if (page.status === 200) await this.#limits.accepted(id);
  }
}

const EMPTY: GrantedSession = {
  id: 'replay',
  headers: {},
  proxy: null,
  answered: async () => true,
  unsent: async () => undefined,
  unreachable: async () => undefined,
};

/** Sessions that are tried for a request while they are rejected, or their proxies fail. */
const TRIES = 3;

type SessionRequest = HttpRequest & { readonly session: NonNullable<HttpRequest['session']> };
