import { z } from 'zod';
import { FetchError } from '../../crawlers/http/port.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import { retryAfterMs } from '../../crawlers/http/retry.ts';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { readStep } from '../../crawlers/platforms/shared/read-surfaces.ts';
import { loadProxies } from '../../crawlers/proxies/proxies-file.ts';
import { createSessionLimits } from '../../crawlers/sessions/limits.ts';
import {
  readSessionStates,
  reinstateSession,
  type SessionState,
} from '../../crawlers/sessions/session-report.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import {
  deleteSession,
  insertSession,
  type Keyring,
  loadSessions,
  openCredentials,
  recordAct,
  resealSessions,
  type StoredSession,
  sessionStream,
} from '../../write/secrets.ts';
import type { OperationsContext } from '../context.ts';

/** A session as operators see it; never its credentials. */
export interface SessionListed extends SessionState {
  readonly id: string;
  readonly platform: Platform;
  readonly label: string;
  readonly proxy: string | null;
  readonly created_at: string;
  /** `sealed`: no configured key opens it. */
  readonly status: 'active' | 'resting' | 'retired' | 'sealed';
}

/**
 * Stores a session, encrypted.
 * @param text its credentials: a JSON object, or lines of `name=value`.
 * @returns its ID.
 * @throws {OperatorError} `sessions_key_missing`, `sessions_unsupported`, `session_invalid`, `session_exists` or
 * `proxy_unknown`.
 */
export const addSession = async (
  { db, log, config }: Pick<OperationsContext, 'db' | 'log' | 'config'>,
  keyring: Keyring | null,
  registry: Registry,
  { platform, label, proxy, text }: { platform: Platform; label: string; proxy: string | null; text: string },
): Promise<string> => {
  const { credentials: schema } = grammarOf(registry, platform);
  if (!labelSchema.safeParse(label).success)
    throw new OperatorError('session_invalid', 'A label has up to 60 letters, digits and any of . _ -');
  if (proxy !== null && !(await loadProxies(config.PROXIES_FILE)).some(({ name }) => name === proxy)) {
    throw new OperatorError('proxy_unknown', `PROXIES_FILE has no proxy ${proxy}.`);
  }
  const parsed = schema.safeParse(credentialsIn(text));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(problemOf);
    throw new OperatorError(
      'session_invalid',
      `These are no credentials of ${platform}:\n${problems.join('\n')}`,
    );
  }
  const ring = required(keyring);
  const id = await inTransaction(db, async (client) => {
    const added = await insertSession(client, ring, { platform, label, proxy }, parsed.data);
    if (added !== null) {
      const act = { type: 'SessionAdded', data: { platform, label, proxy } } as const;
      await recordAct(log, sessionStream(added), act, systemClock.now());
    }
    return added;
  });
  if (id === null)
    throw new OperatorError('session_exists', `There is a session of ${platform} with the label ${label}.`);
  return id;
};

/** All sessions with their state. */
export const listSessions = async (
  { db }: Context,
  keyring: Keyring | null,
): Promise<readonly SessionListed[]> => {
  const stored = await loadSessions(db, null);
  const stateOf = await readSessionStates(
    db,
    stored.map(({ id }) => id),
  );
  return stored.map((session) => {
    const { id, platform, label, proxy, createdAt } = session;
    const state = stateOf(id);
    return {
      id,
      platform,
      label,
      proxy,
      created_at: createdAt,
      status: statusOf(session, state, keyring),
      ...state,
    };
  });
};

/**
 * A session by its ID, or by its label if that is unique.
 * @throws {OperatorError} `session_unknown`
 */
export const findSession = async ({ db }: Context, name: string): Promise<StoredSession> => {
  const stored = await loadSessions(db, null);
  const found = stored.filter(({ id, label }) => id === name || label === name);
  const [session] = found;
  if (session === undefined) throw new OperatorError('session_unknown', `There is no session ${name}.`);
  if (found.length > 1)
    throw new OperatorError('session_unknown', `Several sessions have the label ${name}: use the id.`);
  return session;
};

/** @throws {OperatorError} `session_unknown` */
export const removeSession = async (context: ActContext, name: string): Promise<StoredSession> => {
  const session = await findSession(context, name);
  await inTransaction(context.db, async (client) => {
    await deleteSession(client, session.id);
    const act = { type: 'SessionRemoved', data: {} } as const;
    await recordAct(context.log, sessionStream(session.id), act, systemClock.now());
  });
  return session;
};

/**
 * Encrypts all sessions with the first key of SESSIONS_KEY.
 * @returns how many were encrypted with another one.
 * @throws {OperatorError} `sessions_key_missing`; `session_sealed` if no key opens some: the others are done.
 */
