import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { IdempotencyStore, IdempotentRequest } from '../../write/metering/idempotency-store.ts';
import type { Endpoint } from '../contract/endpoint.ts';

const MAX_CHARACTERS = 255;

/** Length before each part: no two requests run together into the same text. */
const fingerprintOf = (parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
};

/**
 * What makes a POST request the same request again; null where it does not ask for that.
 * @throws {ServiceError} `invalid_request` where the header is empty or too long.
 */
export const idempotentRequestOf = (
  request: FastifyRequest,
  { meter }: Pick<Endpoint, 'meter'>,
): IdempotentRequest | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_CHARACTERS) {
    throw new ServiceError('invalid_request', 'The Idempotency-Key is not of the documented form.', {
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
 * The body that a claimed request is to be answered with, or its claim where it has to be carried out: null where
 * nothing is kept of it, since it costs nothing and its holder has too much.
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
        'The first request with this Idempotency-Key is still under way.',
      );
    case 'full':
      if (idempotent.free) return { claim: null };
      throw new ServiceError(
        'rate_limited',
        'Too many answers are kept for your Idempotency-Keys: ask without one, or later.',
        { retryAfterS: claimed.freedInS },
      );
    case 'mismatch':
      throw new ServiceError(
        'idempotency_mismatch',
        'This Idempotency-Key was used for another address or body.',
      );
  }
};
