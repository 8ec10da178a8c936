import { FetchError, type HttpRequest } from '../http/port.ts';
import type { FetchOptions, RateLimitedHttp } from '../http/rate-limited-http.ts';
import type { SessionPool } from './pool.ts';

/** Lets sessions send the requests that need one. Adapters see no credentials. */
export const withSessions = (http: RateLimitedHttp, sessions: SessionPool): RateLimitedHttp => {
  const fetchAs = async (
    request: HttpRequest & { readonly session: NonNullable<HttpRequest['session']> },
    options: FetchOptions,
  ) => {
    const { platform, session } = request;
    const granted = await sessions.grant(platform, session.operation, session.id);
    if ('refused' in granted) {
      if (granted.refused === 'not_configured')
        throw new FetchError(
          'no_session',
          `No session of ${platform} is configured for ${session.operation}`,
        );
      throw new FetchError(
        'session_limited',
        `All sessions of ${platform} have used up their requests of ${session.operation}, or rest`,
        { retryAfterMs: granted.waitMs },
      );
    }
    let isSent = false;
    try {
      const page = await http.fetch(
        {
          ...request,
          headers: { ...request.headers, ...granted.headers },
          ...(granted.proxy === null ? {} : { proxy: granted.proxy }),
        },
        {
          ...options,
          onRequest: () => {
            isSent = true;
            options.onRequest?.();
          },
        },
      );
      await granted.answered(page);
      return { ...page, session: granted.id };
    } catch (error) {
      if (!isSent) await granted.unsent();
      throw error;
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
