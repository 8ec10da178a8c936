import type { FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/errors.ts';
import type { KeyReads, KnownKey } from '../../read/keys.ts';
import { hashKey, isKey } from '../../write/holders/key.ts';

/**
 * The key of a request: from memory where that can be trusted, else a promise of it.
 * @throws {Failure} `key_missing`, `key_invalid`, `key_revoked`.
 */
export const authenticate = (request: FastifyRequest, keys: KeyReads): KnownKey | Promise<KnownKey> => {
  const header = request.headers.authorization;
  if (header === undefined) throw new Failure('key_missing', 'Send `Authorization: Bearer <key>`.');
  const key = header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
  // A mistyped key is refused by its check digits, without a look-up.
  if (!isKey(key))
    throw new Failure('key_invalid', 'This is not a key of this service: check for a typing error.');
  const hash = hashKey(key);
  const known = keys.peek(hash);
  return known === undefined ? keys.find(hash).then(accept) : accept(known);
};

const accept = (key: KnownKey | null): KnownKey => {
  if (key === null) throw new Failure('key_invalid', 'There is no such key.');
  if (key.revoked) throw new Failure('key_revoked', 'This key was revoked.');
  return key;
};
