import { json } from './platforms/response.ts';
import { header, type Reply, type SiteRequest } from './platforms/site.ts';

export const SESSION_STATES = ['ok', 'locked', 'expired', 'invalid'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** A session of X, by the name that its token or cookie carries. */
export interface SessionRule {
  readonly state: SessionState;
  /** Requests a window by operation. */
  readonly limits: Readonly<Record<string, number>>;
  /** For all other operations. */
  readonly limit: number;
  readonly windowS: number;
  /** Milliseconds; the session is expired from then on. */
  readonly expiresAt: number | null;
}

export interface Sessions {
  set(name: string, rule: Partial<SessionRule>): void;
  clear(name?: string): void;
  /** Whether names without a rule are admitted, with generous limits. Default true. */
  readonly strangers: boolean;
  admitStrangers(value: boolean): void;
  list(): readonly (SessionRule & {
    readonly name: string;
    readonly used: Readonly<Record<string, number>>;
  })[];
  /**
   * Counts a request to X's GraphQL.
   * @returns the refusal, if any, and the headers of the answer; null for any other request.
   */
  admit(
    request: SiteRequest,
  ): { readonly refusal: Reply | null; readonly headers: Readonly<Record<string, string>> } | null;
}

const GENEROUS: SessionRule = { state: 'ok', limits: {}, limit: 100_000, windowS: 900, expiresAt: null };

/** Name of a request's session: its cookie's token, or the guest token. */
export const sessionOf = (request: Pick<SiteRequest, 'headers'>): string =>
  /(?:^|;\s*)auth_token=([^;]+)/.exec(header(request as SiteRequest, 'cookie'))?.[1] ??
  header(request as SiteRequest, 'x-guest-token');

const REFUSALS: Readonly<Record<Exclude<SessionState, 'ok'>, readonly [number, number, string]>> = {
  locked: [
    403,
    326,
    'To protect our users from spam and other malicious activity, this account is temporarily locked. Please log in to https://x.com to unlock your account.',
  ],
  expired: [401, 89, 'Invalid or expired token.'],
  invalid: [401, 32, 'Could not authenticate you.'],
};

const refusal = (state: Exclude<SessionState, 'ok'>): Reply => {
  const [status, code, message] = REFUSALS[state];
  return json({ errors: [{ code, message }] }, status);
};

/** Sessions of X with the limits, locks and ends that a test gives them. */
export const createSessions = (): Sessions => {
  const rules = new Map<string, SessionRule>();
  const windows = new Map<string, { resetAt: number; used: number }>();
  let strangers = true;
  return {
    get strangers() {
      return strangers;
    },
    admitStrangers: (value) => {
      strangers = value;
    },
    set: (name, rule) => void rules.set(name, { ...(rules.get(name) ?? GENEROUS), ...rule }),
    clear: (name) => {
      if (name === undefined) {
        rules.clear();
        windows.clear();
        strangers = true;
      } else {
        rules.delete(name);
        for (const key of windows.keys()) if (key.startsWith(`${name} `)) windows.delete(key);
      }
    },
    list: () =>
      [...rules].map(([name, rule]) => ({
        name,
        ...rule,
        used: Object.fromEntries(
          [...windows]
            .filter(([key]) => key.startsWith(`${name} `))
            .map(([key, { used }]) => [key.slice(name.length + 1), used]),
        ),
      })),
    admit: (request) => {
      const operation = /\/(?:graphql\/[\w-]+|1\.1\/search)\/(\w+)(?:\.json)?$/.exec(request.path)?.[1];
      const name = sessionOf(request);
      if (operation === undefined || name === '') return null;
      const rule = rules.get(name);
      if (!rule && !strangers) return { refusal: refusal('invalid'), headers: {} };
      const { state, limits, limit: other, windowS, expiresAt } = rule ?? GENEROUS;
      const ended = expiresAt !== null && request.at >= expiresAt;
      if (state !== 'ok' || ended)
        return { refusal: refusal(state === 'ok' ? 'expired' : state), headers: {} };
      const limit = limits[operation] ?? other;
      const key = `${name} ${operation}`;
      let window = windows.get(key);
      if (!window || request.at >= window.resetAt) {
        window = { resetAt: request.at + windowS * 1000, used: 0 };
        windows.set(key, window);
      }
      window.used++;
      const headers = {
        'x-rate-limit-limit': String(limit),
        'x-rate-limit-remaining': String(Math.max(0, limit - window.used)),
        'x-rate-limit-reset': String(Math.ceil(window.resetAt / 1000)),
      };
      if (window.used <= limit) return { refusal: null, headers };
      return {
        refusal: json({ errors: [{ code: 88, message: 'Rate limit exceeded.' }] }, 429, headers),
        headers,
      };
    },
  };
};