export const rekeySessions = async ({ db, log }: ActContext, keyring: Keyring | null): Promise<number> => {
  const ring = required(keyring);
  const { resealed, unopened } = await inTransaction(db, async (client) => {
    const done = await resealSessions(client, ring);
    const act = { type: 'SessionResealed', data: { key_id: ring.keyId } } as const;
    for (const id of done.resealed) await recordAct(log, sessionStream(id), act, systemClock.now());
    return done;
  });
  if (unopened.length > 0) {
    throw new OperatorError(
      'session_sealed',
      `No key of SESSIONS_KEY opens ${unopened.join(', ')}; the other ${resealed.length} are encrypted with the new key. Append the key that encrypted them, or remove them.`,
    );
  }
  return resealed.length;
};

/** The result of a test request with a session. */
export interface SessionTest {
  /** `unknown`: the platform's answer says nothing of the session. */
  readonly verdict: 'accepted' | 'rejected' | 'limited' | 'unknown';
  readonly detail: string;
}

/**
 * Sends one request with a session. An accepted session is used again even if it was retired; a rejection is recorded.
 * @throws {OperatorError} `session_sealed` if no key opens it.
 */
export const testSession = async (
  { db, log }: ActContext,
  keyring: Keyring | null,
  adapter: PlatformAdapter,
  http: RateLimitedHttp,
  session: StoredSession,
): Promise<SessionTest> => {
  const { sessions } = adapter;
  const credentials = keyring === null ? null : openCredentials(keyring, session);
  if (credentials === null || sessions === undefined)
    throw new OperatorError('session_sealed', `No key of SESSIONS_KEY opens ${session.id}.`);
  const { session: _, ...probe } = sessions.probe;
  try {
    const page = await http.fetch({
      ...probe,
      headers: { ...probe.headers, ...sessions.headersOf(credentials) },
      ...(session.proxy === null ? {} : { proxy: session.proxy }),
    });
    if (sessions.isRejected(page)) {
      await createSessionLimits(db).rejected(session.id, `HTTP ${page.status}`);
      return {
        verdict: 'rejected',
        detail: `${adapter.name} answered HTTP ${page.status} and rejects the session.`,
      };
    }
    if (page.status === 429) {
      const waitMs = retryAfterMs(page.headers['retry-after'], systemClock.now());
      await createSessionLimits(db).rest(session.id, sessions.probe.session?.operation ?? '', waitMs);
      return { verdict: 'limited', detail: `${adapter.name} limits the session at present.` };
    }
    const surface = adapter.surfaces.find((one) => one.matches(new URL(probe.url)));
    const reading =
      surface === undefined
        ? null
        : await readStep(
            { fetch: async () => page, close: async () => undefined },
            { surface, request: probe },
            { kind: 'handle', handle: adapter.probes[0] ?? '' },
          );
    if (page.status !== 200 || reading?.status === 'unknown') {
      const detail = reading?.status === 'unknown' ? reading.detail : `HTTP ${page.status}`;
      return { verdict: 'unknown', detail: `${adapter.name} answered, but not about the session: ${detail}` };
    }
    await inTransaction(db, async (client) => {
      if (!(await reinstateSession(client, session.id))) return;
      const act = { type: 'SessionReinstated', data: {} } as const;
      await recordAct(log, sessionStream(session.id), act, systemClock.now());
    });
    return { verdict: 'accepted', detail: `${adapter.name} accepts the session.` };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { verdict: 'unknown', detail: error.message };
  }
};

type Context = Pick<OperationsContext, 'db'>;
type ActContext = Pick<OperationsContext, 'db' | 'log'>;

/** @throws {OperatorError} `sessions_key_missing` */
const required = (keyring: Keyring | null): Keyring => {
  if (keyring !== null) return keyring;
  throw new OperatorError(
    'sessions_key_missing',
    'SESSIONS_KEY is not set: sessions are stored encrypted with it.',
  );
};

/** @throws {OperatorError} `sessions_unsupported` */
const grammarOf = (registry: Registry, platform: Platform) => {
  const { sessions, name } = registry.adapterOf(platform);
  if (sessions !== undefined) return sessions;
  const supported = registry.adapters.filter((adapter) => adapter.sessions !== undefined);
  throw new OperatorError(
    'sessions_unsupported',
    `${name} is read without sessions. Platforms with sessions: ${supported.map((one) => one.platform).join(', ')}.`,
  );
};

/** A problem with its path. Values are never quoted. */
const problemOf = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`;

/** The credentials of a text: a JSON object, or lines of `name=value`. */
const credentialsIn = (text: string): unknown => {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new OperatorError('session_invalid', 'The credentials are no valid JSON.');
    }
  }
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((raw, i) => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#')) return [];
      const equals = line.indexOf('=');
      if (equals < 1) throw new OperatorError('session_invalid', `Line ${i + 1} is not name=value.`);
      return [[line.slice(0, equals).trim(), line.slice(equals + 1).trim()]];
    }),
  );
};

const labelSchema = z.string().regex(/^[\w.-]{1,60}$/);

const statusOf = (
  session: StoredSession,
  state: SessionState,
  keyring: Keyring | null,
): SessionListed['status'] => {
  if (keyring === null || !keyring.has(session.keyId)) return 'sealed';
  if (state.retired_at !== null) return 'retired';
  return state.resting_until === null ? 'active' : 'resting';
};
