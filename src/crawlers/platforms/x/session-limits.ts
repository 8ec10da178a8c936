import { createHash } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import { FetchError, type Http, type HttpRequest, type Page } from '../../http/port.ts';
import type { SessionRests } from '../session-rests.ts';
import type { XSettings } from './session.ts';

/**
 * The requests that a session has left, by operation, as X states them with every reply. A request that X would
 * refuse is not sent: repeated refusals get sessions locked.
 */
export interface SessionLimits {
  /** When the operation may be requested again, in milliseconds since 1970; null for now. */
  restsUntil(operation: string): Promise<number | null>;
  /** The same HTTP, which notes the limits of replies. */
  noting(http: Http): Http;
}

/** X counts by quarters of an hour. */
const WINDOW_MS = 15 * 60_000;

const operationOf = (request: HttpRequest): string | null =>
  /\/graphql\/[\w-]+\/(\w+)/.exec(new URL(request.url).pathname)?.[1] ?? null;

/** Names a session without giving it away. */
const digestOf = ({ bearerToken, guestToken, cookie }: XSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([bearerToken ?? null, guestToken ?? null, cookie ?? null]))
    .digest('hex')
    .slice(0, 32);

/** @param rests of all processes that have the session. */
export const createSessionLimits = (
  settings: XSettings,
  rests: SessionRests,
  clock: Clock,
): SessionLimits => {
  const session = digestOf(settings);

  const note = async (
    operation: string,
    { status, headers }: Pick<Page, 'status' | 'headers'>,
  ): Promise<void> => {
    const nowMs = clock.now();
    const resetMs = Number(headers['x-rate-limit-reset']) * 1_000;
    const usedUp = status === 429 || headers['x-rate-limit-remaining'] === '0';
    if (!usedUp) return;
    const untilMs = Number.isFinite(resetMs) && resetMs > nowMs ? resetMs : nowMs + WINDOW_MS;
    await rests.rest(session, operation, Math.min(untilMs, nowMs + WINDOW_MS));
  };

  return {
    restsUntil: async (operation) => {
      const untilMs = await rests.until(session, operation);
      return untilMs === null || untilMs <= clock.now() ? null : untilMs;
    },
    noting: (http) => ({
      fetch: async (request) => {
        const operation = operationOf(request);
        try {
          const page = await http.fetch(request);
          if (operation !== null) await note(operation, page);
          return page;
        } catch (error) {
          if (operation !== null && error instanceof FetchError && error.reason === 'rate_limited') {
            const retryMs = error.retryAfterMs ?? WINDOW_MS;
            await rests.rest(session, operation, clock.now() + Math.min(retryMs, WINDOW_MS));
          }
          throw error;
        }
      },
      close: () => http.close(),
    }),
  };
};
