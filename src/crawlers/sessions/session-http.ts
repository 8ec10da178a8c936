import { FetchError, type HttpRequest, type Page } from '../http/port.ts';
import type { FetchOptions, RateLimitedHttp } from '../http/rate-limited-http.ts';
import type { SessionPool } from './pool.ts';

/** Sessions that are tried for a request while they are rejected, or their proxies fail. */
const TRIES = 3;

type SessionRequest = HttpRequest & { readonly session: NonNullable<HttpRequest['session']> };

/** Lets sessions send the requests that need one. Adapters see no credentials. */
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

  const fetchAs = async (request: SessionRequest, options: FetchOptions): Promise<Page> => {
    let rejection: FetchError | null = null;
    for (let tries = 1; ; tries++) {
      const session = await granted(request, options).catch((error: unknown) => {
        throw rejection ?? error;
      });
      let isSent = false;
      try {
        const page = await http.fetch(
          {
            ...request,
            headers: { ...request.headers, ...session.headers },
            ...(session.proxy === null ? {} : { proxy: session.proxy }),
          },
          {
            ...options,
            onRequest: () => {
              isSent = true;
              options.onRequest?.();
            },
          },
        );
        if (await session.answered(page)) return { ...page, session: session.id };
        rejection = new FetchError(
          'session_unusable',
          `${request.platform} rejected the session with HTTP ${page.status}`,
        );
      } catch (error) {
        const isUnreachable = error instanceof FetchError && error.reason === 'proxy_failed';
        if (!isSent || isUnreachable) await session.unsent();
        if (!isUnreachable || session.proxy === null) throw error;
        // Another session may have another proxy, or none.
        await session.unreachable(error.retryAfterMs);
        if (tries >= TRIES) throw error;
        continue;
      }
      // The rejected session rests: another one may be accepted.
      if (tries >= TRIES) throw rejection;
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
