import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Keyring } from '../../write/secrets/sealing.ts';
import { type Credentials, loadSessions, openCredentials } from '../../write/secrets/sessions.ts';
import type { Page } from '../http/port.ts';
import { retryAfterMs } from '../http/retry.ts';
import type { PlatformAdapter } from '../platforms/adapter.ts';
import { createSessionLimits, type StatedLimit } from './limits.ts';
import type { GrantedSession, SessionPool } from './pool.ts';

/** A session that is configured outside of the database. */
export interface EnvironmentSession {
  readonly platform: Platform;
  readonly credentials: Credentials;
}

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

/** How long the list of sessions is kept: one that is added or removed is noticed within this time. */
const KEPT_MS = 1_000;

/** How long the first answers of an operation are waited for, which state its limit. */
const PATIENCE_MS = 2_000;

/** Rest of a session whose proxy fails without saying until when. */
const UNREACHABLE_MS = 60_000;

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null;

/** What an answer's headers state of its operation. */
export const statedLimitOf = ({ headers }: Pick<Page, 'headers'>, nowMs: number): StatedLimit => {
  const resetS = wholeNumber(headers['x-rate-limit-reset']);
  return {
    capacity: wholeNumber(headers['x-rate-limit-limit']),
    remaining: wholeNumber(headers['x-rate-limit-remaining']),
    resetsInMs: resetS === null ? null : resetS * 1_000 - nowMs,
  };
};

/** Names a session of the environment without giving it away; other credentials are another session. */
const digestOf = (credentials: Credentials): string =>
  `env_${createHash('sha256')
    .update(JSON.stringify(Object.entries(credentials).sort()))
    .digest('hex')
    .slice(0, 16)}`;

/**
 * The sessions of the database and of the environment. A session that is rejected rests, and is retired if it is
 * rejected again; one that is limited rests for that operation.
 */
export const createSessionPool = (options: {
  readonly db: Queryable;
  /** Null if no key is configured: stored sessions can't be opened then. */
  readonly keyring: Keyring | null;
  readonly adapterOf: (platform: Platform) => PlatformAdapter;
  readonly environment?: readonly EnvironmentSession[];
  /** Share of each window that the crawl leaves to live reads; none by default. */
  readonly liveShare?: number;
  readonly logger: Logger;
  readonly clock: Clock;
}): SessionPool => {
  const { db, keyring, adapterOf, logger, clock, environment = [], liveShare = 0 } = options;
  const limits = createSessionLimits(db);
  const kept = new Map<Platform, { readonly untilMs: number; readonly found: Promise<Loaded> }>();
  const warned = new Set<string>();

  const warnOnce = (id: string, message: string): void => {
    if (!warned.has(id)) logger.warn({ session: id }, message);
    warned.add(id);
  };

  const warn = (error: unknown): void =>
    logger.warn({ err: errorMessage(error) }, 'the limits of a session could not be noted');

  const load = async (platform: Platform): Promise<Loaded> => {
    const grammar = adapterOf(platform).sessions;
    if (grammar === undefined) return { sessions: [], sealed: 0 };
    const stored = await loadSessions(db, platform);
    const opened = stored.flatMap((one): Session[] => {
      const credentials = keyring === null ? null : openCredentials(keyring, one);
      if (credentials === null) {
        warnOnce(one.id, 'the session is not used: no key of SESSIONS_KEY opens it');
        return [];
      }
      return [{ id: one.id, proxy: one.proxy, headers: grammar.headersOf(credentials) }];
    });
    const given = environment.flatMap((one) =>
      one.platform === platform
        ? [{ id: digestOf(one.credentials), proxy: null, headers: grammar.headersOf(one.credentials) }]
        : [],
    );
    return { sessions: [...given, ...opened], sealed: stored.length - opened.length };
  };

  const sessionsOf = (platform: Platform): Promise<Loaded> => {
    const known = kept.get(platform);
    if (known !== undefined && known.untilMs > performance.now()) return known.found;
    const found = load(platform);
    kept.set(platform, { untilMs: performance.now() + KEPT_MS, found });
    found.catch(() => kept.delete(platform));
    return found;
  };

  const isRejected = (platform: Platform, page: Page): boolean =>
    adapterOf(platform).sessions?.isRejected(page) === true;

  const answered = async (platform: Platform, id: string, operation: string, page: Page): Promise<void> => {
    if (isRejected(platform, page)) {
      const isRetired = await limits.rejected(id, `HTTP ${page.status}`);
      logger.warn(
        { session: id, platform, status: page.status },
        isRetired
          ? 'the platform rejects the session: it is retired'
          : 'the platform rejected the session: it rests',
      );
      return;
    }
    const nowMs = clock.now();
    const stated = statedLimitOf(page, nowMs);
    if (page.status === 429) {
      const resetMs = stated.resetsInMs !== null && stated.resetsInMs > 0 ? stated.resetsInMs : null;
      await limits.rest(id, operation, resetMs ?? retryAfterMs(page.headers['retry-after'], nowMs));
      return;
    }
    await limits.stated(id, operation, stated);
    if (page.status === 200) await limits.accepted(id);
  };

  const grantedOf = (platform: Platform, operation: string, session: Session): GrantedSession => ({
    ...session,
    // What the platform answered is not to be lost for it.
    answered: async (page) => {
      await answered(platform, session.id, operation, page).catch(warn);
      return !isRejected(platform, page);
    },
    unsent: () => limits.unsent(session.id, operation).catch(warn),
    unreachable: (ms) => limits.rest(session.id, operation, ms ?? UNREACHABLE_MS).catch(warn),
  });

  return {
    grant: async (platform, operation, trafficClass, id = null) => {
      const kept = trafficClass === 'crawl' ? liveShare : 0;
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const { sessions: all, sealed } = await sessionsOf(platform);
        if (all.length === 0)
          return sealed === 0 ? { refused: 'not_configured' } : { refused: 'unusable', why: SEALED };
        const own = all.filter((session) => session.id === id);
        const asked = own.length > 0 ? own : all;
        let waits = await limits.waits(
          asked.map((session) => session.id),
          operation,
          kept,
        );
        if (waits.length === 0 && own.length > 0) {
          // It is retired: another one has to do.
          waits = await limits.waits(
            all.map((session) => session.id),
            operation,
            kept,
          );
        }
        if (waits.length === 0) return { refused: 'unusable', why: RETIRED };
        for (const { session: name } of waits.filter(({ waitMs }) => waitMs <= 0)) {
          const session = all.find((one) => one.id === name);
          if (session !== undefined && (await limits.grant(name, operation, kept)))
            return grantedOf(platform, operation, session);
        }
        // One that was free a moment ago may be waiting for its first answers by now.
        const mayWait = waits.some(({ isPending, waitMs }) => isPending || waitMs <= 0);
        if (!mayWait || performance.now() >= deadline) {
          const waitMs = Math.max(1_000, Math.min(...waits.map((wait) => wait.waitMs)));
          return { refused: 'limited', waitMs };
        }
        await sleep(50);
      }
    },
  };
};

const EMPTY: GrantedSession = {
  id: 'replay',
  headers: {},
  proxy: null,
  answered: async () => true,
  unsent: async () => undefined,
  unreachable: async () => undefined,
};

/** Recordings are played back without credentials. */
export const replaySessions: SessionPool = { grant: async () => EMPTY };
