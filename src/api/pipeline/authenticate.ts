import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors.ts';
import type { KeyReads, KnownKey } from '../../read/holders.ts';
import { hashKey, isKey } from '../../write/holders/api-key.ts';
import type { AuthThrottle } from './auth-throttle.ts';
import { isAllowedFrom } from './authorize.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A key that was sent from an address that it does not allow: its requests are refused, and not the holder's. */
    outsider: KnownKey | null;
  }
}

/**
 * Authenticates a request: from the cache if it is fresh, else asynchronously.
 * @throws {ServiceError} `key_missing`, `key_invalid`, `key_revoked`, `ip_not_allowed`; `rate_limited` after too
 * many of these from the address.
 */
export type Authenticate = (request: FastifyRequest) => KnownKey | Promise<KnownKey>;

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
        return refuse('key_revoked', 'This key was rotated and has expired: use its successor.');
      }
      if (!isAllowedFrom(key, request.ip)) {
        request.outsider = key;
        return refuse('ip_not_allowed', 'This key has an IP allowlist that does not include your address.');
      }
      return key;
    };
    const header = request.headers.authorization;
    if (header === undefined) return refuse('key_missing', 'Send `Authorization: Bearer <key>`.');
    const key = header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
    // The checksum detects mistyped keys without a look-up.
    if (!isKey(key)) {
      return refuse('key_invalid', 'This is not a key of this service: check for a typo.');
    }
    const hash = hashKey(key);
    const known = keys.peek(hash);
    return known === undefined ? keys.find(hash).then(accept) : accept(known);
  };
