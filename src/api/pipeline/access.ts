import type { FastifyRequest } from 'fastify';
import { callerOf, createMatcher } from '../../kernel/cidr.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { KeyReads, KnownKey } from '../../read/holders.ts';
import { hashKey, isKey } from '../../write/holders/api-key.ts';
import type { Plan, Plans } from '../../write/holders/plans.ts';
import type { Endpoint } from '../contract/endpoint.ts';

export const createAuthenticate =
  (keys: KeyReads, authThrottle: AuthThrottle): Authenticate =>
  (request) => {
    const refuse = (code: ServiceError['code'], message: string): never => {
      throw authThrottle.refuse(request.ip, new ServiceError(code, message));
    };
    const accept = (key: KnownKey | null): KnownKey => {
      if (key === null) return refuse('key_invalid', 'There is no such key.');
      if (key.revoked) return refuse('key_revoked', 'This key was revoked.');
      if (key.endsAtMs !== null && performance.now() >= key.endsAtMs) {
        return refuse(
          'key_revoked',
          key.replaced
            ? 'This key was rotated and has expired: use its successor.'
            : 'This key has expired: ask the operator for a new one.',
        );
      }
      if (key.suspended) return refuse('holder_suspended', 'The operator has suspended this account.');
      if (!isAllowedFrom(key, request.ip)) {
        request.outsider = key;
        return refuse('ip_not_allowed', 'This key has an IP allowlist that does not include your address.');
      }
      return key;
    };
    const header = request.headers.authorization;
    if (header === undefined) return refuse('key_missing', 'Send `Authorization: Bearer <key>`.');
    const key = bearerToken(header);
    // The checksum detects mistyped keys without a look-up.
    if (!isKey(key)) {
      return refuse('key_invalid', 'This is not a key of this service: check for a typo.');
    }
    const hash = hashKey(key);
    const known = keys.peek(hash);
    return known === undefined ? keys.find(hash).then(accept) : accept(known);
  };

/** The token of an `Authorization` header; empty if it has another scheme. */
export const bearerToken = (header: string): string =>
  header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';

export const createAuthThrottle = (): AuthThrottle => {
  const failures = new Map<string, { count: number; readonly since: number }>();

  const windowOf = (network: string) => {
    const found = failures.get(network);
    return found !== undefined && elapsedMs() - found.since < WINDOW_MS ? found : undefined;
  };
  const leftS = (since: number): number => Math.max(1, Math.ceil((since + WINDOW_MS - elapsedMs()) / 1_000));

  return {
    refuse: (address, failure) => {
      const network = callerOf(address);
      const found = windowOf(network);
      if (found !== undefined) {
        found.count += 1;
        return found.count > MAX_FAILURES ? tooMany(leftS(found.since)) : failure;
      }
      failures.delete(network);
      if (failures.size >= MAX_ADDRESSES) failures.delete(failures.keys().next().value as string);
      failures.set(network, { count: 1, since: elapsedMs() });
      return failure;
    },
  };
};

/** The plan of a key's holder; null if it is not among the active plans. */
export const planOf = (plans: Plans, key: KnownKey): Plan | null =>
  key.plan === null ? plans.default : plans.find(key.plan);

/**
 * Error code if a key may not call an endpoint, else null. The plan is checked first: new keys get only their plan's
 * scopes.
 */
export const denialOf = (
  plans: Plans,
  key: KnownKey,
  { scope }: Pick<Endpoint, 'scope'>,
): 'scope_missing' | 'plan_required' | null => {
  if (scope === null) return null;
  if (planOf(plans, key)?.scopes.includes(scope) === false) return 'plan_required';
  return key.scopes.has(scope) ? null : 'scope_missing';
};

/**
 * Checks that the key's scopes and its holder's plan include an endpoint.
 * @param endpoint.why why the scope is needed, if the endpoint alone does not need it.
 * @throws {ServiceError} `scope_missing`, `plan_required`.
 */
export const authorize = (
  plans: Plans,
  key: KnownKey,
  endpoint: Pick<Endpoint, 'scope'> & { readonly why?: string },
): void => {
  const { scope, why: reason } = endpoint;
  const lead = reason === undefined ? '' : `${reason} `;
  const why = denialOf(plans, key, endpoint);
  if (why === null || scope === null) return;
  if (why === 'scope_missing') {
    throw new ServiceError(
      'scope_missing',
      `${lead}The key ${key.keyId} lacks the scope ${scope}, which your plan includes: ask the operator to add it to the key.`,
      {
        details: [{ path: 'scope', message: scope }],
      },
    );
  }
  const lowest = plans.lowestWith(scope)?.name ?? 'none';
  const plan = { path: 'plan', message: lowest };
  // A key without the scope needs it in addition to another plan.
  const isScopeMissing = !key.scopes.has(scope);
  throw new ServiceError(
    'plan_required',
    `${lead}Your plan does not include ${scope}; the lowest plan that does is ${lowest}.${isScopeMissing ? ' The key lacks the scope too.' : ''}`,
    { details: isScopeMissing ? [plan, { path: 'scope', message: scope }] : [plan] },
  );
};

declare module 'fastify' {
  interface FastifyRequest {
    /** A key that was sent from an address that it does not allow: its requests are refused, and not the holder's. */
    outsider: KnownKey | null;
  }
}

/**
 * Authenticates a request: from the cache if it is fresh, else asynchronously.
 * @throws {ServiceError} `key_missing`, `key_invalid`, `key_revoked`, `holder_suspended`, `ip_not_allowed`; `rate_limited` after too
 * many of these from the address.
 */
type Authenticate = (request: FastifyRequest) => KnownKey | Promise<KnownKey>;

/**
 * Throttles requests without a valid key by address, against guessing of keys. Requests with a valid key are never
 * throttled by it.
 */
interface AuthThrottle {
  /** Counts a failed authentication; returns the error to send. */
  refuse(address: string, failure: ServiceError): ServiceError;
}

const WINDOW_MS = 60_000;
const MAX_FAILURES = 60;
const MAX_ADDRESSES = 50_000;

const tooMany = (waitS: number): ServiceError =>
  new ServiceError('rate_limited', 'Too many requests without a valid key from your address.', {
    retryAfterS: waitS,
  });

interface Pin {
  readonly isWithin: (address: string) => boolean;
  /** Cached decisions by address; a caller has few addresses. */
  readonly known: Map<string, boolean>;
}

const pins = new WeakMap<KnownKey, Pin>();
const MAX_KNOWN = 1_000;

/** Whether a key's IP allowlist includes an address; true without an allowlist. */
const isAllowedFrom = (key: KnownKey, address: string): boolean => {
  if (key.allowlist.length === 0) return true;
  let pin = pins.get(key);
  if (pin === undefined) {
    pin = { isWithin: createMatcher(key.allowlist), known: new Map() };
    pins.set(key, pin);
  }
  let allowed = pin.known.get(address);
  if (allowed === undefined) {
    allowed = pin.isWithin(address);
    if (pin.known.size >= MAX_KNOWN) pin.known.clear();
    pin.known.set(address, allowed);
  }
  return allowed;
};
