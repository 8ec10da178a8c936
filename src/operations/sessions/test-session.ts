import { FetchError } from '../../crawlers/http/port.ts';
import type { RateLimitedHttp } from '../../crawlers/http/rate-limited-http.ts';
import { retryAfterMs } from '../../crawlers/http/retry.ts';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import { readStep } from '../../crawlers/platforms/shared/read-surfaces.ts';
import { createSessionLimits } from '../../crawlers/sessions/limits.ts';
import { reinstateSession } from '../../crawlers/sessions/session-report.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Keyring } from '../../write/secrets.ts';
import { openCredentials, type StoredSession } from '../../write/secrets.ts';
import type { OperationsContext } from '../context.ts';

/** What a test request showed of a session. */
export interface SessionTest {
  /** `unknown`: the platform's answer says nothing of the session. */
  readonly verdict: 'accepted' | 'rejected' | 'limited' | 'unknown';
  readonly detail: string;
}

/**
 * Sends one request with a session. One that is accepted is used again, even if it was retired; a rejection counts.
 * @throws {OperatorError} `session_sealed` if no key opens it.
 */
export const testSession = async (
  { db }: Pick<OperationsContext, 'db'>,
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
    await reinstateSession(db, session.id);
    return { verdict: 'accepted', detail: `${adapter.name} accepts the session.` };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { verdict: 'unknown', detail: error.message };
  }
};
