import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { IdempotencyStore, IdempotentRequest } from '../../write/metering/idempotency-store.ts';
import type { Endpoint } from '../contract/endpoint.ts';

const MAX_CHARACTERS = 255;

/** Length-prefixed parts, so that different requests never concatenate to the same text. */
const fingerprintOf = (parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
};

/**
 * Idempotency data of a POST request; null without the header.
 * @throws {ServiceError} `invalid_request` if the header is empty or too long.
 */
export const idempotentRequestOf = (
  request: FastifyRequest,
  { meter }: Pick<Endpoint, 'meter'>,
): IdempotentRequest | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_CHARACTERS) {
    throw new ServiceError('invalid_request', 'The Idempotency-Key is malformed.', {
      details: [
        {
          path: 'headers.idempotency-key',
          message: `must have 1 to ${MAX_CHARACTERS} characters, and be given once`,
        },
      ],
    });
  }
  const { holder } = request.caller as KnownKey;
  const fingerprint = fingerprintOf([request.method, request.url, JSON.stringify(request.body ?? null)]);
  return { holder, key, fingerprint, free: meter === 'free' };
};

/**
 * Claims a request: returns the stored response, or the claim if it has to be executed. The claim is null for a
 * free request whose holder's storage is full: nothing is stored for it.
 */
export const claimOf = async (
  answers: IdempotencyStore,
  idempotent: IdempotentRequest,
): Promise<{ readonly body: string } | { readonly claim: string | null }> => {
  const claimed = await answers.claim(idempotent);
  switch (claimed.state) {
    case 'claimed':
      return { claim: claimed.claim };
    case 'answered':
      return { body: claimed.body };
    case 'in_flight':
      throw new ServiceError(
        'idempotency_in_flight',
        'The first request with this Idempotency-Key is still in flight.',
      );
    case 'full':
      if (idempotent.free) return { claim: null };
      throw new ServiceError(
        'rate_limited',
        'Too many responses are stored for your Idempotency-Keys: retry later, or without one.',
        { retryAfterS: claimed.freedInS },
      );
    case 'mismatch':
      throw new ServiceError(
        'idempotency_mismatch',
        'This Idempotency-Key was used for another URL or body.',
      );
  }
};
