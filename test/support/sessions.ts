import type { Http } from '../../src/crawlers/http/port.ts';
import { adapterOf } from '../../src/crawlers/platforms/registry.ts';
import type { GrantedSession, SessionPool } from '../../src/crawlers/sessions/session-pool.ts';

/** Credentials of a guest session with this name, which the simulator recognizes. */
export const guestOf = (name: string) => ({ bearer_token: 'simulated', guest_token: name });

const headersOf = (name: string) => adapterOf('x').sessions?.headersOf(guestOf(name)) ?? {};

/** A session without limits, for any request that needs one. */
export const simulatedSessions = (name = 'simulated'): SessionPool => {
  const granted: GrantedSession = {
    id: name,
    headers: headersOf(name),
    proxy: null,
    answered: async () => true,
    unsent: async () => undefined,
    unreachable: async () => undefined,
  };
  return { grant: async () => granted };
};

/** The same for an HTTP client without a rate limit. */
export const withSimulatedSession = <H extends Http>(http: H, name = 'simulated'): H => ({
  ...http,
  fetch: async (request: Parameters<Http['fetch']>[0]) => {
    if (request.session === undefined) return http.fetch(request);
    const page = await http.fetch({ ...request, headers: { ...request.headers, ...headersOf(name) } });
    return { ...page, session: name };
  },
});
